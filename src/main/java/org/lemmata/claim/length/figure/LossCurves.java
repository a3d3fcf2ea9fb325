package org.lemmata.claim.length.figure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
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
 * The runs of figure 1 or 2: the test loss at some lengths, by a parameter of the task and by training length.
 *
 * @param symbol of the parameter: omega, p
 * @param runs by its value and by training length, one a seed, seeds ascending
 * @param testLengths the lengths whose losses are looked at, ascending; the loss at the maximum is the plateau's
 */
record LossCurves(
        String symbol, SortedMap<Double, SortedMap<Integer, List<CellRecord>>> runs, List<Integer> testLengths) {

    private static final String LOSS = "lengths.";
    private static final String UNIT = "squared error";

    /** Of a run that diverged: more than that of an answer that is always 0. */
    private static final double LOST = 1;

    /**
     * "plateaus" has no figure in the paper; a loss that grows or falls as length^(1/4) at most is ours: by a factor of
     * sqrt(2) where the length grows fourfold.
     */
    static final double FLAT_EXPONENT = 0.25;

    /** The runs of a grid, by one of its settings, at every length that a loss was measured at. */
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

    /** The same runs at some of the test lengths. */
    LossCurves at(IntPredicate testLength) {
        return new LossCurves(
                symbol, runs, testLengths.stream().filter(testLength::test).toList());
    }

    List<Double> parameters() {
        return List.copyOf(runs.keySet());
    }

    /** The training lengths of a parameter, ascending. */
    List<Integer> lengths(double parameter) {
        return List.copyOf(runs(parameter).keySet());
    }

    private SortedMap<Integer, List<CellRecord>> runs(double parameter) {
        return runs.getOrDefault(parameter, new TreeMap<>());
    }

    List<CellRecord> runs(double parameter, int length) {
        return runs(parameter).getOrDefault(length, List.of());
    }

    int seeds() {
        return runs.values().stream()
                .flatMap(byLength -> byLength.values().stream())
                .mapToInt(List::size)
                .min()
                .orElse(0);
    }

    /** The loss at a test length of each seed. */
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

    /** The same, of some of the seeds, as a logarithm. */
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
     * "For fixed training length, as test length increases, the test loss plateaus at a finite value": c of loss ~
     * length^c between the two largest test lengths, one for each seed, over the lines whose plateau is significantly
     * below the loss of a constant answer, which is flat without learning.
     */
    void plateaus(ConstantAnswer.Loss trivial, Judgement judgement) {
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
                if (limit.interval().high() < trivial.of(parameter, last)) {
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
            double mean = (slope.low() + slope.high()) / 2;
            judgement.measure(new Measurement(name, mean, "", slope, slopes.length, null));
            judgement.within(
                    Judgement.text(name, "%.3f", mean, slope) + " within " + -FLAT_EXPONENT + " to " + FLAT_EXPONENT,
                    slope,
                    -FLAT_EXPONENT,
                    FLAT_EXPONENT);
        }
    }

    /** Asks of each parameter's models of the longest training length that they beat a constant answer. */
    void learned(ConstantAnswer.Loss trivial, Judgement judgement) {
        int last = testLengths().getLast();
        for (double parameter : parameters()) {
            int longest = lengths(parameter).getLast();
            judgement.learned(
                    limit(parameter, longest).measured("plateau, " + name(parameter, longest), UNIT),
                    Side.BELOW,
                    List.of(new TrivialAnswer(
                            "always the mean, " + symbol + " = " + NumberSet.shown(parameter),
                            trivial.of(parameter, last))));
        }
    }

    /** Which share of a parameter's runs came to the training loss at which they stop. */
    Measurement trained(double parameter) {
        List<CellRecord> all = lengths(parameter).stream()
                .flatMap(length -> runs(parameter, length).stream())
                .toList();
        long done = all.stream()
                .filter(run -> FigureCells.value(run, "steps", 0) < run.integer("steps"))
                .count();
        return Measurement.share(
                "runs that came to the training loss, " + symbol + " = " + NumberSet.shown(parameter), all.size(), (int)
                        done);
    }

    /** "The value the test loss plateaus at decreases monotonically with training length". */
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
}
