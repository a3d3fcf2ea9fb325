package org.lemmata.construct.parity;

import org.lemmata.argument.Refuse;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.InitialGradient;
import org.lemmata.model.parity.ParityLink;

/**
 * One step of gradient descent from W = 0 with teacher forcing: W = -eta G with eta = lambda d² / (2 c), where c is the
 * {@linkplain ParityLink#curvature curvature} of the link. A child of node m then has a score of about lambda (d / (m -
 * 1))².
 *
 * <p>Source: Kim and Suzuki (2024), theorem 5; the paper's eta is of order d^(2 + epsilon / 16).
 *
 * @param lambda above 0, at most 10^6
 */
public record TeacherForcing(double lambda, ParityLink link) {

    /** The maximum lambda. Much larger rates would overflow. */
    private static final double MAX_LAMBDA = 1e6;

    public TeacherForcing {
        requireLambda(lambda);
    }

    static void requireLambda(double lambda) {
        boolean right = lambda > 0 && lambda <= MAX_LAMBDA;
        Refuse.when(!right, "lambda", "a number above 0, at most " + MAX_LAMBDA, lambda);
    }

    /**
     * The default lambda: 20, or 4 + 4 log2 d if all bits are relevant, because the score at the last node is then a
     * quarter of lambda.
     */
    public static double defaultLambda(int bits, int size) {
        return size < bits ? 20 : 4 + 4 * Math.log(bits) / Math.log(2);
    }

    /** eta. */
    public double rate(int bits) {
        return lambda * bits * bits / (2 * link.curvature());
    }

    /**
     * The weights after the step.
     *
     * @param signs the columns of all nodes of the tree
     */
    public ChainWeights learn(ParityTree tree, SignColumns signs, GradientOracle oracle, Workers workers) {
        var start = new ChainWeights(tree, ChainMask.TOKEN_BY_TOKEN);
        double[] gradient = new double[start.size()];
        InitialGradient.of(start, link, signs, workers, gradient);
        return start.minus(oracle.answer(gradient), level -> rate(tree.bits()));
    }
}
