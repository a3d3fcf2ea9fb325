package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Beyond the papers: the length generalization of a task, measured as the proportion of right answers at test length T.
 * Models with one and with two layers are trained on lengths up to a shorter or a longer N. Closed forms are measured
 * in the same way. All these claims have the same kind of plot, so that readers can compare tasks. "Significantly"
 * refers to 95% intervals.
 *
 * @param title the title of the plot: the task and its N
 * @param right a sentence that defines a right answer
 * @param shares describes where a cell stores its proportions of right answers
 * @param trivial the scores of trivial baselines at a length
 * @param closedForms measures the closed forms at increasing lengths T >= N
 * @param judge adds the claim's inequalities
 */
record LengthComparison(
        String title,
        String right,
        ShareCurve.CellShares shares,
        IntFunction<List<TrivialAnswer>> trivial,
        BiFunction<List<Integer>, Computation, List<ShareCurve>> closedForms,
        Judge judge) {

    /** Our reading of "most answers"; the papers give no number. */
    static final double MOST = 0.9;

    static final long SEED = 5_301;

    static final int CASES = 128;

    interface Judge {
        void judge(List<ShareCurve> trained, List<ShareCurve> closedForms, Judgement judgement);
    }

    /**
     * Creates the claim.
     *
     * @param task the end of the claim's id
     * @param place the place in the paper that the claim extends
     * @param sizes the sizes of the cells
     * @param text the tested sentence
     */
    FigureClaim claim(String task, String place, String sizes, String text) {
        String id = "length.comparison." + task;
        var grid = new FigureGrid(id, LengthComparison.class, "comparison-" + task + ".yaml");
        return new FigureSentences<>("length.comparison", place, grid, sizes, cells -> cells)
                .claim(task, "makes no such statement; it is ours", text, this::judge);
    }

    private void judge(FigureCells cells, Judgement judgement) {
        List<ShareCurve> trained = ShareCurve.trained(cells.records(), shares);
        List<Integer> lengths = trained.stream()
                .max(Comparator.comparingInt(ShareCurve::length))
                .map(longer ->
                        List.copyOf(longer.shares().tailMap(longer.length()).keySet()))
                .orElseThrow();
        List<ShareCurve> built = closedForms.apply(lengths, judgement.computation());
        judgement.drewFrom(SEED);
        // Results at other lengths count only if models have learned their own training length.
        for (ShareCurve curve : trained) {
            judgement.learned(curve.nameAt(curve.length()), curve.at(curve.length()), trivial.apply(curve.length()));
        }
        judge.judge(trained, built, judgement);
        List<ShareCurve> all = Stream.of(built, trained).flatMap(List::stream).toList();
        all.stream().flatMap(curve -> curve.measured().stream()).forEach(judgement::measure);
        // The plots of all tasks use the same name for this score.
        double share = TrivialAnswer.best(trivial.apply(lengths.getFirst())).value();
        TrivialAnswer best = new TrivialAnswer("the best at T = N", share);
        judgement.show(new Figure(
                title,
                right
                        + " Means over seeds, by test length T over the N that a model was trained to; a closed form,"
                        + " and what takes no learning at T = N, are compared with the longer N.",
                "log2 of T / N",
                "share of right answers",
                Stream.concat(all.stream().map(ShareCurve::series), Stream.of(best.line(0, 0)))
                        .toList()));
    }

    /** Requires that the rate at the maximum test length is significantly below the rate at N. */
    static void falls(ShareCurve curve, Judgement judgement) {
        int last = curve.shares().lastKey();
        judgement.below(curve.nameAt(last), curve.at(last), curve.nameAt(curve.length()), curve.at(curve.length()));
    }

    static void most(ShareCurve curve, int testLength, Judgement judgement) {
        SeedRate share = curve.at(testLength);
        judgement.atLeast(curve.nameAt(testLength), share, MOST);
    }

    static void all(ShareCurve curve, Judgement judgement) {
        boolean holds = curve.shares().values().stream().allMatch(share -> share.value() == 1);
        judgement.add(curve.name() + ": all right at T = " + curve.shares().keySet(), holds, !holds);
    }

    /**
     * The curve of a closed form.
     *
     * @param right gives the number of right answers among {@link #CASES} at a length
     */
    static ShareCurve closedForm(String name, List<Integer> lengths, IntUnaryOperator right) {
        SortedMap<Integer, SeedRate> shares = new TreeMap<>();
        for (int testLength : lengths) {
            shares.put(testLength, SeedRate.of(CASES, right.applyAsInt(testLength)));
        }
        return new ShareCurve(name, lengths.getFirst(), shares);
    }

    /**
     * The share of right answers by test length.
     *
     * @param name the name of the models, such as "1 layer, shorter N"
     * @param length N: the training length; for closed forms, the longer one
     * @param shares the rates by test length T, over seeds
     */
    record ShareCurve(String name, int length, SortedMap<Integer, SeedRate> shares) {

        /**
         * Describes where a cell stores the rate at a test length T.
         *
         * @param prefix the beginning of the measurement's name, before T
         * @param lengths the key for the list of test lengths
         * @param cases the key for the number of cases per T
         * @param length the training length of a cell
         */
        record CellShares(String prefix, String lengths, String cases, ToIntFunction<CellRecord> length) {

            private List<Integer> testLengths(CellRecord record) {
                return IntStream.iterate(0, i -> record.settings().containsKey(lengths + "." + i), i -> i + 1)
                        .mapToObj(i -> record.integer(lengths + "." + i))
                        .toList();
            }
        }

        /**
         * The curves of trained models, ordered by layers, then by training length.
         *
         * @param records the records; they have two training lengths and equal test lengths
         */
        static List<ShareCurve> trained(List<CellRecord> records, CellShares cellShares) {
            List<Integer> testLengths = cellShares.testLengths(records.getFirst());
            var curves = new ArrayList<ShareCurve>();
            FigureCells.by(records, record -> record.integer("model.layers")).forEach((layers, ofLayers) -> {
                SortedMap<Integer, List<CellRecord>> byLength = FigureCells.by(ofLayers, cellShares.length::applyAsInt);
                byLength.forEach((length, runs) -> {
                    var shares = new TreeMap<Integer, SeedRate>();
                    testLengths.forEach(testLength -> shares.put(
                            testLength, SeedRate.of(runs, cellShares.prefix + testLength, cellShares.cases)));
                    String name = layers
                            + (layers == 1 ? " layer, " : " layers, ")
                            + (length < byLength.lastKey() ? "shorter N" : "longer N");
                    curves.add(new ShareCurve(name, length, shares));
                });
            });
            return curves;
        }

        SeedRate at(int testLength) {
            SeedRate share = shares.get(testLength);
            if (share == null) {
                throw new NoSuchElementException("no test length " + testLength + " in " + shares.keySet());
            }
            return share;
        }

        String nameAt(int testLength) {
            return name + ", N = " + length + ", T = " + testLength;
        }

        List<Measurement> measured() {
            return shares.tailMap(length).entrySet().stream()
                    .map(entry -> entry.getValue().measured(nameAt(entry.getKey()), null))
                    .toList();
        }

        Series series() {
            SortedMap<Integer, SeedRate> beyond = shares.tailMap(length);
            return SeedRate.line(
                    name, beyond.entrySet(), share -> Figure.log2(1.0 * share.getKey() / length), Map.Entry::getValue);
        }
    }
}
