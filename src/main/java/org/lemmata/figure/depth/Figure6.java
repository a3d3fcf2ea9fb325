package org.lemmata.figure.depth;

import java.util.List;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.figure.depth.Ablations.Model;
import org.lemmata.statistic.Interval;

/**
 * Richard (2024), figure 6: the sentences of appendix 5.3.4 about it. Rates are means over seeds, for sampled
 * completions of prefixes of unseen words. "Significantly" refers to 95% intervals.
 *
 * <p>At the reduced sizes, the model without fixed weights is better than the model with fixed Q and E from 64 words
 * on.
 */
final class Figure6 {

    /** The grid. Figure 7 also uses its cells. */
    static final FigureGrid GRID = new FigureGrid("depth.figure-6", Figure6.class, "figure-6.yaml");

    private static final FigureSentences<Ablations> FIGURE =
            new FigureSentences<>(GRID.id(), "figure 6, appendix 5.3.4", GRID, """
                completions at temperature 1 of 1,024 prefixes of words of D_32 that are not in the training set; fixed
                models with root mean square normalization; 5 seeds
                | d = 1024, 10,000 steps, 4 to 4^12 words
                | d = 64, 2,000 steps at a greater rate (1e-3), 4 to 4^7 words; with V fixed and of one layer 20,000
                steps at 1e-2
                """, Ablations::of);

    static final FigureClaim TRAINED = FIGURE.claim("trained", """
        the fully trained model ... requires the largest training data, where it is eventually superior to all others
        | On the largest training set, the model with all weights trained has a significantly higher completion rate on
        prefixes of unseen words than each of four other models: without positions; with Q = 0 and the embeddings E =
        ±1 fixed; with V = I also fixed and without projection and feed-forward part; and of one layer with Q and E
        fixed, also without these parts.
        """, (models, judgement) -> {
        models.learned(judgement, Model.values());
        int most = models.sizes().last();
        for (Model other : Model.values()) {
            if (other != Model.TRAINED) {
                below(models, most, other, Model.TRAINED, judgement);
            }
        }
        judgement.show(models.picture(ClosedFormCompletions.unseen(judgement).value()));
    });

    static final FigureClaim POSITIONS = FIGURE.claim("positions", """
        positional embeddings are crucial for achieving higher completion accuracy
        | On the largest training set, the model without positions has a significantly lower completion rate on prefixes
        of unseen words than the same model with positions. All weights of both are trained.
        """, (models, judgement) -> {
        models.learned(judgement, Model.TRAINED, Model.WITHOUT_POSITIONS);
        below(models, models.sizes().last(), Model.WITHOUT_POSITIONS, Model.TRAINED, judgement);
    });

    static final FigureClaim SMALL_SETS = FIGURE.claim("small-sets", """
        They exhibit strong performance with small training sets, highlighting the benefit of this inductive bias
        | On each of the two smallest training sets, the model with uniform attention (Q = 0) and fixed embeddings ±1
        has a significantly higher completion rate on prefixes of unseen words than the model with all weights trained.
        """, (models, judgement) -> {
        models.learned(judgement, Model.TRAINED, Model.SIGNS);
        for (int words : models.sizes().stream().limit(2).toList()) {
            below(models, words, Model.TRAINED, Model.SIGNS, judgement);
        }
    });

    static final FigureClaim SINGLE = FIGURE.claim("single", """
        Model (5) outperforms the highly constrained multi-layer model (4)
        | Fix uniform attention (Q = 0) and the embeddings ±1. On the largest training set, the model of one layer has a
        significantly higher completion rate on prefixes of unseen words than the model of several layers that also has
        V fixed to the identity.
        """, (models, judgement) -> {
        models.learned(judgement, Model.SINGLE, Model.IDENTITY);
        below(models, models.sizes().last(), Model.IDENTITY, Model.SINGLE, judgement);
    });

