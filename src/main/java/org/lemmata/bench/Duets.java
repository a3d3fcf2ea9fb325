package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lemmata.track.ScalarReference;

/**
 * Decides which forks run simultaneously: two forks that are compared, if, among other conditions, each has one thread
 * and the machine has at least two cores. Other load then slows both equally (Bulej, Horky, Tuma, Farquet and Prokopec
 * 2020, "Duet Benchmarking: Improving Measurement Accuracy in the Cloud").
 */
public final class Duets {

    /** The approximate length to which iterations are shortened, so that both forks see the same disturbances. */
    private static final long WINDOW_MILLIS = 50;

    /** The maximum number of iterations per fork, which limits its time if operations are longer than a window. */
    private static final long MOST_WINDOWS = 40;

    private static final Set<String> ONE_MODE =
            Set.of("", "thrpt", "avgt", "ss", "Throughput", "AverageTime", "SingleShotTime");

    /** Options that must be equal for a benchmark and its reference. */
    private static final List<String> MEASUREMENT = List.of("-wi", "-w", "-wbs", "-i", "-r", "-bs", "-bm");

    private static final String MACHINE = ".MachineBenchmark.";

    private static final String PEAK = MACHINE + "fma";

    private Duets() {}

    /**
     * A plan whose forks run as duets if possible. The cells of both sides must have equal settings.
     *
     * @param progress receives each reason why benchmarks cannot run as duets, and a message if forks are not pinned
     */
    public static BenchmarkPlan ofSides(BenchmarkPlan plan, Consumer<String> progress) throws IOException {
        return ofSides(plan, obstacle(Cores.available(), plan.sides().getFirst()), progress);
    }

    /** @param machine the reason why this machine cannot run duets; empty if it can */
    static BenchmarkPlan ofSides(BenchmarkPlan plan, String machine, Consumer<String> progress) throws IOException {
        BenchmarkSide a = plan.sides().getFirst();
        BenchmarkSide b = plan.sides().getLast();
        var reasons = new LinkedHashMap<String, Integer>();
        SortedMap<Integer, Integer> duets = new TreeMap<>();
        List<BenchmarkCell> cellsOfA = new ArrayList<>();
        List<BenchmarkCell> cellsOfB = new ArrayList<>();
        BenchmarkList listOfA = a.jar().list();
        BenchmarkList listOfB = b.jar().list();
        for (int i = 0; i < a.cells().size(); i++) {
            BenchmarkCell cellOfA = a.cells().get(i);
            BenchmarkCell cellOfB = b.cells().get(i);
            String reason = Stream.of(machine, obstacle(cellOfA, listOfA), obstacle(cellOfB, listOfB))
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse("");
            List<String> windows = reason.isEmpty() ? windows(cellOfA, listOfA) : List.of();
            cellsOfA.add(cellOfA.withOptions(windows));
            cellsOfB.add(cellOfB.withOptions(windows));
            if (reason.isEmpty()) {
                duets.put(i, i);
            } else {
                reasons.merge(reason, 1, Integer::sum);
            }
        }
        tell(reasons, duets, progress);
        return new BenchmarkPlan(List.of(a.with(cellsOfA), b.with(cellsOfB)), plan.against(), duets);
    }

    /**
     * A plan of one side in which each benchmark runs with its reference, if possible and if the run includes it. The
     * reference is the scalar method of the same class with the same parameters, or {@code MachineBenchmark.fma} on one
     * thread. A reference gets as many forks as the benchmarks that run with it need.
     */
    public static BenchmarkPlan besideReferences(BenchmarkSide side, Consumer<String> progress) throws IOException {
        return besideReferences(side, obstacle(Cores.available(), side), progress);
    }

    /** @param machine the reason why this machine cannot run duets; empty if it can */
    static BenchmarkPlan besideReferences(BenchmarkSide side, String machine, Consumer<String> progress)
            throws IOException {
        List<BenchmarkCell> cells = new ArrayList<>(side.cells());
        var reasons = new LinkedHashMap<String, Integer>();
        SortedMap<Integer, Integer> duets = new TreeMap<>();
        BenchmarkList list = side.jar().list();
        Map<Integer, Integer> forks = new TreeMap<>();
        for (int i = 0; i < cells.size(); i++) {
            Optional<Integer> reference = reference(i, cells);
            if (reference.isEmpty()) {
                continue;
            }
            BenchmarkCell cell = cells.get(i);
            BenchmarkCell other = cells.get(reference.get());
            String reason = machine.isEmpty() ? obstacle(cell, list) : machine;
            if (reason.isEmpty() && !measurement(cell, list).equals(measurement(other, list))) {
                reason = "other warm-up or measurement than their reference; set -wi, -w, -i and -r for both";
            }
            if (!reason.isEmpty()) {
                reasons.merge(reason, 1, Integer::sum);
                continue;
            }
            duets.put(i, reference.get());
            forks.merge(reference.get(), cell.forks(), Integer::sum);
        }
        forks.forEach(
                (reference, count) -> cells.set(reference, cells.get(reference).withForks(count)));
        tell(reasons, duets, progress);
        return new BenchmarkPlan(List.of(new BenchmarkSide(side.name(), side.jar(), cells)), "", duets);
    }

