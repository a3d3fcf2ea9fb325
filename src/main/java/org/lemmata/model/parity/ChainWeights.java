package org.lemmata.model.parity;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import org.lemmata.index.ParityTree;

/**
 * The scores W: a score w_{j,m} for each node m beyond the bits and each node j that m attends to; all other scores are
 * -infinity. The scores of one node m are adjacent. Nodes are counted from 1.
 */
public final class ChainWeights {

    private final ParityTree tree;
    private final int[] visible;
    private final int[] offsets;
    private final double[] values;

    /** Creates W = 0. */
    public ChainWeights(ParityTree tree, ChainMask mask) {
        this.tree = tree;
        int parities = tree.size() - 1;
        visible = new int[parities];
        offsets = new int[parities + 1];
        for (int i = 0; i < parities; i++) {
            visible[i] = mask.visible(tree, tree.bits() + 1 + i);
            offsets[i + 1] = offsets[i] + visible[i];
        }
        values = new double[offsets[parities]];
    }

    private ChainWeights(ChainWeights like, double[] values) {
        tree = like.tree;
        visible = like.visible;
        offsets = like.offsets;
        this.values = values;
    }

    public ParityTree tree() {
        return tree;
    }

    public int size() {
        return values.length;
    }

    public int visible(int node) {
        return visible[node - tree.bits() - 1];
    }

    /** The offset of the scores of {@code node} in flat arrays of this layout. */
    public int offset(int node) {
        return offsets[node - tree.bits() - 1];
    }

    public double get(int j, int node) {
        return values[at(j, node)];
    }

    public void set(int j, int node, double value) {
        values[at(j, node)] = value;
    }

    private int at(int j, int node) {
        if (j < 1 || j > visible(node)) {
            throw new IllegalArgumentException(
                    "j: expected 1 to " + visible(node) + ", which node " + node + " attends to, got " + j);
        }
        return offset(node) + j - 1;
    }

    /**
     * W - eta_l G, with a rate for each level l.
     *
     * @param gradient G, in this layout
     * @param rate eta_l as a function of l = 1, 2, ...
     */
    public ChainWeights minus(double[] gradient, IntToDoubleFunction rate) {
        double[] next = new double[values.length];
        for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
            double eta = rate.applyAsDouble(tree.level(node));
            for (int at = offset(node); at < offset(node) + visible(node); at++) {
                next[at] = values[at] - eta * gradient[at];
            }
        }
        return new ChainWeights(this, next);
    }

    public ChainWeights rounded(DoubleUnaryOperator rounding) {
        return new ChainWeights(this, Arrays.stream(values).map(rounding).toArray());
    }

    /** Rounding to multiples of {@code grid}, with halves rounded up. */
    public static DoubleUnaryOperator toMultiples(double grid) {
        return weight -> grid * Math.floor(weight / grid + 0.5);
    }

    /** sigma_j(w_m) = exp(w_{j,m}) / sum_a exp(w_{a,m}), in this layout. */
    public double[] softmax() {
        double[] sigma = new double[values.length];
        for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
            int begin = offset(node);
            int end = begin + visible(node);
            double maximum = Double.NEGATIVE_INFINITY;
            for (int at = begin; at < end; at++) {
                maximum = Math.max(maximum, values[at]);
            }
            double sum = 0;
            for (int at = begin; at < end; at++) {
                // StrictMath gives the same bits on every machine.
                sigma[at] = StrictMath.exp(values[at] - maximum);
                sum += sigma[at];
            }
            for (int at = begin; at < end; at++) {
                sigma[at] /= sum;
            }
        }
        return sigma;
    }

    /**
     * For each level from 1 to the height, whether a node of a lower level is not learned, because none of its sigma_j
     * is above {@code score}.
     */
    public boolean[] unlearned(double score) {
        double[] sigma = softmax();
        boolean[] unlearned = new boolean[tree.height() + 1];
        for (int node = tree.bits() + 1; node < tree.nodes(); node++) {
            int begin = offset(node);
            if (Arrays.stream(sigma, begin, begin + visible(node)).allMatch(each -> each <= score)) {
                Arrays.fill(unlearned, tree.level(node) + 1, unlearned.length, true);
            }
        }
        return unlearned;
    }
}
