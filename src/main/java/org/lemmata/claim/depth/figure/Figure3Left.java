package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.depth.figure.CompletionRates.Model;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 3 (left): what section 4.2 says of it. Rates are those of completing prefixes deeper than the
 * training words, at temperature 1 where cells have that, means over seeds; "significantly" is where 95% intervals are
 * apart.
 *
 * <p>The paper does not say how brackets are taken; its completions seem to be sampled (table 1), where a model has to
 * be sure of each bracket. Greedy completions, shown beside, are all balanced from d = 16 on, at the paper's 10,000
 * steps, too: they leave nothing for layers and heads to add, nothing decays, and of them alone (at the reduced sizes)
 * these sentences are left open.
 */
public final class Figure3Left {

    /** "poorly" is no number in the paper; one half is ours. */
    private static final double POOR = 0.5;

    static final double HIGH = 0.95;

    private static final FigureGrid GRID =
            new FigureGrid("depth.figure-3.left", Figure3Left.class, "figure-3-left.yaml").withMedium();

    private static final FigureSentences<CompletionRates> FIGURE = new FigureSentences<>(
            GRID.id(),
            new Source(Paper.DEPTH, "figure 3 (left), section 4.2"),
            GRID,
            new Sizes(
                    "completions, at temperature 1 where cells have that, else greedy, of 1,024 prefixes of D_32 of"
                        + " depth 9 and more, drawn for each run, after training on words of depth up to 8; 1, 2 and 4"
                        + " layers and heads, 5 seeds",
                    "d = 2, 16, 128, 512, 1024, 10,000 steps",
                    "d = 2, 16, 128",
                    "d = 2, 16, 128, 500 steps at a greater rate (1e-3)"),
            CompletionRates::of);

    static final FigureClaim WIDTH = FIGURE.claim(
            "width",
            "models' best performance grows with embedding dimension",
            "The best completion rate over layers and heads grows with the embedding dimension: that of the maximum is"
                + " significantly above that of the minimum, and none is significantly below that of the next smaller"
                + " one.",
            (rates, judgement) -> {
                rates.learned(judgement);
                List<Integer> widths = rates.widths();
                List<Model> best = widths.stream()
                        .map(width -> rates.best(model -> model.width() == width))
                        .toList();
                best.forEach(model -> rates.measure(judgement, "best rate", model));
                judgement.grows(
                        best.stream().map(Model::toString).toList(),
                        best.stream().map(rates::rate).toList());
                judgement.show(rates.picture(closedForm(judgement).value(), ClosedFormCompletions.PARAMETERS));
            });

    static final FigureClaim NARROW = FIGURE.claim(
            "narrow",
            "gradient trained d = 2 models all perform poorly",
            "Trained models of dimension 2 all perform poorly: significantly below one half.",
            (rates, judgement) -> {
                rates.learned(judgement);
                for (Model model : rates.models(each -> each.width() == 2)) {
                    SeedRate rate = rates.rate(model);
                    judgement.measure("rate, " + model, rate, Relation.AT_MOST, POOR);
                    judgement.below(model.toString(), rate, POOR);
                }
            });

    static final FigureClaim LAYERS_AND_HEADS = FIGURE.claim(
            "layers-and-heads",
            "\"Large embedding models necessitate multiple layers and attention heads to perform well\", increasingly.",
            "At the maximum dimension one layer with one head is significantly below the best of several layers and"
                    + " heads, and by significantly more than at the minimum dimension.",
            (rates, judgement) -> {
                rates.learned(judgement);
                Gap minimum = Gap.at(rates, rates.widths().getFirst());
                Gap maximum = Gap.at(rates, rates.widths().getLast());
                for (Gap gap : List.of(minimum, maximum)) {
                    rates.measure(judgement, "rate", gap.single());
                    rates.measure(judgement, "best rate", gap.best());
                }
                if (rates.isOpen(judgement)) {
                    return;
                }
                below(rates, judgement, maximum.single(), maximum.best());
                judgement.below("gap " + minimum, minimum.interval(), "gap " + maximum, maximum.interval());
            });

