package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Inequalities;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 5: the spectrum of the last layer's value times projection matrix, of two models of the grid
 * of figure 3 (right). A sentence holds if it does in every seed, and fails if it does in none.
 */
public enum Figure5 implements FigureClaim {
    /** "with a dominant negative eigenvalue"; "pops out with a dominant real negative eigenvalue". */
    NEGATIVE(
            "negative",
            "Of the model of many words the eigenvalue of largest modulus is real and negative, and of at least 1.5"
                    + " times the modulus of the next.") {
        @Override
        void judge(TwoModels models, Inequalities inequalities, List<Measurement> measured) {
            add(measured, "largest eigenvalue, many words", models.many(), run -> value(run, "real.0"));
            add(measured, "its modulus over the next, many words", models.many(), Figure5::dominance);
            each(
                    inequalities,
                    "real, negative and dominant",
                    models.many().stream()
                            .map(run -> value(run, "imaginary.0") == 0
                                    && value(run, "real.0") < 0
                                    && dominance(run) >= DOMINANT)
                            .toList());
        }
    },

    /** "Large spectral elements pop out when the model is trained on a large training set". */
    POPS_OUT(
            "pops-out",
            "The modulus of the largest eigenvalue over that of the next is greater in the model of many words than"
                    + " in that of one word.") {
        @Override
        void judge(TwoModels models, Inequalities inequalities, List<Measurement> measured) {
            add(measured, "largest modulus over the next, one word", models.one(), Figure5::dominance);
            add(measured, "largest modulus over the next, many words", models.many(), Figure5::dominance);
            each(
                    inequalities,
                    "greater than of one word",
                    pairs(models, (many, one) -> dominance(many) > dominance(one)));
        }
    },

    /** "We observe a low-rank structure for the best model". */
    LOW_RANK("low-rank", "The stable rank of the model of many words is less than that of the model of one word.") {
        @Override
        void judge(TwoModels models, Inequalities inequalities, List<Measurement> measured) {
            add(measured, "stable rank, one word", models.one(), run -> value(run, STABLE_RANK));
            add(measured, "stable rank, many words", models.many(), run -> value(run, STABLE_RANK));
            each(
                    inequalities,
                    "stable rank less than that of one word",
                    pairs(models, (many, one) -> value(many, STABLE_RANK) < value(one, STABLE_RANK)));
        }
    },

    /** "Its singular vectors form a negative cosine". */
    TURNED(
            "turned",
            "Of the model of many words the left and right vectors of the largest singular value have a cosine below"
                    + " -0.5.") {
        @Override
        void judge(TwoModels models, Inequalities inequalities, List<Measurement> measured) {
            add(
                    measured,
                    "cosine of the first singular vectors, many words",
                    models.many(),
                    run -> value(run, "cosine.0"));
            each(
                    inequalities,
                    "cosine below " + TURNING,
                    models.many().stream()
                            .map(run -> value(run, "cosine.0") < TURNING)
                            .toList());
        }
    };

    private static final String STABLE_RANK = "stableRank";

    /** "pops out" and "negative cosine" are no numbers in the paper; these are ours. */
    private static final double DOMINANT = 1.5;

    private static final double TURNING = -0.5;

    private final String part;
    private final String statement;

    Figure5(String part, String statement) {
        this.part = part;
        this.statement = statement;
    }

    /** A run that diverged has no spectrum; nothing holds of NaN. */
    private static double value(CellRecord run, String name) {
        return run.measurement("spectrum." + name).map(Measurement::value).orElse(Double.NaN);
    }

    private static double modulus(CellRecord run, int index) {
        return Math.hypot(value(run, "real." + index), value(run, "imaginary." + index));
    }

    private static double dominance(CellRecord run) {
        return modulus(run, 0) / modulus(run, 1);
    }

    /** Whether something holds of the two models of each seed. */
    private static List<Boolean> pairs(TwoModels models, BiPredicate<CellRecord, CellRecord> manyAndOne) {
        return models.many().stream()
                .flatMap(many -> models.one().stream()
                        .filter(one -> one.seed() == many.seed())
                        .map(one -> manyAndOne.test(many, one)))
                .toList();
    }

    private static void add(
            List<Measurement> measured, String name, List<CellRecord> runs, ToDoubleFunction<CellRecord> value) {
        double[] values = runs.stream().mapToDouble(value).toArray();
        double mean = runs.stream().mapToDouble(value).average().orElse(Double.NaN);
        Interval interval = values.length > 1 ? Interval.mean(values) : Interval.exact(mean);
        measured.add(new Measurement(name, mean, "", interval, values.length, null));
    }

    private static void each(Inequalities inequalities, String what, List<Boolean> holds) {
        long count = holds.stream().filter(each -> each).count();
        inequalities.add(
                what + " in " + count + " of " + holds.size() + " seeds",
                count == holds.size() && count > 0,
                count == 0 && !holds.isEmpty());
    }

    @Override
    public String id() {
        return "depth.figure-5." + part;
    }

    @Override
    public Source source() {
        return new Source(Paper.DEPTH, "figure 5, section 4.2, appendix 5.3.3");
    }

    /**
     * At the reduced sizes the largest eigenvalue of the model of many words is positive, or complex with a positive
     * real part, and that of one word's model stands out as often.
     */
    @Override
    public String expected(Budget sizes) {
        if (sizes == Budget.FULL) {
            return expected();
        }
        return switch (this) {
            case NEGATIVE, TURNED -> "Refuted";
            case POPS_OUT, LOW_RANK -> "Inconclusive";
        };
    }

    @Override
    public String statement() {
        return statement;
    }

    @Override
    public FigureGrid grid() {
        return Figure3Right.GRID;
    }

    @Override
    public String range(Budget budget) {
        return "the last of 4 layers, all 4 heads together, 5 seeds; "
                + (budget == Budget.FULL
                        ? "the paper's sizes: d = 1024, 10,000 steps, 1 word of depth up to 4 and 10^7 of depth up to 8"
                        : "reduced: d = 64, 2,000 steps, 1 word of depth up to 4 and 10^5 of depth up to 8");
    }

    @Override
    public Finding judge(FigureCells cells, Computation computation) {
        TwoModels models = TwoModels.of(cells);
        var inequalities = new Inequalities();
        var measured = new ArrayList<Measurement>();
        judge(models, inequalities, measured);
        return new Finding(inequalities.verdict(), measured, cells.seeds(), figures(models));
    }

    private List<Figure> figures(TwoModels models) {
        return switch (this) {
            case NEGATIVE -> List.of(SpectrumPictures.eigenvalues(models));
            case LOW_RANK -> List.of(SpectrumPictures.singularValues(models));
            case TURNED -> List.of(SpectrumPictures.cosines(models));
            case POPS_OUT -> List.of();
        };
    }

    /** Adds the inequalities of one sentence, and the figures on their sides. */
    abstract void judge(TwoModels models, Inequalities inequalities, List<Measurement> measured);
}
