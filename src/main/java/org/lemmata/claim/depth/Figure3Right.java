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
import org.lemmata.claim.depth.SampleSizeRates.TrainingSet;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Richard (2024), figure 3 (right): one constant for each thing that section 4.2 says of it. Rates are those of sampled
 * completions, means over seeds; "significantly" is where 95% intervals are apart.
 */
public enum Figure3Right implements FigureClaim {
    /** "They all appear on top of the plot as all models fit well to data and perform well at in-sample completion". */
    IN_SAMPLE("in-sample", "Every model completes at least 95% of the prefixes of its training words.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (TrainingSet set : rates.sets()) {
                SeedRate rate = rates.rate(set, SampleSizeRates.IN_SAMPLE);
                measured.add(rate.measured("in sample, " + set, new Reference(Relation.AT_LEAST, TOP)));
                inequalities.add(
                        Inequalities.text(set.toString(), rate) + " >= " + TOP,
                        rate.interval().low() >= TOP,
                        rate.interval().high() < TOP);
            }
        }
    },

    /** "the gap between the dashed ... and the full lines ... for small values of the training set size are large". */
    GAP(
            "gap",
            "Of models trained on 1 and 10 words, the rate in sample is significantly more than one half above that of"
                    + " prefixes of depth 13 and more.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (TrainingSet set : rates.sets()) {
                if (set.words() > FEW) {
                    continue;
                }
                SeedRate in = rates.rate(set, SampleSizeRates.IN_SAMPLE);
                SeedRate out = rates.rate(set, SampleSizeRates.DEEPER);
                measured.add(in.measured("in sample, " + set, null));
                measured.add(out.measured("deeper, " + set, null));
                inequalities.add(
                        Inequalities.text(set + ", deeper", out) + " + " + LARGE + " < "
                                + Inequalities.text("in sample", in),
                        out.interval().high() + LARGE < in.interval().low(),
                        out.interval().low() + LARGE > in.interval().high());
            }
        }
    },

    /** "the most successful large and greedy model perform well when they fit to a large training set". */
    SIZE(
            "size",
            "Of words of depth up to 8, and up to 12, the largest training set gives a rate for prefixes of depth 13"
                    + " and more significantly above that of one word.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (int depth : rates.depths().subList(1, rates.depths().size())) {
                List<TrainingSet> sets = rates.sets(depth);
                sets.forEach(set ->
                        measured.add(rates.rate(set, SampleSizeRates.DEEPER).measured("deeper, " + set, null)));
                inequalities.below(
                        sets.getFirst().toString(),
                        rates.rate(sets.getFirst(), SampleSizeRates.DEEPER),
                        sets.getLast().toString(),
                        rates.rate(sets.getLast(), SampleSizeRates.DEEPER));
            }
        }
    },

    /**
     * "q = 4 has very low out-of-sample accuracy on the deep test data, even when the number of training samples is
     * large".
     */
    SHALLOW(
            "shallow",
            "Models trained on words of depth up to 4 complete significantly less than a quarter of the prefixes of"
                    + " depth 13 and more, however many words they are trained on.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            for (TrainingSet set : rates.sets(rates.depths().getFirst())) {
                SeedRate rate = rates.rate(set, SampleSizeRates.DEEPER);
                measured.add(rate.measured("deeper, " + set, new Reference(Relation.AT_MOST, VERY_LOW)));
                inequalities.add(
                        Inequalities.text(set.toString(), rate) + " < " + VERY_LOW,
                        rate.interval().high() < VERY_LOW,
                        rate.interval().low() > VERY_LOW);
            }
        }
    },

    /**
     * "generalization to deeper expressions is harder as the gap between training data depth and test data depth
     * widens".
     */
    DEPTH(
            "depth",
            "Of the largest training sets, each that is less deep gives a rate for prefixes of depth 13 and more"
                    + " significantly below that of the next deeper one.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            List<TrainingSet> largest = rates.depths().stream()
                    .map(depth -> rates.sets(depth).getLast())
                    .toList();
            largest.forEach(
                    set -> measured.add(rates.rate(set, SampleSizeRates.DEEPER).measured("deeper, " + set, null)));
            for (int i = 1; i < largest.size(); i++) {
                inequalities.below(
                        largest.get(i - 1).toString(),
                        rates.rate(largest.get(i - 1), SampleSizeRates.DEEPER),
                        largest.get(i).toString(),
                        rates.rate(largest.get(i), SampleSizeRates.DEEPER));
            }
        }
    },

    /** "We empirically evaluate the closed-form model and record a 100% accuracy on this benchmark". */
    CLOSED_FORM(
            "closed-form",
            "The closed form of one word completes all 1,024 prefixes of depth 13 and more; trained on one word, models"
                    + " complete significantly fewer.") {
        @Override
        void judge(
                SampleSizeRates rates,
                Supplier<SeedRate> closedForm,
                Inequalities inequalities,
                List<Measurement> measured) {
            SeedRate rate = closedForm.get();
            measured.add(rate.measured("deeper, closed form", new Reference(Relation.AT_LEAST, 1)));
            inequalities.add(Inequalities.text("closed form", rate) + " = 1", rate.value() == 1, rate.value() < 1);
            for (int depth : rates.depths()) {
                TrainingSet one = rates.sets(depth).getFirst();
                SeedRate trained = rates.rate(one, SampleSizeRates.DEEPER);
                measured.add(trained.measured("deeper, " + one, null));
                inequalities.below(one.toString(), trained, "closed form", rate);
            }
        }
    };

    /** "on top of the plot" is no number in the paper; that of its figure 3 (left) stands for it. */
    private static final double TOP = 0.95;

    /** "large" and "very low" are no numbers either; these are ours, and so is what "small" sets are. */
    private static final double LARGE = 0.5;

    private static final double VERY_LOW = 0.25;
    private static final int FEW = 10;

    /** Whose cells figures 4 and 5 and table 1 look into, too. */
    static final FigureGrid GRID = new FigureGrid("depth.figure-3.right", Figure3Right.class, "figure-3-right.yaml");

    private final String part;
    private final String statement;

    Figure3Right(String part, String statement) {
        this.part = part;
        this.statement = statement;
    }

    @Override
    public String id() {
        return GRID.id() + "." + part;
    }

    @Override
    public Source source() {
        return new Source(Paper.DEPTH, "figure 3 (right), section 4.2");
    }

    /**
     * At the reduced sizes models generalize more than the paper's: from 1,000 words of depth up to 4 on they complete
     * more than half of the prefixes of depth 13 and more, and those of 10 words of depth up to 8 a third. What is
     * trained on deeper words is then hardly better.
     */
    @Override
    public String expected(Budget sizes) {
        if (sizes == Budget.FULL) {
            return expected();
        }
        return switch (this) {
            case IN_SAMPLE, SIZE, CLOSED_FORM -> expected();
            case GAP, DEPTH -> "Inconclusive";
            case SHALLOW -> "Refuted";
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
                "completions at temperature 1 of 1,024 prefixes each of D_32, of the training words, and distinct ones"
                    + " of depth 13 and more, after training on distinct words of depth up to 4, 8 and 12; L = h = 4,"
                    + " 5 seeds; ";
        return prefixes
                + (budget == Budget.FULL
                        ? "the paper's sizes: d = 1024, 10,000 steps, 1 to 10^7 words (all 7,174,454 of depth up to 4)"
                        : "reduced: d = 64, 2,000 steps at a greater rate (1e-3), 1 to 10^5 words");
    }

    @Override
    public Finding judge(FigureCells cells, Computation computation) {
        SampleSizeRates rates = SampleSizeRates.of(cells);
        Supplier<SeedRate> closedForm = () -> ClosedFormDeepCompletions.rate(computation);
        var inequalities = new Inequalities();
        var measured = new ArrayList<Measurement>();
        judge(rates, closedForm, inequalities, measured);
        List<Figure> figures =
                this == SIZE ? List.of(rates.picture(closedForm.get().value())) : List.of();
        List<Long> seeds = this == CLOSED_FORM || this == SIZE
                ? Stream.concat(cells.seeds().stream(), Stream.of(ClosedFormDeepCompletions.SEED))
                        .toList()
                : cells.seeds();
        return new Finding(inequalities.verdict(), measured, seeds, figures);
    }

    /**
     * Adds the inequalities of one sentence, and the figures on their sides.
     *
     * @param closedForm its rate, computed when it is asked for
     */
    abstract void judge(
            SampleSizeRates rates,
            Supplier<SeedRate> closedForm,
            Inequalities inequalities,
            List<Measurement> measured);
}
