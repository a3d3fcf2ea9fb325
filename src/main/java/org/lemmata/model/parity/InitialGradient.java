package org.lemmata.model.parity;

import java.util.Arrays;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;

/**
 * The gradient of the teacher-forcing loss at W = 0, computed from packed bits.
 *
 * <p>At W = 0, z_m is the mean of the M nodes that m attends to and thus has M + 1 possible values. The gradient is dL
 * / dw_{j,m} = 1 / (n M) sum_i g(z_m, x_m) (x_j - z_m) with g(z, x) = (phi(z) - x) phi'(z). A table has g in fixed
 * point with {@value #BITS} bits. Then sum_i g x_j is the sum of g minus twice the sum of g over the set N_j of samples
 * with x_j = -1. Bit b of the n values of g + h forms plane_b, where h = 2^(BITS - 1) makes the values positive. The
 * second sum, sum_b 2^b |plane_b AND N_j| - h |N_j|, is counted for 64 samples at a time. The counts are exact, so any
 * order of threads gives the same bits.
 *
 * <p>Source: Kim and Suzuki (2024), equation 6.
 */
public final class InitialGradient {

    /** Bits of g: rounding changes g by at most 2^(1 - {@value #BITS}) of the maximum of |g|. */
    static final int BITS = 24;

    /** Words of a chunk, each with 64 samples. The planes of a chunk and one column fit in the L2 cache. */
    private static final int WORDS = 256;

    private final SignColumns signs;
    private final ParityLink link;
    private final ChainWeights layout;
    private final ParityTree tree;
    private final long[] sums;
    private final long[] histogram;
    private final int[] histograms;

    private InitialGradient(ChainWeights layout, ParityLink link, SignColumns signs) {
        this.layout = layout;
        this.link = link;
        this.signs = signs;
        tree = layout.tree();
        signs.requireColumns(tree.nodes());
        sums = new long[layout.size()];
        histograms = new int[tree.size()];
        for (int i = 1; i < histograms.length; i++) {
            histograms[i] = histograms[i - 1] + 2 * (layout.visible(tree.bits() + i) + 1);
        }
        histogram = new long[histograms[histograms.length - 1]];
    }

    /**
     * Writes the gradient at W = 0 into {@code gradient}; returns the loss there.
     *
     * @param layout has the tree, the mask, and as many scores as {@code gradient} has elements
     * @param signs the columns of all nodes
     */
    public static double of(
            ChainWeights layout, ParityLink link, SignColumns signs, Workers workers, double[] gradient) {
        return new InitialGradient(layout, link, signs).run(workers, gradient);
    }

    /** g in fixed point, and its unit. The value for x = 1 and c negative nodes has index 2 c; for x = -1, 2 c + 1. */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
    private record Table(int[] values, double unit) {

        static Table of(ParityLink link, int visible) {
            double[] exact = new double[2 * (visible + 1)];
            double maximum = 0;
            for (int at = 0; at < exact.length; at++) {
                double z = mean(visible, at >> 1);
                exact[at] = (link.value(z) - ((at & 1) == 0 ? 1 : -1)) * link.slope(z);
                maximum = Math.max(maximum, Math.abs(exact[at]));
            }
            // A power of two makes scaling exact. |g / unit| is below 2^(BITS - 1).
            double unit = maximum == 0 ? 1 : Math.scalb(1.0, Math.getExponent(maximum) + 2 - BITS);
            return new Table(
                    Arrays.stream(exact)
                            .mapToInt(g -> (int) Math.min(Math.rint(g / unit), (1 << (BITS - 1)) - 1))
                            .toArray(),
                    unit);
        }

        /** z if {@code negatives} of the {@code visible} nodes are -1. */
        static double mean(int visible, int negatives) {
            return (double) (visible - 2 * negatives) / visible;
        }
    }

    private double run(Workers workers, double[] gradient) {
        Table[] tables = new Table[tree.size() - 1];
        Arrays.setAll(tables, i -> Table.of(link, layout.visible(tree.bits() + 1 + i)));
        workers.run(Math.ceilDiv(signs.words(), WORDS), chunk -> count(chunk * WORDS, tables));
        double loss = 0;
        for (int i = 0; i < tables.length; i++) {
            int node = tree.bits() + 1 + i;
            int visible = layout.visible(node);
            double own = 0;
            for (int at = 0; at < tables[i].values.length; at++) {
                long samples = histogram[histograms[i] + at];
                double z = Table.mean(visible, at >> 1);
                double error = link.value(z) - ((at & 1) == 0 ? 1 : -1);
                own += samples * (double) tables[i].values[at] * z;
                loss += samples * error * error;
            }
            double factor = tables[i].unit / ((double) signs.samples() * visible);
            for (int j = layout.offset(node); j < layout.offset(node) + visible; j++) {
                gradient[j] = factor * (sums[j] - own);
            }
        }
        return loss / (2.0 * signs.samples());
    }

