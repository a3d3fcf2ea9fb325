package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;

/**
 * An estimate of the run times of a sweep's cells, from measured speeds of some cells. The speeds of other cells are
 * interpolated on a logarithmic scale of the cost per step.
 *
 * @param samples the measured cells, by ascending cost of a step
 * @param atOnce number of cells that run at once on this machine
 * @param seconds the time of each cell, by its id
 * @param spread the factor by which the times may be smaller or larger
 */
public record SweepEstimate(List<Sample> samples, int atOnce, Map<String, Double> seconds, double spread) {

    /**
     * A measured cell.
     *
     * @param speed the mean speed of {@code atOnce} simultaneous copies
     */
    public record Sample(Cell cell, double stepCost, TrialSpeed speed) {

        private double change(Sample before) {
            double change = speed.perSecond() / before.speed.perSecond();
            return Math.max(change, 1 / change);
        }

        /** This sample with a spread that also covers {@code before}, the result of an earlier round. */
        Sample after(Sample before) {
            double factor = Math.max(change(before), MIN_SPREAD);
            return new Sample(
                    cell,
                    stepCost,
                    new TrialSpeed(
                            speed.perSecond(), speed.startSeconds(), Math.max(speed.spread(), factor), speed.share()));
        }
    }

    /** The minimum spread: two runs of the same program differ by up to this factor. */
    private static final double MIN_SPREAD = 1.2;

    /**
     * The maximum ratio of speeds in two rounds after compilation; a larger ratio means that code was still being
     * compiled.
     */
    private static final double MAX_DIFFERENCE = 1.5;

    private static final int MAX_ROUNDS = 6;

    public SweepEstimate {
        samples = List.copyOf(samples);
        seconds = Map.copyOf(seconds);
    }

    /**
     * Measures the cells whose steps are cheapest, most expensive and in the middle. As many copies of a cell run at
     * once as cells would run in the local engine.
     *
     * @param time approximate total time; up to three times as much on a busy machine
     * @return empty if the trial cannot measure its speed, or memory is too small for a cell
     * @throws IllegalArgumentException if a cell cannot be run
     */
    public static Optional<SweepEstimate> measure(Sweep sweep, Duration time) throws IOException {
        Trial trial = Trial.named(sweep.trial());
        Map<String, Double> stepCosts = stepCosts(sweep.cells(), trial);
        List<Cell> chosen = spread(sweep.cells(), stepCosts);
        int atOnce = atOnce(sweep);
        var samples = new ArrayList<Sample>();
        List<Sample> before = List.of();
        // Code is still being compiled in the first rounds, mainly if steps are short. Rounds are therefore repeated
        // until two of them agree.
        for (int round = 1; round <= 2 || (round <= MAX_ROUNDS && !agree(samples, before)); round++) {
            before = List.copyOf(samples);
            samples.clear();
            for (Cell cell : chosen.reversed()) {
                Optional<TrialSpeed> speed =
                        speed(trial, cell, sweep.threads(), atOnce, time.dividedBy(2L * chosen.size()));
                if (speed.isEmpty()) {
                    return Optional.empty();
                }
                samples.addFirst(new Sample(cell, stepCosts.getOrDefault(cell.id(), 0.0), speed.get()));
            }
        }
        for (int i = 0; i < samples.size(); i++) {
            samples.set(i, samples.get(i).after(before.get(i)));
        }
        return Optional.of(of(sweep.cells(), stepCosts, samples, atOnce));
    }

    private static boolean agree(List<Sample> samples, List<Sample> before) {
        return IntStream.range(0, samples.size()).allMatch(i -> samples.get(i).change(before.get(i)) < MAX_DIFFERENCE);
    }

    /** The estimate from {@code samples}: at least one, in strictly ascending order of the cost per step. */
    static SweepEstimate of(List<Cell> cells, Map<String, Double> stepCosts, List<Sample> samples, int atOnce) {
        var seconds = new HashMap<String, Double>();
        double sum = 0;
        double most = 0;
        for (Cell cell : cells) {
            TrialSpeed speed = speedAt(samples, stepCosts.getOrDefault(cell.id(), 0.0));
            double time = speed.startSeconds() + cell.cost() / speed.perSecond();
            seconds.put(cell.id(), time);
            sum += time;
            most += time * speed.spread();
        }
        return new SweepEstimate(samples, atOnce, seconds, most / sum);
    }

    private static int atOnce(Sweep sweep) {
        return shortage(sweep).isPresent() ? 1 : new LocalEngine().atOnce(job(sweep));
    }

    /** The message if this machine has too little memory for a cell; {@link #measure} then runs one copy. */
    public static Optional<String> shortage(Sweep sweep) {
        return new LocalEngine().shortage(job(sweep));
    }

    private static EngineJob job(Sweep sweep) {
        var limits = new CellRun.Limits(sweep.threads(), sweep.retries(), sweep.keep());
        return new EngineJob(sweep.cells(), limits, sweep.memoryBytes(), Path.of("."), Map.of(), () -> false);
    }

