package org.lemmata.kernel.attention.peer;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Fixed random inputs of causal softmax attention over sequences of equal length, its work, and a check against
 * binary64. Arrays are batch x length x heads x width, as in Lemmata's kernels.
 */
final class AttentionPeerProblem {

    /**
     * Maximum error in units of 2^-23 of the largest element. The error of sums of a thousand terms is smaller; the
     * error of the output of a wrong row is not.
     */
    private static final double MAX_ULPS = 128;

    /** The work of the backward pass divided by the work of the two products of the forward pass. */
    private static final double BACKWARD_WORK = 2.5;

    final int batch;
    final int heads;
    final int length;
    final int width;
    final float[] queries;
    final float[] keys;
    final float[] values;
    final float[] dOutputs;

    AttentionPeerProblem(int batch, int heads, int length, int width) {
        this.batch = batch;
        this.heads = heads;
        this.length = length;
        this.width = width;
        SplittableRandom random = new SplittableRandom(20251121);
        queries = random(random);
        keys = random(random);
        values = random(random);
        dOutputs = random(random);
    }

    private float[] random(SplittableRandom random) {
        float[] x = new float[size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        return x;
    }

    int size() {
        return batch * length * heads * width;
    }

    double scoreScale() {
        return 1 / Math.sqrt(width);
    }

    /** The operations of the causal formula, 4 width n (n + 1) / 2 per head, not of the full square. */
    double forwardFlops() {
        return 4.0 * width * batch * heads * (length * (length + 1.0) / 2);
    }

    double forwardBytes() {
        return 4.0 * Float.BYTES * size();
    }

    double bothFlops() {
        return (1 + BACKWARD_WORK) * forwardFlops();
    }

    /** The bytes of queries, keys, values, outputs, and the gradients of all four. */
    double bothBytes() {
        return 8.0 * Float.BYTES * size();
    }

    /**
     * Checks the first head of the first sequence and the last head of the last sequence.
     *
     * @param results outputs, possibly followed by the gradients of queries, keys and values
     * @return the maximum error, in units of 2^-23 of the largest element of its array and head
     * @throws IllegalStateException if the error is too large
     */
    double checkedErrorUlps(List<float[]> results) {
        return Math.max(checkedErrorUlps(results, 0, 0), checkedErrorUlps(results, batch - 1, heads - 1));
    }

    private double checkedErrorUlps(List<float[]> results, int sequence, int head) {
        ExactHead exact = new ExactHead(
                head(queries, sequence, head),
                head(keys, sequence, head),
                head(values, sequence, head),
                head(dOutputs, sequence, head),
                length,
                scoreScale());
        List<double[]> expected = List.of(exact.outputs, exact.dQueries, exact.dKeys, exact.dValues);
        double maxUlps = 0;
        for (int result = 0; result < results.size(); result++) {
            double[] found = head(results.get(result), sequence, head);
            double maximum = 0;
            double error = 0;
            for (int i = 0; i < found.length; i++) {
                maximum = Math.max(maximum, Math.abs(expected.get(result)[i]));
                error = Math.max(error, Math.abs(found[i] - expected.get(result)[i]));
            }
            double ulps = error / (maximum * 0x1p-23);
            if (!(ulps <= MAX_ULPS)) {
                throw new IllegalStateException("result " + result + ", sequence " + sequence + ", head " + head
                        + ": expected at most " + MAX_ULPS + " units of the largest element, got " + ulps);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    /** The rows of one head, length x width. */
    private double[] head(float[] all, int sequence, int head) {
        double[] one = new double[length * width];
        for (int i = 0; i < length; i++) {
            for (int d = 0; d < width; d++) {
                one[i * width + d] = all[((sequence * length + i) * heads + head) * width + d];
            }
        }
        return one;
    }
}
