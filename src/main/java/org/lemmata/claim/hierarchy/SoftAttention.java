package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.construct.hierarchy.LayerNormForm;
import org.lemmata.construct.hierarchy.ShuffleDyckRecognizer;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.token.Batch;

/** Hayakawa and Sato (2024), lemma 10, the function of appendix O and lemma 13. */
final class SoftAttention {

    private static final long SEED = 2_404;

    private static final int STEPS = 4_000;

    private static final String STEPPED = "eps = {epsilon}, at " + STEPS + " points each";

    private static final double ROUNDING = 1e-9;

    static final ComputedClaim LEMMA_10 = ComputedClaim.asStated("hierarchy.lemma-10", "lemma 10", """
        Let attention average the values -1, 0 and 1 of some tokens. If tokens of one value get more than 2/3 of the
        weight, thresholds at -1/3 and 1/3 identify this value. At exactly 2/3, different values can give the same
        average.
        """)
            .settings("""
                draws | 100..10000000 | 10000 | choices of values and weights
                weight | (0, 0.999]; stated [2/3, 1) | 2/3 | above which weights are drawn
                """)
            .range("{draws} random choices of up to 20 values and of weights above {weight}; the two cases that meet"
                    + " at 2/3")
            .test((scope, computation) -> identified(scope.integer("draws"), scope.number("weight")));

    static final ComputedClaim FUNCTION = ComputedClaim.corrected("hierarchy.appendix-o.function", "appendix O", """
        Appendix O's function Recov maps perturbed values back to 0, 1 or 2. It has a step of height 1 at 9/20 and one
        at 19/15, each of width eps. Let eps be at most 1/20, and let the second term of Recov have a minus sign, as in
        Eq. 296. Then Recov(x) is 0 for x up to 0.4, 1 for x from 0.5 to 1.2, and 2 for x from 4/3 to 2.
        """)
            .settings("epsilon | [1e-5, 1); stated (0, 1/20] | 1/20,1/40,1/60 | width of a step")
            .range(STEPPED)
            .test((scope, computation) -> stair(scope.numbers("epsilon")));

    static final ComputedClaim FUNCTION_PRINTED = ComputedClaim.printed(
                    "hierarchy.appendix-o.function.printed", "appendix O, Eqs. 280, 284 and 292", """
                    Let eps, the width of the steps of appendix O's function Recov (hierarchy.appendix-o.function), be
                    any positive number below 1/10, as printed. Then Recov(x) is 0 for x up to 0.4, 1 for x from 0.5 to
                    1.2, and 2 for x from 4/3 to 2.
                    """)
            .untested(NotTested.PROOF.because("two constants that the paper chooses do not fit: Recov(1/2) is 0.55 at"
                    + " eps = 1/11, but 0.5 is a bound of its example delta_C < 1/6, which needs eps <= 1/20; with"
                    + " delta_C <= 1/12, every eps < 1/10 works"));

    static final ComputedClaim LEMMA_13 = ComputedClaim.corrected("hierarchy.lemma-13", "lemma 13", """
        A model with root mean square normalization within its feed-forward parts has the same outputs as a model with
        layer normalization there. The second model has twice as many hidden columns: its weights W_1 and W_2 become
        (W_1; -W_1) and (W_2 O). In both models, the shift beta is added after the division by the root mean square.
        """)
            .settings("""
                k | 1..64 | 3 | bracket types
                maxLength | 2..200 | 12 | of the strings
                """)
            .range("""
                the recognizers of theorem 1 and proposition 3 and the generator of theorem 2, k = {k}, on 60 random
                strings to length {maxLength}, in binary64
                """)
            .test((scope, computation) -> layerNorm(scope.integer("k"), scope.integer("maxLength")));

