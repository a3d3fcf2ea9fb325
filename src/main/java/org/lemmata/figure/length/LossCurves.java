package org.lemmata.figure.length;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.Judgement.Side;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.setting.NumberSet;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * The runs of figure 1 or 2: the test loss at several lengths, by a parameter of the task and by training length.
 *
 * @param symbol the symbol of the parameter: omega or p
 * @param runs the runs by the parameter's value and by training length, in increasing order of seeds
 * @param testLengths the test lengths in increasing order; the loss at the last length is the plateau
 */
record LossCurves(
        String symbol, SortedMap<Double, SortedMap<Integer, List<CellRecord>>> runs, List<Integer> testLengths) {

    private static final String LOSS = "lengths.";
    private static final String UNIT = "squared error";

    /** The loss assumed for a diverged run; always answering 0 has a lower loss. */
    private static final double LOST = 1;

    /**
     * Our reading of "plateaus", for which the paper gives no number: the loss grows or falls at most as length^(1/4),
     * that is by a factor of sqrt(2) if the length grows fourfold.
     */
    static final double FLAT_EXPONENT = 0.25;

    static LossCurves of(FigureCells cells, String setting, String symbol) {
        var tested = new TreeSet<Integer>();
        for (CellRecord record : cells.records()) {
            record.measurements().stream()
                    .map(Measurement::name)
                    .filter(name -> name.startsWith(LOSS))
                    .forEach(name -> tested.add(Integer.parseInt(name.substring(LOSS.length()))));
        }
        List<CellRecord> bySeed = cells.records().stream()
                .sorted(Comparator.comparingLong(CellRecord::seed))
                .toList();
        var runs = new TreeMap<Double, SortedMap<Integer, List<CellRecord>>>();
        FigureCells.by(bySeed, record -> record.number(setting))
                .forEach((value, records) ->
                        runs.put(value, FigureCells.by(records, record -> record.integer("task.settings.length"))));
        return new LossCurves(symbol, runs, List.copyOf(tested));
    }

    LossCurves at(IntPredicate testLength) {
        return new LossCurves(
                symbol, runs, testLengths.stream().filter(testLength::test).toList());
    }

    List<Double> parameters() {
        return List.copyOf(runs.keySet());
    }

    List<Integer> lengths(double parameter) {
        return List.copyOf(runs(parameter).keySet());
    }

    private SortedMap<Integer, List<CellRecord>> runs(double parameter) {
        return runs.getOrDefault(parameter, new TreeMap<>());
    }

    List<CellRecord> runs(double parameter, int length) {
        return FigureCells.ofOneModel(runs(parameter).getOrDefault(length, List.of()));
    }

    int seeds() {
        return runs.values().stream()
                .flatMap(byLength -> byLength.values().stream())
                .mapToInt(List::size)
                .min()
                .orElse(0);
    }

    double[] losses(double parameter, int length, int testLength) {
        return runs(parameter, length).stream()
                .mapToDouble(record -> FigureCells.value(record, LOSS + testLength, LOST))
                .toArray();
    }

    SeedMean loss(double parameter, int length, int testLength) {
        return SeedMean.of(losses(parameter, length, testLength));
    }

    /** The value of the plateau: the loss at the maximum test length. */
    SeedMean limit(double parameter, int length) {
        return loss(parameter, length, testLengths().getLast());
    }

    /** The logarithm of the plateau's value, as a geometric mean over the given seeds. */
    double logLimit(double parameter, int length, int... seeds) {
        double[] losses = losses(parameter, length, testLengths().getLast());
        return Math.log(SeedMean.of(
                        IntStream.of(seeds).mapToDouble(seed -> losses[seed]).toArray())
                .value());
    }

    String name(double parameter, int length) {
        return symbol + " = " + NumberSet.shown(parameter) + ", N = " + length;
    }

    /**
     * "For fixed training length, as test length increases, the test loss plateaus at a finite value": requires that c
     * of loss ~ length^c between the two largest test lengths is near 0. Each seed gives one c: the mean over the lines
     * whose plateau is significantly below the loss of a constant answer. Other lines are excluded, because the loss of
     * a constant answer is flat without learning.
     */
    void plateaus(ToDoubleBiFunction<Double, Integer> trivial, Judgement judgement) {
        List<Integer> tests = testLengths();
        int last = tests.getLast();
        int before = tests.reversed().stream().skip(1).findFirst().orElseThrow();
        double[] slopes = new double[seeds()];
        int all = 0;
        int learned = 0;
        for (double parameter : parameters()) {
            for (int length : lengths(parameter)) {
                double[] far = losses(parameter, length, last);
                double[] near = losses(parameter, length, before);
                SeedMean limit = limit(parameter, length);
                judgement.measure(limit.measured("loss at " + last + ", " + name(parameter, length), UNIT));
                judgement.measure(SeedMean.ratio(far, near)
                        .measured("loss at " + last + " over that at " + before + ", " + name(parameter, length), ""));
                all++;
                if (limit.interval().high() < trivial.applyAsDouble(parameter, last)) {
                    learned++;
                    for (int seed = 0; seed < slopes.length; seed++) {
                        slopes[seed] += SeedMean.logRatio(far[seed], near[seed]) / Math.log((double) last / before);
                    }
                }
            }
        }
        if (learned > 0) {
            int lines = learned;
            Interval slope =
                    Interval.mean(Arrays.stream(slopes).map(sum -> sum / lines).toArray());
            String name = "c of loss ~ length^c over " + learned + " of " + all + " lines";
            judgement.measure(Measurement.middle(name, "", slope, slopes.length, null));
            judgement.within(
                    Judgement.text(name, "%.3f", slope.middle(), slope) + " within " + -FLAT_EXPONENT + " to "
                            + FLAT_EXPONENT,
                    slope,
                    -FLAT_EXPONENT,
                    FLAT_EXPONENT);
        }
    }

    void learned(ToDoubleBiFunction<Double, Integer> trivial, Judgement judgement) {
        int last = testLengths().getLast();
        for (double parameter : parameters()) {
            int longest = lengths(parameter).getLast();
            judgement.learned(
                    limit(parameter, longest).measured("plateau, " + name(parameter, longest), UNIT),
                    Side.BELOW,
                    List.of(new TrivialAnswer(
                            "always the mean, " + symbol + " = " + NumberSet.shown(parameter),
                            trivial.applyAsDouble(parameter, last))));
        }
    }

    /** The proportion of a parameter's runs that reached the training loss at which training stops. */
    Measurement trained(double parameter) {
        List<CellRecord> all = lengths(parameter).stream()
                .flatMap(length -> runs(parameter, length).stream())
                .toList();
        long done = all.stream()
                .filter(run -> !FigureCells.isDiverged(run))
                .filter(run -> run.measurement("steps").map(Measurement::value).orElse(0.0) < run.integer("steps"))
                .count();
        return Measurement.share(
                "runs that came to the training loss, " + symbol + " = " + NumberSet.shown(parameter), all.size(), (int)
                        done);
    }

    /** Judges "The value the test loss plateaus at decreases monotonically with training length". */
    void decreases(Judgement judgement) {
        for (double parameter : parameters()) {
            List<Integer> lengths = lengths(parameter);
            for (int i = 0; i < lengths.size(); i++) {
                SeedMean loss = limit(parameter, lengths.get(i));
                String name = name(parameter, lengths.get(i));
                judgement.measure(loss.measured("plateau, " + name, UNIT));
                if (i > 0) {
                    SeedMean shorter = limit(parameter, lengths.get(i - 1));
                    boolean rises = shorter.isSignificantlyBelow(loss);
                    judgement.add(
                            loss.text(name) + " not above " + shorter.text(name(parameter, lengths.get(i - 1))),
                            !rises,
                            rises);
                }
            }
            SeedMean first = limit(parameter, lengths.getFirst());
            SeedMean last = limit(parameter, lengths.getLast());
            judgement.below(name(parameter, lengths.getLast()), last, name(parameter, lengths.getFirst()), first);
        }
    }

    /**
     * The loss on SimpleTask of always answering the mean, 0: E sin²(omega z), z = (c_0 - c_1) / (c_0 + c_1). All
     * counts are equally likely. For m = c_0 + c_1, there are m + 1 values z = (2c - m) / m. The sum of cos(2 omega z)
     * over them is sin(x (m + 1)) / sin(x) with x = 2 omega / m.
     */
    static double simpleTask(double omega, int length) {
        // The term for m = 0, with z = 0.
        double cosines = 1;
        for (int m = 1; m <= length; m++) {
            double x = 2.0 * omega / m;
            cosines += Math.sin(x * (m + 1)) / Math.sin(x);
        }
        return (1 - cosines / ((length + 1.0) * (length + 2.0) / 2)) / 2;
    }

    /**
     * The loss on ModPTask of always answering the mean: the variance (m + 2) / (12 m) of k / m, where m is the number
     * of positions that are 0 mod p, and k is uniform from 0 to m.
     */
    static double modPTask(double period, int length) {
        double m = Math.floorDiv(length, (int) period);
        return (m + 2) / (12 * m);
    }

    /** The equally likely values of SimpleTask with sin(omega z). */
    static double[] simpleTaskValues(int omega, int length) {
        return IntStream.rangeClosed(0, length)
                .boxed()
                .flatMapToDouble(m ->
                        IntStream.rangeClosed(0, m).mapToDouble(c -> m == 0 ? 0 : Math.sin(omega * (2.0 * c - m) / m)))
                .toArray();
    }

    /** The equally likely values of ModPTask with k = 0. */
    static double[] modPTaskValues(int period, int length) {
        int m = length / period;
        return IntStream.rangeClosed(0, m)
                .mapToDouble(ones -> (double) ones / m)
                .toArray();
    }

    /** The maximum proportion of values that differ by at most {@code tolerance} from a constant answer. */
    static double right(double tolerance, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int most = 0;
        int first = 0;
        for (int last = 0; last < sorted.length; last++) {
            while (sorted[last] - sorted[first] > 2 * tolerance) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return (double) most / sorted.length;
    }
}
