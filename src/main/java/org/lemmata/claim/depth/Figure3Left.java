package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Inequalities;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.depth.CompletionRates.Model;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Richard (2024), figure 3 (left): one constant for each thing that section 4.2 says of it. Rates are those of
 * completing prefixes deeper than the training words, greedily, means over seeds; "significantly" is where 95%
 * intervals are apart.
 */
public enum Figure3Left implements FigureClaim {
    /** "models' best performance grows with embedding dimension". */
    WIDTH(
            "width",
            "The best completion rate over layers and heads grows with the embedding dimension: that of the maximum is"
                + " significantly above that of the minimum, and none is significantly below that of the next smaller"
                + " one.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            List<Integer> widths = rates.widths();
            List<Model> best = widths.stream()
                    .map(width -> rates.best(model -> model.width() == width))
                    .toList();
            best.forEach(model -> measured.add(rates.rate(model).measured("best rate, " + model, null)));
            inequalities.below(
                    best.getFirst().toString(),
                    rates.rate(best.getFirst()),
                    best.getLast().toString(),
                    rates.rate(best.getLast()));
            for (int i = 1; i < best.size(); i++) {
                SeedRate smaller = rates.rate(best.get(i - 1));
                SeedRate greater = rates.rate(best.get(i));
                boolean decreases = greater.isSignificantlyBelow(smaller);
                inequalities.add(
                        Inequalities.text(best.get(i).toString(), greater) + " not below "
                                + Inequalities.text(best.get(i - 1).toString(), smaller),
                        !decreases,
                        decreases);
            }
        }
    },

    /** "gradient trained d = 2 models all perform poorly". */
    NARROW("narrow", "Trained models of dimension 2 all perform poorly: significantly below one half.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (Model model : rates.models(each -> each.width() == 2)) {
                SeedRate rate = rates.rate(model);
                measured.add(rate.measured("rate, " + model, new Reference(Relation.AT_MOST, POOR)));
                inequalities.add(
                        Inequalities.text(model.toString(), rate) + " < " + POOR,
                        rate.interval().high() < POOR,
                        rate.interval().low() > POOR);
            }
        }
    },

    /** "Large embedding models necessitate multiple layers and attention heads to perform well", increasingly. */
    LAYERS_AND_HEADS(
            "layers-and-heads",
            "At the maximum dimension one layer with one head is significantly below the best of several layers and"
                    + " heads, and by significantly more than at the minimum dimension.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            Gap minimum = Gap.at(rates, rates.widths().getFirst());
            Gap maximum = Gap.at(rates, rates.widths().getLast());
            for (Gap gap : List.of(minimum, maximum)) {
                measured.add(rates.rate(gap.single()).measured("rate, " + gap.single(), null));
                measured.add(rates.rate(gap.best()).measured("best rate, " + gap.best(), null));
            }
            inequalities.below(
                    maximum.single().toString(),
                    rates.rate(maximum.single()),
                    maximum.best().toString(),
                    rates.rate(maximum.best()));
            inequalities.add(
                    "gap " + minimum + " < gap " + maximum,
                    minimum.interval().high() < maximum.interval().low(),
                    maximum.interval().high() < minimum.interval().low());
        }
    },

    /** "the performance decay of the h = L = 1 models (connected with a dotted line)". */
    DECAY(
            "decay",
            "With one layer and one head, the rate decays with the dimension: at the largest one it is significantly"
                    + " below that of some smaller one.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            int maximum = rates.widths().getLast();
            rates.models(Model::isSingle)
                    .forEach(model -> measured.add(rates.rate(model).measured("rate, " + model, null)));
            Model last = rates.single(maximum);
            Model top = rates.best(model -> model.isSingle() && model.width() < maximum);
            inequalities.below(last.toString(), rates.rate(last), top.toString(), rates.rate(top));
        }
    },

    /** "Models with d >= 128 and h >= 2, L = 4 hit 95 + % accuracy". */
    ACCURACY("accuracy", "Models with d >= 128, h >= 2 and L = 4 complete at least 95% of the prefixes.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (Model model : rates.models(each -> each.width() >= 128 && each.heads() >= 2 && each.layers() == 4)) {
                SeedRate rate = rates.rate(model);
                measured.add(rate.measured("rate, " + model, new Reference(Relation.AT_LEAST, HIGH)));
                inequalities.add(
                        Inequalities.text(model.toString(), rate) + " >= " + HIGH,
                        rate.interval().low() >= HIGH,
                        rate.interval().high() < HIGH);
            }
        }
    },

    /** "the only model which reaches 100% accuracy is the closed-form model with d = h = L = 1". */
    CLOSED_FORM(
            "closed-form",
            "The closed form with d = h = L = 1 completes all of the 1,024 sampled prefixes, and no trained model"
                    + " does.") {
        @Override
        void judge(
                CompletionRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            SeedRate rate = closedForm.get();
            measured.add(rate.measured("rate of the closed form", new Reference(Relation.AT_LEAST, 1)));
            inequalities.add(Inequalities.text("closed form", rate) + " = 1", rate.value() == 1, rate.value() < 1);
            List<Model> models = rates.models(each -> true);
            long runs = 0;
            var perfect = new ArrayList<String>();
            for (Model model : models) {
                List<Measurement> ofModel = rates.runs().getOrDefault(model, List.of());
                runs += ofModel.size();
                long all = ofModel.stream().filter(run -> run.value() == 1).count();
                if (all > 0) {
                    perfect.add(all + " of " + ofModel.size() + " runs with " + model);
                }
            }
            measured.add(Measurement.exactAtMost(
                    "models with a run that completes all prefixes", perfect.size(), "models", models.size(), 0));
            inequalities.add(
                    perfect.isEmpty()
                            ? "none of " + runs + " trained runs completes all of its prefixes"
                            : "a trained run completes all of its prefixes: " + String.join(", ", perfect),
                    perfect.isEmpty(),
                    !perfect.isEmpty());
        }
    };

    /** "poorly" is no number in the paper; one half is ours. */
    private static final double POOR = 0.5;

    static final double HIGH = 0.95;

    private static final FigureGrid GRID =
            new FigureGrid("depth.figure-3.left", Figure3Left.class, "figure-3-left.yaml");

    private final String part;
    private final String statement;

    Figure3Left(String part, String statement) {
        this.part = part;
        this.statement = statement;
    }

    /** The difference between the best model of several layers and heads and that of one each, at a width. */
    private record Gap(Model single, Model best, double value, Interval interval) {

        static Gap at(CompletionRates rates, int width) {
            Model single = rates.single(width);
            Model best = rates.best(model -> model.width() == width && model.isMultiple());
            SeedRate a = rates.rate(single);
            SeedRate b = rates.rate(best);
            return new Gap(
                    single,
                    best,
                    b.value() - a.value(),
                    new Interval(
                            b.interval().low() - a.interval().high(),
                            b.interval().high() - a.interval().low()));
        }

        @Override
        public String toString() {
            return Inequalities.text("d = " + single.width(), new SeedRate(value, interval, 1));
        }
    }

    @Override
    public String id() {
        return GRID.id() + "." + part;
    }

    @Override
    public Source source() {
        return new Source(Paper.DEPTH, "figure 3 (left), section 4.2");
    }

    /**
     * At the reduced sizes one layer with one head already completes everything from d = 16 on: nothing is left for
     * layers and heads to add, and nothing decays; and trained runs reach 100%, too. That is so of greedy completions;
     * the paper's seem to be sampled (table 1), where a model has to be sure of each bracket.
     */
    @Override
    public String expected(Budget sizes) {
        if (sizes == Budget.FULL) {
            return expected();
        }
        return switch (this) {
            case WIDTH, NARROW, ACCURACY -> expected();
            case LAYERS_AND_HEADS, DECAY -> "Inconclusive";
            case CLOSED_FORM -> "Refuted";
        };
    }

    @Override
    public String statement() {
        return statement;
    }

    @Override
    public FigureGrid grid() {
        return GRID;
    }

    @Override
    public String range(Budget budget) {
        String prefixes =
                "greedy completions of 1,024 prefixes of D_32 of depth 9 and more, drawn for each run, after training"
                        + " on words of depth up to 8; 1, 2 and 4 layers and heads, 5 seeds; ";
        return prefixes
                + (budget == Budget.FULL
                        ? "the paper's sizes: d = 2, 16, 128, 512, 1024, 10,000 steps"
                        : "reduced: d = 2, 16, 128, 500 steps at a greater rate (1e-3)");
    }

    @Override
    public Finding judge(FigureCells cells, Computation computation) {
        CompletionRates rates = CompletionRates.of(cells);
        Supplier<SeedRate> closedForm = () -> ClosedFormCompletions.rate(computation);
        var inequalities = new Inequalities();
        var measured = new ArrayList<Measurement>();
        judge(rates, closedForm, inequalities, measured);
        List<Figure> figures = this == WIDTH
                ? List.of(rates.picture(closedForm.get().value(), ClosedFormCompletions.PARAMETERS))
                : List.of();
        List<Long> seeds = showsClosedForm()
                ? Stream.concat(cells.seeds().stream(), Stream.of(ClosedFormCompletions.SEED))
                        .toList()
                : cells.seeds();
        return new Finding(inequalities.verdict(), measured, seeds, figures);
    }

    /** Whether the closed form is run, too: for the sentence on it, and for the picture. */
    private boolean showsClosedForm() {
        return this == CLOSED_FORM || this == WIDTH;
    }

    /**
     * Adds the inequalities of one sentence, and the figures on their sides.
     *
     * @param closedForm its rate, computed when it is asked for
     */
    abstract void judge(
            CompletionRates rates,
            Supplier<SeedRate> closedForm,
            Inequalities inequalities,
            List<Measurement> measured);
}