    private static Finding identified(int draws, double above) {
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        for (int draw = 0; draw < draws; draw++) {
            int target = random.nextInt(-1, 2);
            double weight = random.nextDouble(above + ROUNDING, 1);
            double[] others = random.doubles(random.nextInt(1, 20)).toArray();
            double sum = 0;
            double mean = 0;
            for (double other : others) {
                sum += other;
                mean += other * random.nextInt(-1, 2);
            }
            double soft = weight * target + (1 - weight) * mean / sum;
            int found = soft > 1 / 3.0 ? 1 : soft < -1 / 3.0 ? -1 : 0;
            tally.require(found == target, () -> target + " with weight " + weight + " gives " + soft);
        }
        tally.atMost("values not identified", tally.counterexamples(), "values", draws, 0);
        // Weights 2/3 on the value 1 and 1/3 on -1 give the same average as weights 2/3 on 0 and 1/3 on 1.
        double apart = Math.abs((2 * 1 - 1) / 3.0 - (2 * 0 + 1) / 3.0);
        tally.require(apart < ROUNDING, () -> "the values 1 and 0 with weight 2/3 are apart by " + apart);
        tally.atMost("what the values 1 and 0 with weight 2/3 are apart", apart, "", 1, ROUNDING);
        return tally.finding("every value is identified", SEED);
    }

    static double recovered(double y, double epsilon) {
        double scaled = y / epsilon;
        double low = 9 / (20 * epsilon);
        double high = 19 / (15 * epsilon);
        return Math.max(0, scaled - low)
                - Math.max(0, scaled - (1 + low))
                + Math.max(0, scaled - high)
                - Math.max(0, scaled - (1 + high));
    }

    private static Finding stair(List<Double> epsilons) {
        var tally = new Tally();
        Tally.Extreme differences = tally.atMost("difference from 0, 1 or 2", "", ROUNDING);
        for (double epsilon : epsilons) {
            for (int step = -STEPS / 2; step <= STEPS / 2; step++) {
                double y = 4.0 * step / STEPS;
                double expected = y <= 0.4 ? 0 : y >= 0.5 && y <= 1.2 ? 1 : y >= 4 / 3.0 ? 2 : Double.NaN;
                if (!Double.isNaN(expected)) {
                    double difference = Math.abs(recovered(y, epsilon) - expected);
                    differences.add(
                            difference, () -> "Recov(" + y + ") is off by " + difference + " with eps = " + epsilon);
                }
            }
        }
        return tally.finding("the stair is flat where it has to be");
    }

    private static Finding layerNorm(int types, int maxLength) {
        var tokens = new BracketTokens(types);
        DyckConstants constants = DyckConstants.of(maxLength, maxLength / 2);
        List<BracketTransformer> transformers = List.of(
                new DyckRecognizer(tokens, constants, DyckRecognizer.Variant.plain()),
                new ShuffleDyckRecognizer(tokens, maxLength),
                new DyckGenerator(
                        GenerationProcess.dyck(types, 0.5, 0.9), DyckConstants.of(maxLength, maxLength), 1e-3));
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        Tally.Extreme differences = tally.atMost("relative difference of outputs", "", ROUNDING);
        for (BracketTransformer transformer : transformers) {
            var plain = new ReferenceTransformer(transformer.build());
            var layered = new ReferenceTransformer(LayerNormForm.of(transformer.build()));
            for (int draw = 0; draw < 20; draw++) {
                int[] string = random.ints(random.nextInt(maxLength + 1), 0, tokens.brackets())
                        .toArray();
                Batch batch = Batch.of(List.of(transformer.input(string)));
                double[] expected = plain.logits(batch);
                double[] logits = layered.logits(batch);
                for (int i = 0; i < logits.length; i++) {
                    double difference = Math.abs(logits[i] - expected[i]) / Math.max(1, Math.abs(expected[i]));
                    differences.add(
                            difference,
                            () -> transformer.source().result() + ": '" + tokens.text(string) + "' is off by "
                                    + difference);
                }
            }
        }
        return tally.finding("every output is the same", SEED);
    }
}
