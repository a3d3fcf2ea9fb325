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
 * log2 k steps of gradient descent through the generated chain, from W = 0, with a filter of what cannot be right and
 * with rounded weights.
 *
 * <p>Source: Kim and Suzuki (2024), theorem 7, which has integers and one rate. {@link #corrected} has a threshold
 * above 1, since a level that was set to 0 is 1 away from -1; one that untrained nodes do not reach at small d. For
 * fewer samples it has a grid of 12 in place of 1, by which siblings have equal scores, and a rate for each level that
 * makes these lambda.
 *
 * @param lambda about what the score of a child becomes; above 0, at most 10^6
 * @param threshold epsilon_0 of the filter; 0 filters nothing
 * @param rounding of each weight after each step
 * @param rateByLevel whether eta is lambda d_(l-1)² / (2 c) at level l, or lambda d² / (2 c) at all
 */
public record SelfConsistency(
        double lambda, double threshold, DoubleUnaryOperator rounding, boolean rateByLevel, ParityLink link) {

    /** To multiples of 12, by which siblings have equal scores. */
    public static final DoubleUnaryOperator GRID = ChainWeights.toMultiples(12);

    public SelfConsistency {
        TeacherForcing.requireLambda(lambda);
        Refuse.when(!(threshold >= 0), "threshold", "a number of at least 0", threshold);
    }

    /** For few samples of d bits. */
    public static SelfConsistency corrected(int bits, double lambda, ParityLink link) {
        return new SelfConsistency(lambda, bits <= 16 ? 1.8 : 1.6, GRID, true, link);
    }

    /**
     * Lambda of {@link #corrected}: where few of few bits count, level 1 falls short of half a grid step more often.
     */
    public static double defaultLambda(int bits, int size) {
        return bits <= 16 && size < bits ? 14 : 12;
    }

    /** n', how many augmented samples are drawn: 4 log2 d, rounded up. */
    public static int augmented(int bits) {
        return (int) Math.ceil(4 * Math.log(bits) / Math.log(2) - 1e-9);
    }

    public SelfConsistency with(double otherThreshold, DoubleUnaryOperator otherRounding, boolean byLevel) {
        return new SelfConsistency(lambda, otherThreshold, otherRounding, byLevel, link);
    }

    /** eta of a level from 1 on. */
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
