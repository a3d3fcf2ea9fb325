package org.lemmata.construct.parity;

import java.util.function.DoubleUnaryOperator;
import org.lemmata.argument.Refuse;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;

/**
 * log2 k steps of gradient descent through the generated chain, starting from W = 0, with rounded weights and a filter:
 * a level is set to 0 while nodes of the level below are not learned.
 *
 * <p>Source: Kim and Suzuki (2024), theorem 7, which has integer weights and one rate. The threshold of
 * {@link #corrected} is above 1, because a level set to 0 has distance 1 from -1. At small d, the threshold is higher,
 * so that untrained nodes do not reach it. Two changes reduce the number of samples: rounding to multiples of 12
 * instead of 1 gives siblings equal scores, and a separate rate for each level makes these scores about lambda.
 *
 * @param lambda the approximate final score of a child; above 0, at most 10^6
 * @param threshold epsilon_0 of the filter; 0 disables it
 * @param rounding the rounding of each weight after each step
 * @param rateByLevel whether eta is lambda d_(l-1)² / (2 c) at level l, where d_(l-1) is the last node of level l - 1
 *     and c the {@linkplain ParityLink#curvature curvature} of the link; otherwise it is lambda d² / (2 c) at all
 *     levels
 */
public record SelfConsistency(
        double lambda, double threshold, DoubleUnaryOperator rounding, boolean rateByLevel, ParityLink link) {

    /** Rounding to multiples of 12; siblings then have equal scores. */
    public static final DoubleUnaryOperator GRID = ChainWeights.toMultiples(12);

    public SelfConsistency {
        TeacherForcing.requireLambda(lambda);
        Refuse.when(!(threshold >= 0), "threshold", "a number of at least 0", threshold);
    }

    /** The corrected algorithm. */
    public static SelfConsistency corrected(int bits, double lambda, ParityLink link) {
        return new SelfConsistency(lambda, bits <= 16 ? 1.8 : 1.6, GRID, true, link);
    }

    /**
     * The default lambda of {@link #corrected}; larger if d is small and not all bits are relevant, because weights of
     * level 1 then fall below half a grid step more often.
     */
    public static double defaultLambda(int bits, int size) {
        return bits <= 16 && size < bits ? 14 : 12;
    }

    /** n', the number of augmented samples: 4 log2 d, rounded up. */
    public static int augmented(int bits) {
        return (int) Math.ceil(4 * Math.log(bits) / Math.log(2) - 1e-9);
    }

    public SelfConsistency with(double otherThreshold, DoubleUnaryOperator otherRounding, boolean byLevel) {
        return new SelfConsistency(lambda, otherThreshold, otherRounding, byLevel, link);
    }

    /** eta of a level, counted from 1. */
    public double rate(ParityTree tree, int level) {
        double base = rateByLevel ? tree.end(level - 1) : tree.bits();
        return lambda * base * base / (2 * link.curvature());
    }

    /**
     * One step: W - eta G, rounded.
     *
     * @param signs the columns of all nodes
     * @param augmented samples without answers, d columns
     */
    public ChainWeights step(
            ChainWeights weights, SignColumns signs, SignColumns augmented, GradientOracle oracle, Workers workers) {
        var model = new ParityTransformer(weights, link, workers);
        double[] gradient = new double[weights.size()];
        model.gradient(signs, ChainLoss.generated(model.filtered(augmented, threshold)), gradient);
        return weights.minus(oracle.answer(gradient), level -> rate(weights.tree(), level))
                .rounded(rounding);
    }

    /** The weights after log2 k steps. */
    public ChainWeights learn(
            ParityTree tree, SignColumns signs, SignColumns augmented, GradientOracle oracle, Workers workers) {
        var weights = new ChainWeights(tree, ChainMask.LEVEL_BY_LEVEL);
        for (int step = 0; step < tree.height(); step++) {
            weights = step(weights, signs, augmented, oracle, workers);
        }
        return weights;
    }
}
