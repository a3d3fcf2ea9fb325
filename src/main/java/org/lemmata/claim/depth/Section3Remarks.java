package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;

/** Statements of Richard (2024), section 3, that the paper does not prove: scaling with d, and the optimum. */
final class Section3Remarks {

    /** The loss may be the bound to the power of 1.5, and must not underflow. */
    private static final double LEAST_BOUND = 1e-200;

    /**
     * The corrected theorem with epsilon expressed by d. For m points and d = 4 ln m / (epsilon²/2 - epsilon³/3),
     * epsilon &lt;= 1/2 is at most 2 sqrt(3 ln m / d), because epsilon²/2 - epsilon³/3 &gt;= epsilon²/3.
     */
    static final ComputedClaim SCALING_CORRECTED = ComputedClaim.corrected("depth.scaling", "section 3, Scaling", """
        Let E be an embedding of depth.theorem-3.1 with d <= 12 ln m / epsilon² columns and epsilon <= 1/2, where m =
        max(t + 1, n). The head of depth.theorem-3.1 with this E completes any prefix of its training sequence of n
        tokens to the sequence with probability at least 1 - nt exp(-(v gamma / n) (1 - 4 sqrt(3 ln m / d))).
        """)
            .settings("""
                t | 2..1000 | 16 | tokens
                n | 2..1000 | 24 | length of the sequence
                epsilon | [0.1, 1); stated [0.1, 1/2] | 1/4 | by how much squared distances may be off
                """)
            .range(Theorem31.range(1, scalingSizes())
                    + "; if you set one of them, only t = {t}, n = {n}, epsilon = {epsilon}")
            .test((scope, computation) -> scaling(
                    Theorem31.cases(
                            scope.settings().isEmpty()
                                    ? scalingSizes()
                                    : Theorem31.Size.cases().in(scope)),
                    Section3Remarks::scaled,
                    computation::model));

    static final ComputedClaim OPTIMUM = ComputedClaim.printed(
                    "depth.optimum.printed",
                    "section 3.2",
                    "A global optimizer of the loss of one training sequence is a head with uniform attention and value"
                            + " matrix V = v I.")
            .untested(NotTested.HYPOTHESIS.because(
                    "read as the infimum 0 of the loss, which is approached as v grows and attained by no v;"
                            + " depth.optimum tests that"));

    static final ComputedClaim OPTIMUM_CORRECTED = ComputedClaim.corrected("depth.optimum", "section 3.2", """
        Take the heads of depth.lemma-5.1 (uniform attention), with one-hot embeddings of t >= 2 tokens, value matrix v
        I and position parameter gamma, where v gamma > 0. As v varies, the loss on one training sequence of n >= 2
        tokens has the infimum 0, but no minimum. The loss is above 0 and at most nt exp(-v gamma / n), and it is lower
        with 2v than with v.
        """)
            .settings("""
                gamma | (-inf, inf) but 0 | -1/2 | pull
                failure | (0, 1] | 1/2,1/1000 | the bounds of failure that v is chosen for by lemma 5.1
                """)
            .range("""
                every sequence with t = 2, n = 5 and with t = 3, n = 3, one-hot tokens, gamma = {gamma}; v from lemma
                5.1's for failures of {failure}, and twice, four and eight times as great
                """)
            .test((scope, computation) -> optimum(scope.settings(), computation::model));

    private static List<Theorem31.Size> scalingSizes() {
        return List.of(new Theorem31.Size(2, 8, 0.25), new Theorem31.Size(16, 24, 0.25));
    }

    private static double scaled(Theorem31.Case one) {
        int n = one.size().length();
        double points = Math.max(one.size().tokens() + 1, n);
        double gap = 1 - 4 * Math.sqrt(3 * Math.log(points) / one.size().width());
        return (double) n * one.size().tokens() * Math.exp(-one.exponent() * gap);
    }

    static Finding scaling(
            List<Theorem31.Case> cases,
            ToDoubleFunction<Theorem31.Case> bounds,
            Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        for (Theorem31.Case one : cases) {
            one.requireFailure(tally, one.memorization(models), bounds.applyAsDouble(one));
        }
        return tally.finding("every probability of failure is within the bound", Theorem31.SEED);
    }

    static Finding optimum(Settings settings, Function<SequenceMemorizerByOneHotEmbedding, LanguageModel> models) {
        double gamma = settings.number("gamma");
        var tally = new Tally();
        for (int[] size : new int[][] {{2, 5}, {3, 3}}) {
            var vocabulary = Memorization.vocabulary(size[0]);
            for (double failure : settings.numbers("failure")) {
                List<int[]> words = Sequences.every(size[0], size[1]);
                String name = "maximum loss with 2v over that with v, t = " + size[0] + ", n = " + size[1]
                        + ", v for a bound of " + failure;
                Tally.Extreme ratios = tally.atMost(name, "", 1);
                ratios.count(words.size());
                for (int[] word : words) {
                    double v = SequenceMemorizerByOneHotEmbedding.valueWeight(vocabulary, word, gamma, failure);
                    double before = Double.POSITIVE_INFINITY;
                    for (int times = 1; times <= 8; times *= 2) {
                        var head = new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma, times * v);
                        Refuse.when(
                                head.failureBound() < LEAST_BOUND,
                                "gamma, failure",
                                "a bound of at least " + LEAST_BOUND + " with 8 times v, as losses would underflow",
                                head.failureBound());
                        double loss = Memorization.of(models.apply(head), word).loss();
                        tally.require(
                                loss < before && loss > 0 && loss <= head.failureBound(),
                                "%s: a loss of %.3g with v = %.0f, of %.3g with half of that",
                                Memorization.text(word),
                                loss,
                                times * v,
                                before);
                        if (times > 1) {
                            ratios.add(loss / before);
                        }
                        before = loss;
                    }
                }
            }
        }
        return tally.finding("every loss is lower at 2v than at v, and none is 0");
    }
}
