package org.lemmata.claim.depth.figure;

import java.util.List;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.claim.depth.figure.SampleSizeRates.TrainingSet;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Richard (2024), figure 3 (right): what section 4.2 says of it. Rates are those of sampled completions, means over
 * seeds; "significantly" is where 95% intervals are apart.
 *
 * <p>At the reduced sizes models generalize more than the paper's: from 1,000 words of depth up to 4 on they complete
 * more than half of the prefixes of depth 13 and more, and those of 10 words of depth up to 8 a third. What is trained
 * on deeper words is then hardly better.
 */
public final class Figure3Right {

    /** "on top of the plot" is no number in the paper; that of its figure 3 (left) stands for it. */
    private static final double TOP = 0.95;

    /**
     * "large" is no number either; it is ours, and so is what "small" sets are, and that "very low" is below always
     * close.
     */
    private static final double LARGE = 0.5;

    private static final int FEW = 10;

    /** Whose cells figures 4 and 5 and table 1 look into, too. */
    static final FigureGrid GRID =
            new FigureGrid("depth.figure-3.right", Figure3Right.class, "figure-3-right.yaml").withMedium();

    private static final FigureSentences<SampleSizeRates> FIGURE = new FigureSentences<>(
            GRID.id(),
            new Source(Paper.DEPTH, "figure 3 (right), section 4.2"),
            GRID,
            new Sizes(
                    "completions at temperature 1 of 1,024 prefixes each of D_32, of the training words, and distinct"
                        + " ones of depth 13 and more, after training on distinct words of depth up to 4, 8 and 12; L"
                        + " = h = 4, 5 seeds",
                    "d = 1024, 10,000 steps, 1 to 10^7 words (all 7,174,454 of depth up to 4)",
                    "d = 128, 1 to 10^5 words",
                    "d = 64, 2,000 steps at a greater rate (1e-3), 1 to 10^5 words"),
            SampleSizeRates::of);

    static final FigureClaim IN_SAMPLE = FIGURE.claim(
            "in-sample",
            "They all appear on top of the plot as all models fit well to data and perform well at in-sample"
                    + " completion",
            "Every model completes at least 95% of the prefixes of its training words.",
            (rates, judgement) -> {
                rates.learnedInSample(judgement, List.of(rates.best(SampleSizeRates.IN_SAMPLE)));
                for (TrainingSet set : rates.sets()) {
                    SeedRate rate = rates.rate(set, SampleSizeRates.IN_SAMPLE);
                    judgement.measure("in sample, " + set, rate, Relation.AT_LEAST, TOP);
                    judgement.atLeast(set.toString(), rate, TOP);
                }
            });

    static final FigureClaim GAP = FIGURE.claim(
            "gap",
            "the gap between the dashed ... and the full lines ... for small values of the training set size are large",
            "Of models trained on 1 and 10 words, the rate in sample is significantly more than one half above that of"
                    + " prefixes of depth 13 and more.",
            (rates, judgement) -> {
                List<TrainingSet> small =
                        rates.sets().stream().filter(set -> set.words() <= FEW).toList();
                rates.learnedInSample(judgement, small);
                judgement.named(SampleSizeRates.trivial().getLast());
                for (TrainingSet set : small) {
                    SeedRate in = rates.rate(set, SampleSizeRates.IN_SAMPLE);
                    SeedRate out = rates.rate(set, SampleSizeRates.DEEPER);
                    judgement.measure("in sample, " + set, in);
                    judgement.measure("deeper, " + set, out);
                    judgement.add(
                            Judgement.text(set + ", deeper", out) + " + " + LARGE + " < "
                                    + Judgement.text("in sample", in),
                            out.interval().high() + LARGE < in.interval().low(),
                            out.interval().low() + LARGE > in.interval().high());
                }
            });