    static final FigureClaim FREEDOM = FIGURE.claim("freedom", """
        fully trained models outperform models with fixed token embedding models which outperform models with also
        fixed V
        | On the largest training set, compare completion rates of models of depth.figure-6.trained on prefixes of
        unseen words. The model with fixed Q, E and V has a significantly lower rate than the model with fixed Q and E,
        which has a significantly lower rate than the model with all weights trained.
        """, (models, judgement) -> {
        models.learned(judgement, Model.TRAINED, Model.SIGNS, Model.IDENTITY);
        int most = models.sizes().last();
        below(models, most, Model.IDENTITY, Model.SIGNS, judgement);
        below(models, most, Model.SIGNS, Model.TRAINED, judgement);
    });

    static final FigureClaim CONSTRAINED = FIGURE.claim("constrained", """
        Models (4) "mostly under-perform others".
        | On each training set, compare the model with fixed Q, E and V with each of the four other models of
        depth.figure-6.trained. In most of these comparisons, its completion rate on prefixes of unseen words is
        significantly lower.
        """, (models, judgement) -> {
        models.learned(judgement, Model.values());
        int below = 0;
        int above = 0;
        int all = 0;
        for (int words : models.sizes()) {
            SeedRate rate = models.rate(Model.IDENTITY, words, Ablations.UNSEEN);
            judgement.measure("unseen, " + Model.IDENTITY + on(words), rate);
            for (Model other : Model.values()) {
                if (other != Model.IDENTITY) {
                    SeedRate others = models.rate(other, words, Ablations.UNSEEN);
                    below += rate.isSignificantlyBelow(others) ? 1 : 0;
                    above += others.isSignificantlyBelow(rate) ? 1 : 0;
                    all++;
                }
            }
        }
        judgement.add(
                "significantly below in " + below + " of " + all + ", significantly above in " + above,
                2 * below > all,
                2 * above >= all);
    });

    static final FigureClaim PARAMETERS = FIGURE.claim("parameters", """
        Overall, model performance aligns with the number of learned parameters
        | On the largest training set, take the pairs of the five models of depth.figure-6.trained whose completion
        rates on prefixes of unseen words differ significantly. In significantly more than half of these pairs (a test
        of ours), the model with more learned parameters has the higher rate.
        """, (models, judgement) -> {
        models.learned(judgement, Model.values());
        int most = models.sizes().last();
        int aligned = 0;
        int opposed = 0;
        for (Model more : Ablations.BY_PARAMETERS) {
            SeedRate rate = models.rate(more, most, Ablations.UNSEEN);
            judgement.measure("unseen, " + more + on(most), rate);
            for (Model less : Ablations.BY_PARAMETERS.subList(
                    Ablations.BY_PARAMETERS.indexOf(more) + 1, Ablations.BY_PARAMETERS.size())) {
                SeedRate other = models.rate(less, most, Ablations.UNSEEN);
                aligned += other.isSignificantlyBelow(rate) ? 1 : 0;
                opposed += rate.isSignificantlyBelow(other) ? 1 : 0;
            }
        }
        Interval share = aligned + opposed == 0 ? new Interval(0, 1) : Interval.proportion(aligned + opposed, aligned);
        judgement.add(aligned + " pairs aligned, " + opposed + " opposed", share.low() > 0.5, share.high() < 0.5);
    });

    static final List<FigureClaim> CLAIMS =
            List.of(TRAINED, POSITIONS, SMALL_SETS, SINGLE, FREEDOM, CONSTRAINED, PARAMETERS);

    private static void below(Ablations models, int words, Model lesser, Model greater, Judgement judgement) {
        SeedRate a = models.rate(lesser, words, Ablations.UNSEEN);
        SeedRate b = models.rate(greater, words, Ablations.UNSEEN);
        judgement.measure("unseen, " + lesser + on(words), a);
        judgement.measure("unseen, " + greater + on(words), b);
        judgement.below(lesser + on(words), a, greater + on(words), b);
    }

    private static String on(int words) {
        return " on " + words + " words";
    }
}