    /** The costs per step, by the cell's id; cells that differ only in their seed share one computation. */
    private static Map<String, Double> stepCosts(List<Cell> cells, Trial trial) throws IOException {
        var known = new HashMap<Map<String, String>, Double>();
        var costs = new HashMap<String, Double>();
        for (Cell cell : cells) {
            Map<String, String> settings = new LinkedHashMap<>(cell.settings());
            settings.remove(Trial.SEED);
            Double cost = known.get(settings);
            if (cost == null) {
                cost = trial.stepCost(cell.configuration(trial));
                known.put(settings, cost);
            }
            costs.put(cell.id(), cost);
        }
        return costs;
    }

    /**
     * The cells whose steps are cheapest, closest to the geometric mean of both extremes, and most expensive. Fewer
     * than three if some of these costs are equal.
     */
    private static List<Cell> spread(List<Cell> cells, Map<String, Double> stepCosts) {
        var byCost = new TreeMap<Double, Cell>();
        cells.forEach(cell -> byCost.putIfAbsent(stepCosts.getOrDefault(cell.id(), 0.0), cell));
        double middle = Math.sqrt(byCost.firstKey() * byCost.lastKey());
        double closest = byCost.keySet().stream()
                .min(Comparator.comparingDouble(cost -> Math.abs(Math.log(cost / middle))))
                .orElseThrow();
        byCost.keySet().retainAll(List.of(byCost.firstKey(), closest, byCost.lastKey()));
        return List.copyOf(byCost.values());
    }

    private static Optional<TrialSpeed> speed(Trial trial, Cell cell, int threads, int atOnce, Duration time)
            throws IOException {
        try (ExecutorService executor = Executors.newFixedThreadPool(atOnce)) {
            List<Future<Optional<TrialSpeed>>> all = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                Configuration settings = cell.configuration(trial);
                all.add(executor.submit(() -> trial.speed(settings, threads, time)));
            }
            var speeds = new ArrayList<TrialSpeed>();
            for (Future<Optional<TrialSpeed>> each : all) {
                each.get().ifPresent(speeds::add);
            }
            return speeds.size() < atOnce
                    ? Optional.empty()
                    : Optional.of(new TrialSpeed(
                            mean(speeds, TrialSpeed::perSecond),
                            mean(speeds, TrialSpeed::startSeconds),
                            mean(speeds, TrialSpeed::spread),
                            mean(speeds, TrialSpeed::share)));
        } catch (ExecutionException e) {
            return switch (e.getCause()) {
                case OutOfMemoryError memory -> Optional.empty();
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IllegalStateException("the speed of the cell " + cell.id(), e);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static <T> double mean(List<T> all, ToDoubleFunction<T> value) {
        return all.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /**
     * The speed interpolated between the two nearest samples. Outside the samples' range, it is the speed of the first
     * or last sample.
     */
    private static TrialSpeed speedAt(List<Sample> samples, double stepCost) {
        Sample below = samples.reversed().stream()
                .filter(sample -> sample.stepCost <= stepCost)
                .findFirst()
                .orElse(samples.getFirst());
        Sample above = samples.stream()
                .filter(sample -> sample.stepCost >= stepCost)
                .findFirst()
                .orElse(samples.getLast());
        if (stepCost <= below.stepCost) {
            return below.speed;
        }
        if (stepCost >= above.stepCost) {
            return above.speed;
        }
        double part = Math.log(stepCost / below.stepCost) / Math.log(above.stepCost / below.stepCost);
        return new TrialSpeed(
                below.speed.perSecond() * Math.pow(above.speed.perSecond() / below.speed.perSecond(), part),
                below.speed.startSeconds() + part * (above.speed.startSeconds() - below.speed.startSeconds()),
                Math.max(below.speed.spread(), above.speed.spread()),
                Math.min(below.speed.share(), above.speed.share()));
    }

    /** The total time of the cells if they run one after the other. */
    public double cellSeconds(Collection<Cell> cells) {
        return cells.stream().mapToDouble(this::seconds).sum();
    }

    /** The time of the longest cell: a lower bound of the wall-clock time for any number of cores. */
    public double longestSeconds(Collection<Cell> cells) {
        return cells.stream().mapToDouble(this::seconds).max().orElse(0);
    }

    /**
     * The wall-clock time of the cells if {@code places} of them run at once and the cells of highest cost start first,
     * as in engines.
     */
    public double wallSeconds(Collection<Cell> cells, int places) {
        var ends = new PriorityQueue<Double>();
        double last = 0;
        for (Cell cell : cells.stream()
                .sorted(Comparator.comparingDouble(Cell::cost).reversed())
                .toList()) {
            double start = ends.size() < places ? 0 : ends.remove();
            double end = start + seconds(cell);
            ends.add(end);
            last = Math.max(last, end);
        }
        return last;
    }

    /** The mean share of a core that the measured cells got; below 1 if other work ran. */
    public double share() {
        return mean(samples, sample -> sample.speed.share());
    }

    private double seconds(Cell cell) {
        return seconds.getOrDefault(cell.id(), Double.NaN);
    }
}