    /** Adds the counts of a chunk, whose words begin at {@code from}, to {@code sums} and {@code histogram}. */
    private void count(int from, Table[] tables) {
        int words = Math.min(WORDS, signs.words() - from);
        int samples = Math.min(words * Long.SIZE, signs.samples() - from * Long.SIZE);
        int[] negatives = new int[samples];
        long[] planes = new long[BITS * WORDS];
        long[] square = new long[Long.SIZE];
        int[] ones = new int[layout.visible(tree.nodes())];
        long[] ofNode = new long[ones.length];
        long[] counts = new long[2 * tree.nodes()];
        int seen = 0;
        for (int i = 0; i < tables.length; i++) {
            int node = tree.bits() + 1 + i;
            int visible = layout.visible(node);
            for (; seen < visible; seen++) {
                for (int sample = 0; sample < samples; sample++) {
                    negatives[sample] += bit(seen, from, sample);
                    ones[seen] += bit(seen, from, sample);
                }
            }
            Arrays.fill(counts, 0);
            for (int word = 0; word < words; word++) {
                Arrays.fill(square, 0);
                for (int sample = word * Long.SIZE; sample < Math.min(samples, (word + 1) * Long.SIZE); sample++) {
                    int at = 2 * negatives[sample] + bit(node - 1, from, sample);
                    counts[at]++;
                    square[sample % Long.SIZE] = tables[i].values[at] + (1L << (BITS - 1));
                }
                transpose(square);
                for (int bit = 0; bit < BITS; bit++) {
                    planes[bit * WORDS + word] = square[bit];
                }
            }
            long total = 0;
            for (int at = 0; at < tables[i].values.length; at++) {
                total += counts[at] * tables[i].values[at];
            }
            for (int j = 0; j < visible; j++) {
                ofNode[j] = total - 2 * ofNegatives(planes, signs.offset(j) + from, words, ones[j]);
            }
            synchronized (this) {
                for (int j = 0; j < visible; j++) {
                    sums[layout.offset(node) + j] += ofNode[j];
                }
                for (int at = 0; at < tables[i].values.length; at++) {
                    histogram[histograms[i] + at] += counts[at];
                }
            }
        }
    }

    private int bit(int column, int from, int sample) {
        return (int) (signs.bits()[signs.offset(column) + from + (sample >> 6)] >>> sample & 1);
    }

    /** The sum of g over the samples whose sign in a column is -1. The planes store g + 2^(BITS - 1). */
    private long ofNegatives(long[] planes, int column, int words, int negatives) {
        long sum = -((long) negatives << (BITS - 1));
        for (int bit = 0; bit < BITS; bit += 4) {
            sum += (long) common(planes, bit * WORDS, column, words) << bit;
        }
        return sum;
    }

    /**
     * The weighted number of bits that four consecutive planes have in common with a column. Each plane counts twice as
     * much as the previous plane.
     */
    private int common(long[] planes, int plane, int column, int words) {
        long[] bits = signs.bits();
        int common = 0;
        for (int word = 0; word < words; word++) {
            long x = bits[column + word];
            int upper = Long.bitCount(planes[plane + 2 * WORDS + word] & x)
                    + 2 * Long.bitCount(planes[plane + 3 * WORDS + word] & x);
            int next = Long.bitCount(planes[plane + WORDS + word] & x) + 2 * upper;
            common += Long.bitCount(planes[plane + word] & x) + 2 * next;
        }
        return common;
    }

    /** Transposes a matrix of bits: bit i of row j becomes bit j of row i. Swaps blocks of 32, 16, ..., 1 bits. */
    static void transpose(long[] rows) {
        long mask = 0xFFFFFFFFL;
        for (int size = 32; size > 0; size >>= 1, mask ^= mask << size) {
            for (int row = 0; row < Long.SIZE; row = (row + size + 1) & ~size) {
                long swap = ((rows[row] >>> size) ^ rows[row + size]) & mask;
                rows[row] ^= swap << size;
                rows[row + size] ^= swap;
            }
        }
    }
}