    private static Optional<Integer> reference(int index, List<BenchmarkCell> cells) {
        BenchmarkCell cell = cells.get(index);
        Optional<String> scalar = ScalarReference.of(cell.benchmark());
        for (int i = 0; scalar.isPresent() && i < cells.size(); i++) {
            BenchmarkCell other = cells.get(i);
            if (other.benchmark().equals(scalar.get()) && other.params().equals(cell.params())) {
                return Optional.of(i);
            }
        }
        boolean isReference = cell.benchmark().contains(MACHINE)
                || cells.stream()
                        .anyMatch(other -> ScalarReference.of(other.benchmark()).equals(Optional.of(cell.benchmark())));
        for (int i = 0; !isReference && i < cells.size(); i++) {
            if (cells.get(i).benchmark().endsWith(PEAK) && threads(cells.get(i)).equals("1")) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static void tell(Map<String, Integer> reasons, SortedMap<Integer, Integer> duets, Consumer<String> progress)
            throws IOException {
        reasons.forEach((reason, count) -> progress.accept(
                count + (count == 1 ? " benchmark runs" : " benchmarks run") + " in turn, not as duets: " + reason));
        if (!duets.isEmpty() && !Cores.available().pins()) {
            progress.accept("forks of a duet are not pinned to cores: taskset was not found");
        }
    }

    private static String obstacle(Cores cores, BenchmarkSide side) {
        if (cores.physical() < 2) {
            return "duets need two cores, and this process may use " + cores.physical();
        }
        Path barrier = DuetMeeting.jar(side.jar());
        return Files.exists(barrier)
                ? ""
                : "expected " + barrier + ", found none; mvn -P jmh -DskipTests package builds it";
    }

    /** Why a benchmark cannot run in duets; empty if it can. */
    private static String obstacle(BenchmarkCell cell, BenchmarkList list) {
        if (list.entry(cell.benchmark()).isEmpty()) {
            return "settings not known: the jar's list of benchmarks has another format than JMH 1.37's";
        }
        boolean alone = Stream.of("-t", "-tg")
                .map(option -> cell.setting(option, list))
                .allMatch(count -> count.isEmpty() || count.equals("1"));
        if (!alone || !threads(cell).equals("1")) {
            return "more than one thread";
        }
        String mode = cell.setting("-bm", list);
        if (!ONE_MODE.contains(mode)) {
            return "mode " + mode;
        }
        if (cell.option("-prof").isPresent()) {
            return "a profiler";
        }
        return cell.option("-jvm").isPresent() || cell.setting("-jvm", list).isEmpty()
                ? ""
                : "another JVM (in its annotation)";
    }

    private static List<String> measurement(BenchmarkCell cell, BenchmarkList list) {
        return MEASUREMENT.stream().map(option -> cell.setting(option, list)).toList();
    }

    private static String threads(BenchmarkCell cell) {
        return cell.params().getOrDefault("threads", "1");
    }

    /**
     * Options that split the annotated measurement time into short iterations; none if it was set, is short, or is
     * unknown.
     */
    private static List<String> windows(BenchmarkCell cell, BenchmarkList list) {
        if (cell.option("-i").isPresent() || cell.option("-r").isPresent()) {
            return List.of();
        }
        OptionalLong nanos = Opponent.amount(cell.setting("-r", list));
        OptionalLong iterations = Opponent.amount(cell.setting("-i", list));
        String mode = cell.setting("-bm", list);
        long millis = nanos.orElse(0) / 1_000_000;
        if (millis <= WINDOW_MILLIS || iterations.isEmpty() || BenchmarkCell.ONCE.contains(mode)) {
            return List.of();
        }
        long total = iterations.getAsLong() * millis;
        // The number is even, so that a fork runs equally many on each core.
        long windows = Math.min(MOST_WINDOWS, 2 * Math.ceilDiv(total, 2 * WINDOW_MILLIS));
        return List.of("-i", Long.toString(windows), "-r", Math.ceilDiv(total, windows) + "ms");
    }
}
