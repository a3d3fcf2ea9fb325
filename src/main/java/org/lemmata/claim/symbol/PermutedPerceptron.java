package org.lemmata.claim.symbol;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.claim.symbol.PerceptronFailure.PerceptronDraw;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.ParameterView;
import org.lemmata.token.Batch;

/**
 * Boix-Adsera et al. (2024), lemma I.7, tested by the coupling in its proof. Exchanging the rows of W_1 that belong to
 * two unseen strings does not change the distribution of W_1. After training with exchanged rows, the answer to the
 * second string has the same bits as the answer to the first without the exchange. So both answers have the same
 * distribution and the same mean.
 */
final class PermutedPerceptron {

    private static final long SEED = 97_000;

    static final ComputedClaim CLAIM = ComputedClaim.asStated("symbol.lemma-i7", "lemma I.7", """
        For any two strings of unseen tokens, any number of steps and any learning rates, the trained
        perceptron's answers have the same mean over its random numbers; read as: weights whose rows for the
        tokens of both strings are exchanged, which are as likely, have the same answers exchanged, bit by
        bit.
        """)
            .byBudget("seeds | 1..100000 | draws", "50", "600")
            .byBudget("steps | 1..100000 | of training, at most", "60", "200")
            .range("""
                {seeds} draws of a task, two strings, 1 to 3 layers of 2 to 33 columns, activation, SGD or Adam, rate
                and weights; up to {steps} steps of 32
                """)
            .test((scope, computation) ->
                    check(scope.integer("seeds"), scope.integer("steps"), false, computation.kernels()));

    /** @param seen whether the strings consist of tokens of the data, for which the lemma claims nothing */
    static Finding check(int draws, int maxSteps, boolean seen, Kernels kernels) {
        var tally = new Tally();
        int different = 0;
        double apart = 0;
        for (int draw = 0; draw < draws; draw++) {
            RandomGenerator random = Tally.random(SEED + draw);
            PerceptronDraw perceptron = PerceptronDraw.of(5, random.nextInt(2, 34), 3, random);
            int steps = random.nextInt(1, maxSteps + 1);
            int from = seen ? perceptron.task().regular() : perceptron.firstUnseen();
            int length = perceptron.options().length();
            int[] x = random.ints(length, from, from + length).toArray();
            int[] y = random.ints(length, from, from + length).toArray();
            float[] answers = coupled(perceptron, steps, x, y, SEED + draw, kernels);
            boolean same = Float.floatToRawIntBits(answers[0]) == Float.floatToRawIntBits(answers[1]);
            tally.require(same, () -> perceptron + ", " + steps + " steps: " + answers[0] + " and " + answers[1]);
            different += same ? 0 : 1;
            apart = Math.max(apart, Math.abs((double) answers[0] - answers[2]));
        }
        tally.atMost("draws whose answers are not the same bits", different, "draws", draws, 0);
        tally.measure("maximum difference of the answers to both strings by the same weights", apart, "", draws);
        return tally.finding("exchanged rows exchange the answers", SEED, SEED + draws - 1);
    }

    /** The answer to x, the answer to y with exchanged rows, and the answer to y without. */
    private static float[] coupled(PerceptronDraw draw, int steps, int[] x, int[] y, long seed, Kernels kernels) {
        float[] parameters = draw.options().draw(Tally.random(seed));
        float[] exchanged = parameters.clone();
        ParameterView first = draw.options().layout().getFirst();
        for (int t = 0; t < x.length; t++) {
            int width = first.columns();
            int ofX = first.offset() + (t * draw.options().vocabularySize() + x[t]) * width;
            int ofY = first.offset() + (t * draw.options().vocabularySize() + y[t]) * width;
            System.arraycopy(parameters, ofX, exchanged, ofY, width);
            System.arraycopy(parameters, ofY, exchanged, ofX, width);
        }
        float[] answers = answers(draw, parameters, steps, x, y, seed, kernels);
        return new float[] {answers[0], answers(draw, exchanged, steps, x, y, seed, kernels)[1], answers[1]};
    }

    private static float[] answers(
            PerceptronDraw draw, float[] parameters, int steps, int[] x, int[] y, long seed, Kernels kernels) {
        MultilayerPerceptron perceptron = draw.perceptron(parameters, kernels);
        draw.train(draw.training(perceptron, kernels), 1, steps, Tally.random(seed + 1));
        return perceptron.outputs(Batch.of(List.of(x, y)));
    }
}