    static final FigureClaim DECAY = FIGURE.claim(
            "decay",
            "the performance decay of the h = L = 1 models (connected with a dotted line)",
            "With one layer and one head, the rate decays with the dimension: at the largest one it is significantly"
                    + " below that of some smaller one.",
            (rates, judgement) -> {
                rates.learned(judgement);
                int maximum = rates.widths().getLast();
                rates.models(Model::isSingle).forEach(model -> rates.measure(judgement, "rate", model));
                if (rates.isOpen(judgement)) {
                    return;
                }
                Model last = rates.single(maximum);
                Model top = rates.best(model -> model.isSingle() && model.width() < maximum);
                below(rates, judgement, last, top);
            });

    static final FigureClaim ACCURACY = FIGURE.claim(
            "accuracy",
            "Models with d >= 128 and h >= 2, L = 4 hit 95 + % accuracy",
            "Models with d >= 128, h >= 2 and L = 4 complete at least 95% of the prefixes.",
            (rates, judgement) -> {
                rates.learned(judgement);
                for (Model model :
                        rates.models(each -> each.width() >= 128 && each.heads() >= 2 && each.layers() == 4)) {
                    SeedRate rate = rates.rate(model);
                    judgement.measure("rate, " + model, rate, Relation.AT_LEAST, HIGH);
                    judgement.atLeast(model.toString(), rate, HIGH);
                }
            });

    static final FigureClaim CLOSED_FORM = FIGURE.claim(
            "closed-form",
            "the only model which reaches 100% accuracy is the closed-form model with d = h = L = 1",
            "The closed form with d = h = L = 1 completes all of the 1,024 sampled prefixes, and no trained model"
                    + " does.",
            (rates, judgement) -> {
                rates.learned(judgement);
                SeedRate rate = closedForm(judgement);
                judgement.measure("rate of the closed form", rate, Relation.AT_LEAST, 1);
                judgement.isOne("closed form", rate);
                List<Model> models = rates.models(each -> true);
                long runs = 0;
                var perfect = new ArrayList<String>();
                for (Model model : models) {
                    List<CellRecord> ofModel = rates.runs().getOrDefault(model, List.of());
                    runs += ofModel.size();
                    long all = ofModel.stream()
                            .filter(run -> FigureCells.value(run, rates.kind(), 0) == 1)
                            .count();
                    if (all > 0) {
                        perfect.add(all + " of " + ofModel.size() + " runs with " + model);
                    }
                }
                judgement.measure(Measurement.exactAtMost(
                        "models with a run that completes all prefixes", perfect.size(), "models", models.size(), 0));
                if (rates.isOpen(judgement)) {
                    return;
                }
                judgement.add(
                        perfect.isEmpty()
                                ? "none of " + runs + " trained runs completes all of its prefixes"
                                : "a trained run completes all of its prefixes: " + String.join(", ", perfect),
                        perfect.isEmpty(),
                        !perfect.isEmpty());
            });

    /** Every sentence. */
    public static final List<FigureClaim> CLAIMS =
            List.of(WIDTH, NARROW, LAYERS_AND_HEADS, DECAY, ACCURACY, CLOSED_FORM);

    /** The difference between the best model of several layers and heads and that of one each, at a width. */
    private record Gap(Model single, Model best, double value, Interval interval) {

        static Gap at(CompletionRates rates, int width) {
            Model single = rates.single(width);
            Model best = rates.best(model -> model.width() == width && model.isMultiple());
            SeedRate a = rates.rate(single);
            SeedRate b = rates.rate(best);
            var interval = new Interval(
                    b.interval().low() - a.interval().high(),
                    b.interval().high() - a.interval().low());
            return new Gap(single, best, b.value() - a.value(), interval);
        }

        @Override
        public String toString() {
            return Judgement.text("d = " + single.width(), "%.3f", value, interval);
        }
    }

    private static void below(CompletionRates rates, Judgement judgement, Model lesser, Model greater) {
        judgement.below(lesser.toString(), rates.rate(lesser), greater.toString(), rates.rate(greater));
    }

    private static SeedRate closedForm(Judgement judgement) {
        judgement.drewFrom(ClosedFormCompletions.DEEPER_SEED);
        return ClosedFormCompletions.deeper(judgement.computation());
    }
}
