package org.lemmata.claim.length.figure;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;

/**
 * Beyond the papers: how a task generalizes in length, as the share of right answers at test length T of models of one
 * and of two layers, trained to a shorter and to a longer N, and of closed forms, which are measured in the same way.
 * All such claims have one kind of picture, so that tasks can be seen side by side. "Significantly" is where 95%
 * intervals are apart.
 */
abstract class LengthComparison implements FigureClaim {

    /** Of most answers; the papers have no figure. */
    static final double MOST = 0.9;

    /** What closed forms answer is drawn from it. */
    static final long SEED = 5_301;

    /** Sequences or prefixes of each length that a closed form answers. */
    static final int CASES = 128;

    private final FigureGrid grid;
    private final String title;

    /**
     * @param task as the id ends
     * @param title of the picture: the task, and its N
     */
    LengthComparison(String task, String title) {
        this.grid = new FigureGrid("length.comparison." + task, LengthComparison.class, "comparison-" + task + ".yaml");
        this.title = title;
    }

    /** Where the cells have their shares. */
    abstract ShareCurve.CellShares shares();

    /**
     * The closed forms at some lengths.
     *
     * @param lengths T, ascending, from N on
     */
    abstract List<ShareCurve> closedForms(List<Integer> lengths, Computation computation);

    /** What answers without learning reach at a length. */
    abstract List<TrivialAnswer> trivial(int length);

    /** Adds what the claim says. */
    abstract void judge(List<ShareCurve> trained, List<ShareCurve> closedForms, Judgement judgement);

    /** What a right answer is, in a sentence. */
    abstract String right();

    @Override
    public FigureGrid grid() {
        return grid;
    }

    @Override
    public String paper() {
        return "nothing: beyond the paper";
    }

    @Override
    public void judge(FigureCells cells, Judgement judgement) {
        List<ShareCurve> trained = ShareCurve.trained(cells.records(), shares());
        List<Integer> lengths = trained.stream()
                .max(Comparator.comparingInt(ShareCurve::length))
                .map(longer ->
                        List.copyOf(longer.shares().tailMap(longer.length()).keySet()))
                .orElseThrow();
        List<ShareCurve> closedForms = closedForms(lengths, judgement.computation());
        judgement.drewFrom(SEED);
        // What is trained has to learn its own length; how it does at others is what is asked.
        for (ShareCurve curve : trained) {
            judgement.learned(curve.nameAt(curve.length()), curve.at(curve.length()), trivial(curve.length()));
        }
        judge(trained, closedForms, judgement);
        List<ShareCurve> all =
                Stream.of(closedForms, trained).flatMap(List::stream).toList();
        all.stream().flatMap(curve -> curve.measured().stream()).forEach(judgement::measure);
        // Of one name in the pictures of all tasks.
        double share = TrivialAnswer.best(trivial(lengths.getFirst())).value();
        judgement.show(picture(all, new TrivialAnswer("the best at T = N", share)));
    }

    private Figure picture(List<ShareCurve> curves, TrivialAnswer trivial) {
        return new Figure(
                title,
                right()
                        + " Means over seeds, by test length T over the N that a model was trained to; a closed form,"
                        + " and what takes no learning at T = N, are compared with the longer N.",
                "log2 of T / N",
                "share of right answers",
                Stream.concat(curves.stream().map(ShareCurve::series), Stream.of(trivial.line(0, 0)))
                        .toList());
    }

    /** That most answers are right at a test length. */
    static void most(ShareCurve curve, int testLength, Judgement judgement) {
        SeedRate share = curve.at(testLength);
        judgement.atLeast(curve.nameAt(testLength), share, MOST);
    }

    /** That all answers are right at each test length, of those that were drawn. */
    static void all(ShareCurve curve, Judgement judgement) {
        boolean holds = curve.shares().values().stream().allMatch(share -> share.value() == 1);
        judgement.add(curve.name() + ": all right at T = " + curve.shares().keySet(), holds, !holds);
    }

    /**
     * The curve of a closed form.
     *
     * @param right how many of {@link #CASES} answers at a length are right
     */
    static ShareCurve closedForm(String name, List<Integer> lengths, IntUnaryOperator right) {
        SortedMap<Integer, SeedRate> shares = new TreeMap<>();
        for (int testLength : lengths) {
            shares.put(testLength, SeedRate.of(CASES, right.applyAsInt(testLength)));
        }
        return new ShareCurve(name, lengths.getFirst(), shares);
    }
}