    static final FigureClaim SIZE = FIGURE.claim(
            "size",
            "the most successful large and greedy model perform well when they fit to a large training set",
            "Of words of depth up to 8, and up to 12, the largest training set gives a rate for prefixes of depth 13"
                    + " and more significantly above that of one word.",
            (rates, judgement) -> {
                rates.learnedDeeper(judgement);
                for (int depth : rates.depths().subList(1, rates.depths().size())) {
                    List<TrainingSet> sets = rates.sets(depth);
                    sets.forEach(set -> judgement.measure("deeper, " + set, rates.rate(set, SampleSizeRates.DEEPER)));
                    below(rates, judgement, sets.getFirst(), sets.getLast());
                }
                judgement.show(rates.picture(closedForm(judgement).value()));
            });

    static final FigureClaim SHALLOW = FIGURE.claim(
            "shallow",
            "q = 4 has very low out-of-sample accuracy on the deep test data, even when the number of training samples"
                    + " is large",
            "Models trained on words of depth up to 4 complete significantly fewer of the prefixes of depth 13 and more"
                    + " than ')' alone does, however many words they are trained on.",
            (rates, judgement) -> {
                List<TrainingSet> shallow = rates.sets(rates.depths().getFirst());
                rates.learnedInSample(judgement, shallow);
                TrivialAnswer closing = SampleSizeRates.trivial().getLast();
                judgement.named(closing);
                for (TrainingSet set : shallow) {
                    SeedRate rate = rates.rate(set, SampleSizeRates.DEEPER);
                    judgement.measure("deeper, " + set, rate, Relation.AT_MOST, closing.value());
                    judgement.below(
                            Judgement.text(set.toString(), rate), rate.interval(), closing.text(), closing.interval());
                }
            });

    static final FigureClaim DEPTH = FIGURE.claim(
            "depth",
            "generalization to deeper expressions is harder as the gap between training data depth and test data depth"
                    + " widens",
            "Of the largest training sets, each that is less deep gives a rate for prefixes of depth 13 and more"
                    + " significantly below that of the next deeper one.",
            (rates, judgement) -> {
                rates.learnedDeeper(judgement);
                List<TrainingSet> largest = rates.depths().stream()
                        .map(depth -> rates.sets(depth).getLast())
                        .toList();
                largest.forEach(set -> judgement.measure("deeper, " + set, rates.rate(set, SampleSizeRates.DEEPER)));
                for (int i = 1; i < largest.size(); i++) {
                    below(rates, judgement, largest.get(i - 1), largest.get(i));
                }
            });

    static final FigureClaim CLOSED_FORM = FIGURE.claim(
            "closed-form",
            "We empirically evaluate the closed-form model and record a 100% accuracy on this benchmark",
            "The closed form of one word completes all 1,024 prefixes of depth 13 and more; trained on one word, models"
                    + " complete significantly fewer.",
            (rates, judgement) -> {
                rates.learnedInSample(
                        judgement,
                        rates.depths().stream()
                                .map(depth -> rates.sets(depth).getFirst())
                                .toList());
                SeedRate rate = closedForm(judgement);
                judgement.measure("deeper, closed form", rate, Relation.AT_LEAST, 1);
                judgement.isOne("closed form", rate);
                for (int depth : rates.depths()) {
                    TrainingSet one = rates.sets(depth).getFirst();
                    SeedRate trained = rates.rate(one, SampleSizeRates.DEEPER);
                    judgement.measure("deeper, " + one, trained);
                    judgement.below(one.toString(), trained, "closed form", rate);
                }
            });

    /** Every sentence. */
    public static final List<FigureClaim> CLAIMS = List.of(IN_SAMPLE, GAP, SIZE, SHALLOW, DEPTH, CLOSED_FORM);

    private static void below(SampleSizeRates rates, Judgement judgement, TrainingSet lesser, TrainingSet greater) {
        judgement.below(
                lesser.toString(),
                rates.rate(lesser, SampleSizeRates.DEEPER),
                greater.toString(),
                rates.rate(greater, SampleSizeRates.DEEPER));
    }

    private static SeedRate closedForm(Judgement judgement) {
        judgement.drewFrom(ClosedFormCompletions.DEEP_SEED);
        return ClosedFormCompletions.deep(judgement.computation());
    }
}
