package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Inequalities;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.depth.Ablations.Model;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Richard (2024), figure 6: one constant for each thing that appendix 5.3.4 says of it. Rates are those of sampled
 * completions of prefixes of unseen words, means over seeds; "significantly" is where 95% intervals are apart.
 */
public enum Figure6 implements FigureClaim {
    /**
     * "the fully trained model ... requires the largest training data, where it is eventually superior to all others".
     */
    TRAINED(
            "trained",
            "On the largest training set the model that is trained throughout is significantly above each of the four"
                    + " others.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            int most = models.sizes().last();
            for (Model other : Model.values()) {
                if (other != Model.TRAINED) {
                    below(models, most, other, Model.TRAINED, inequalities, measured);
                }
            }
        }
    },

    /** "positional embeddings are crucial for achieving higher completion accuracy". */
    POSITIONS(
            "positions",
            "On the largest training set the model without positions is significantly below the one with them.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            below(models, models.sizes().last(), Model.WITHOUT_POSITIONS, Model.TRAINED, inequalities, measured);
        }
    },

    /** "They exhibit strong performance with small training sets, highlighting the benefit of this inductive bias". */
    SMALL_SETS(
            "small-sets",
            "On the two smallest training sets the model with fixed Q and E is significantly above the one that is"
                    + " trained throughout.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            for (int words : models.sizes().stream().limit(2).toList()) {
                below(models, words, Model.TRAINED, Model.SIGNS, inequalities, measured);
            }
        }
    },

    /** "Model (5) outperforms the highly constrained multi-layer model (4)". */
    SINGLE(
            "single",
            "On the largest training set the model of one layer is significantly above that of several layers with V"
                    + " fixed, too.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            below(models, models.sizes().last(), Model.IDENTITY, Model.SINGLE, inequalities, measured);
        }
    },

    /**
     * "fully trained models outperform models with fixed token embedding models which outperform models with also fixed
     * V".
     */
    FREEDOM(
            "freedom",
            "On the largest training set the model with fixed Q, E and V is significantly below that with fixed Q and"
                    + " E, and that below the one that is trained throughout.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            int most = models.sizes().last();
            below(models, most, Model.IDENTITY, Model.SIGNS, inequalities, measured);
            below(models, most, Model.SIGNS, Model.TRAINED, inequalities, measured);
        }
    },

    /** Models (4) "mostly under-perform others". */
    CONSTRAINED(
            "constrained",
            "Of all comparisons of the model with fixed Q, E and V with another one on the same training set, in most"
                    + " it is significantly below.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            int below = 0;
            int above = 0;
            int all = 0;
            for (int words : models.sizes()) {
                SeedRate rate = models.rate(Model.IDENTITY, words, Ablations.UNSEEN);
                measured.add(rate.measured("unseen, " + Model.IDENTITY + on(words), null));
                for (Model other : Model.values()) {
                    if (other != Model.IDENTITY) {
                        SeedRate others = models.rate(other, words, Ablations.UNSEEN);
                        below += rate.isSignificantlyBelow(others) ? 1 : 0;
                        above += others.isSignificantlyBelow(rate) ? 1 : 0;
                        all++;
                    }
                }
            }
            inequalities.add(
                    "significantly below in " + below + " of " + all + ", significantly above in " + above,
                    2 * below > all,
                    2 * above >= all);
        }
    },

    /** "Overall, model performance aligns with the number of learned parameters". */
    PARAMETERS(
            "parameters",
            "On the largest training set, of the pairs of models whose rates are significantly apart, in most the one"
                    + " of more learned parameters is above.") {
        @Override
        void judge(Ablations models, Inequalities inequalities, List<Measurement> measured) {
            int most = models.sizes().last();
            int aligned = 0;
            int opposed = 0;
            for (Model more : Ablations.BY_PARAMETERS) {
                SeedRate rate = models.rate(more, most, Ablations.UNSEEN);
                measured.add(rate.measured("unseen, " + more + on(most), null));
                for (Model less : Ablations.BY_PARAMETERS.subList(
                        Ablations.BY_PARAMETERS.indexOf(more) + 1, Ablations.BY_PARAMETERS.size())) {
                    SeedRate other = models.rate(less, most, Ablations.UNSEEN);
                    aligned += other.isSignificantlyBelow(rate) ? 1 : 0;
                    opposed += rate.isSignificantlyBelow(other) ? 1 : 0;
                }
            }
            inequalities.add(aligned + " pairs aligned, " + opposed + " opposed", aligned > opposed, opposed > aligned);
        }
    };

    /** Whose cells figure 7 looks into, too. */
    static final FigureGrid GRID = new FigureGrid("depth.figure-6", Figure6.class, "figure-6.yaml");

    private final String part;
    private final String statement;

    Figure6(String part, String statement) {
        this.part = part;
        this.statement = statement;
    }

    private static void below(
            Ablations models,
            int words,
            Model lesser,
            Model greater,
            Inequalities inequalities,
            List<Measurement> measured) {
        SeedRate a = models.rate(lesser, words, Ablations.UNSEEN);
        SeedRate b = models.rate(greater, words, Ablations.UNSEEN);
        measured.add(a.measured("unseen, " + lesser + on(words), null));
        measured.add(b.measured("unseen, " + greater + on(words), null));
        inequalities.below(lesser + on(words), a, greater + on(words), b);
    }

    private static String on(int words) {
        return " on " + words + " words";
    }

    @Override
    public String id() {
        return GRID.id() + "." + part;
    }

    @Override
    public Source source() {
        return new Source(Paper.DEPTH, "figure 6, appendix 5.3.4");
    }

    /**
     * At the reduced sizes 64 words already teach the model that is trained throughout more than the one with fixed Q
     * and E.
     */
    @Override
    public String expected(Budget sizes) {
        if (sizes == Budget.FULL) {
            return expected();
        }
        return switch (this) {
            case SMALL_SETS -> "Refuted";
            case TRAINED, POSITIONS, SINGLE, FREEDOM, CONSTRAINED, PARAMETERS -> expected();
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
        return "completions at temperature 1 of 1,024 prefixes of words of D_32 that are not in the training set;"
                + " fixed models with root mean square normalization; 5 seeds; "
                + (budget == Budget.FULL
                        ? "the paper's sizes: d = 1024, 10,000 steps, 4 to 4^12 words"
                        : "reduced: d = 64, 2,000 steps at a greater rate (1e-3), 4 to 4^7 words");
    }

    @Override
    public Finding judge(FigureCells cells, Computation computation) {
        Ablations models = Ablations.of(cells);
        var inequalities = new Inequalities();
        var measured = new ArrayList<Measurement>();
        judge(models, inequalities, measured);
        if (this != TRAINED) {
            return new Finding(inequalities.verdict(), measured, cells.seeds());
        }
        double closedForm = ClosedFormUnseenCompletions.rate(computation).value();
        return new Finding(
                inequalities.verdict(),
                measured,
                Stream.concat(cells.seeds().stream(), Stream.of(ClosedFormUnseenCompletions.SEED))
                        .toList(),
                List.of(models.picture(closedForm)));
    }

    /** Adds the inequalities of one sentence, and the figures on their sides. */
    abstract void judge(Ablations models, Inequalities inequalities, List<Measurement> measured);
}
