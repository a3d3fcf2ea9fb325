package org.lemmata.claim.parity;

import java.util.random.RandomGenerator;
import org.lemmata.claim.Tally;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;

/**
 * Training without intermediate supervision: the same chain, whose last output alone is compared, by Adam with the
 * exact gradient over all samples.
 *
 * @param steps of Adam
 * @param rate its learning rate
 */
record FinalAnswerTraining(int steps, double rate, ParityLink link) {

    private static final double FIRST = 0.9;

    private static final double SECOND = 0.999;

    private static final double SPREAD = 0.1;

    /** The weights after all steps, from small Gaussian ones. */
    ChainWeights learn(ParityDraw draw, long seed, Workers workers) {
        RandomGenerator random = Tally.random(seed);
        ChainWeights weights =
                new ChainWeights(draw.tree(), ChainMask.LEVEL_BY_LEVEL).rounded(zero -> SPREAD * random.nextGaussian());
        ChainLoss loss = ChainLoss.finalAnswer(draw.tree());
        double[] gradient = new double[weights.size()];
        double[] mean = new double[gradient.length];
        double[] square = new double[gradient.length];
        double firstLeft = 1;
        double secondLeft = 1;
        for (int step = 0; step < steps; step++) {
            new ParityTransformer(weights, link, workers).gradient(draw.signs(), loss, gradient);
            firstLeft *= FIRST;
            secondLeft *= SECOND;
            for (int i = 0; i < gradient.length; i++) {
                mean[i] += (1 - FIRST) * (gradient[i] - mean[i]);
                square[i] += (1 - SECOND) * (gradient[i] * gradient[i] - square[i]);
                gradient[i] = mean[i] / (1 - firstLeft) / (Math.sqrt(square[i] / (1 - secondLeft)) + 1e-8);
            }
            weights = weights.minus(gradient, level -> rate);
        }
        return weights;
    }
}
