package org.lemmata.model.parity;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.lemmata.argument.Refuse;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;

/**
 * The one-layer transformer whose attention depends only on positions: x̂_m = phi(sum_j softmax(w_m)_j x̂_j). Applying
 * it to its own outputs until they no longer change gives the nodes of the chain one after the other.
 *
 * <p>All arithmetic is binary64. Only the number of samples determines the chunks, whose contributions to sums are
 * added in order. So the bits are the same for any number of threads and on every machine.
 *
 * <p>Source: Kim and Suzuki (2024), sections 2.2 and 3.3.
 */
public final class ParityTransformer {

    private static final int MIN_CHUNK = 1024;
    private static final int MAX_CHUNKS = 32;

    private final ChainWeights weights;
    private final ParityLink link;
    private final Workers workers;
    private final double[] sigma;

    /** @param workers threads that share the samples */
    public ParityTransformer(ChainWeights weights, ParityLink link, Workers workers) {
        this.weights = weights;
        this.link = link;
        this.workers = workers;
        sigma = weights.softmax();
    }

    private ParityTree tree() {
        return weights.tree();
    }

    /**
     * iota: for each level from 1 to the height, whether it is set to 0. A level is set to 0 if a node of the level
     * below is closer to -1 than the threshold in all augmented samples. As in the paper, outputs that are set to 0
     * have distance 1 from -1.
     *
     * @param augmented samples of the bits only, one column per bit
     */
    public boolean[] filtered(SignColumns augmented, double threshold) {
        boolean[] filtered = new boolean[tree().height() + 1];
        information(augmented, threshold, filtered);
        return filtered;
    }

    /**
     * Writes iota into {@code filtered}. Returns, for each level from 1 on, the distance compared with the threshold.
     */
    double[] information(SignColumns augmented, double threshold, boolean[] filtered) {
        ParityTree tree = tree();
        double[] information = new double[filtered.length];
        var block = new ChainBlock(weights, sigma, link, ChainLoss.generated(filtered));
        for (int level = 1; level <= tree.height(); level++) {
            double[] maxima = new double[tree.end(level - 1) - tree.end(level - 2)];
            for (int from = 0; from < augmented.samples(); from += ChainBlock.SAMPLES) {
                block.forward(augmented, from);
                for (int i = 0; i < Math.min(ChainBlock.SAMPLES, augmented.samples() - from); i++) {
                    for (int j = 0; j < maxima.length; j++) {
                        double distance = Math.abs(block.output(tree.end(level - 2) + 1 + j, i) + 1);
                        maxima[j] = Math.max(maxima[j], distance);
                    }
                }
            }
            information[level] = Arrays.stream(maxima).min().orElseThrow();
            filtered[level] = information[level] < threshold;
        }
        return information;
    }

    /**
     * The chain of one sample: the outputs of all nodes, beginning with the bits.
     *
     * @param inputs one column per bit
     */
    public double[] chain(SignColumns inputs, int sample) {
        var block = new ChainBlock(weights, sigma, link, ChainLoss.generated(new boolean[tree().height() + 1]));
        int from = sample - sample % ChainBlock.SAMPLES;
        block.forward(inputs, from);
        double[] chain = new double[tree().nodes()];
        Arrays.setAll(chain, node -> block.output(node + 1, sample - from));
        return chain;
    }

    /**
     * The errors of the chain's answers.
     *
     * @param maxError the maximum of |ŷ - y|, where ŷ is an answer and y its true value
     * @param wrong number of answers whose sign differs from the sign of y; answers of 0 are wrong
     * @param errorByLevel for each level, the maximum of |x̂_m - x_m| over its nodes; the bits are level 0
     */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
    public record Errors(double maxError, long wrong, long samples, double[] errorByLevel) {

        /** The share of wrong answers. */
        public double rate() {
            return (double) wrong / samples;
        }

        @Override
        public String toString() {
            return wrong + " of " + samples + " wrong, maximum error " + (float) maxError + ", by level "
                    + Arrays.stream(errorByLevel)
                            .mapToObj(error -> (float) error)
                            .toList();
        }
    }

    /**
     * Generates the chain of each sample from its bits, and compares the chain with the true values of its nodes.
     *
     * @param signs the columns of all nodes
     * @param filtered for each level, whether it is set to 0
     */
    public Errors errors(SignColumns signs, boolean[] filtered) {
        signs.requireColumns(tree().nodes());
        ParityTree tree = tree();
        int chunk = chunk(signs.samples());
        double[][] byLevel = new double[Math.ceilDiv(signs.samples(), chunk)][tree.height() + 1];
        var wrong = new AtomicLong();
        workers.run(byLevel.length, index -> {
            var block = new ChainBlock(weights, sigma, link, ChainLoss.generated(filtered));
            int end = Math.min(signs.samples(), (index + 1) * chunk);
            for (int from = index * chunk; from < end; from += ChainBlock.SAMPLES) {
                block.forward(signs, from);
                for (int i = 0; i < Math.min(ChainBlock.SAMPLES, end - from); i++) {
                    for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
                        double error = Math.abs(block.output(node, i) - block.truth(node, i));
                        int level = tree.level(node);
                        byLevel[index][level] = Math.max(byLevel[index][level], error);
                    }
                    if (!(block.output(tree.nodes(), i) * block.truth(tree.nodes(), i) > 0)) {
                        wrong.incrementAndGet();
                    }
                }
            }
        });
        double[] maxima = new double[tree.height() + 1];
        Arrays.setAll(
                maxima,
                level -> Arrays.stream(byLevel)
                        .mapToDouble(part -> part[level])
                        .max()
                        .orElseThrow());
        return new Errors(maxima[tree.height()], wrong.get(), signs.samples(), maxima);
    }

    public Errors errors(SignColumns signs) {
        return errors(signs, new boolean[tree().height() + 1]);
    }

    /**
     * Writes the gradient of a loss into {@code gradient}, in the layout of the weights; returns the loss.
     *
     * @param signs the columns of all nodes
     */
    public double gradient(SignColumns signs, ChainLoss loss, double[] gradient) {
        signs.requireColumns(tree().nodes());
        Refuse.when(gradient.length != weights.size(), "gradient", weights.size() + " places", gradient.length);
        int chunk = chunk(signs.samples());
        int parities = tree().size() - 1;
        int count = Math.ceilDiv(signs.samples(), chunk);
        double[][] dots = new double[count][];
        double[][] owns = new double[count][];
        double[] losses = new double[count];
        workers.run(count, index -> {
            var block = new ChainBlock(weights, sigma, link, loss);
            double[] dot = new double[gradient.length];
            double[] own = new double[parities];
            int end = Math.min(signs.samples(), (index + 1) * chunk);
            for (int from = index * chunk; from < end; from += ChainBlock.SAMPLES) {
                block.forward(signs, from);
                losses[index] += block.backward(dot, own, Math.min(ChainBlock.SAMPLES, end - from));
            }
            dots[index] = dot;
            owns[index] = own;
        });
        for (int index = 1; index < count; index++) {
            addTo(dots[0], dots[index]);
            addTo(owns[0], owns[index]);
            losses[0] += losses[index];
        }
        for (int node = tree().bits() + 1; node <= tree().nodes(); node++) {
            double own = owns[0][node - tree().bits() - 1];
            for (int at = weights.offset(node); at < weights.offset(node) + weights.visible(node); at++) {
                gradient[at] = sigma[at] * (dots[0][at] - own) / signs.samples();
            }
        }
        return losses[0] / signs.samples();
    }

    private static void addTo(double[] sum, double[] part) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += part[i];
        }
    }

    /**
     * The number of samples per chunk, a multiple of the block size. The number of chunks is at most
     * {@value #MAX_CHUNKS}, because each chunk has its own sums in memory.
     */
    private static int chunk(int samples) {
        int least = Math.max(MIN_CHUNK, Math.ceilDiv(samples, MAX_CHUNKS));
        return Math.ceilDiv(least, ChainBlock.SAMPLES) * ChainBlock.SAMPLES;
    }

    /**
     * The forward and backward pass of at most {@value #SAMPLES} samples. Values are stored by node for averages and by
     * sample for the gradient, so that both loops run along rows.
     */
    private static final class ChainBlock {

        static final int SAMPLES = 32;

        private final ParityLink link;
        private final ChainWeights layout;
        private final ParityTree tree;
        private final double[] sigma;
        private final ChainLoss loss;
        private final int nodes;

        /** The inputs of the nodes, by node. With teacher forcing, these are the true values. */
        private final double[] read;

        /** The inputs of the nodes, by sample. */
        private final double[] readBySample;

        private final double[] averages;
        private final double[] outputs;
        private final double[] truth;
        private final double[] dOutputs;
        private final double[] dAverage = new double[SAMPLES];

        ChainBlock(ChainWeights layout, double[] sigma, ParityLink link, ChainLoss loss) {
            this.layout = layout;
            this.sigma = sigma;
            this.link = link;
            this.loss = loss;
            tree = layout.tree();
            nodes = tree.nodes();
            read = new double[nodes * SAMPLES];
            readBySample = new double[nodes * SAMPLES];
            averages = new double[nodes * SAMPLES];
            outputs = new double[nodes * SAMPLES];
            truth = new double[nodes * SAMPLES];
            dOutputs = new double[nodes * SAMPLES];
        }

        /** x̂ for a node, counted from 1, and a sample of the block. */
        double output(int node, int sample) {
            return outputs[(node - 1) * SAMPLES + sample];
        }

        /** x for a node, counted from 1, and a sample of the block. */
        double truth(int node, int sample) {
            return truth[(node - 1) * SAMPLES + sample];
        }

        /**
         * x̂_m = phi(z_m) with the average z_m = sum_j sigma_j r_j, or 0 if the level of m is filtered. r_j is x_j with
         * teacher forcing, otherwise x̂_j.
         *
         * @param signs the bits, and all other nodes if the loss needs their true values
         * @param from the first sample; samples beyond the last count as +1
         */
        void forward(SignColumns signs, int from) {
            int count = Math.min(SAMPLES, signs.samples() - from);
            Arrays.fill(truth, 1);
            for (int column = 0; column < signs.columns(); column++) {
                for (int i = 0; i < count; i++) {
                    truth[column * SAMPLES + i] = signs.sign(column, from + i);
                }
            }
            System.arraycopy(truth, 0, read, 0, (loss.teacherForcing() ? nodes : tree.bits()) * SAMPLES);
            System.arraycopy(truth, 0, outputs, 0, tree.bits() * SAMPLES);
            for (int node = tree.bits() + 1; node <= nodes; node++) {
                int row = (node - 1) * SAMPLES;
                if (loss.filtered()[tree.level(node)]) {
                    Arrays.fill(outputs, row, row + SAMPLES, 0);
                } else {
                    average(node, row);
                    for (int i = 0; i < SAMPLES; i++) {
                        outputs[row + i] = link.value(averages[row + i]);
                    }
                }
                if (!loss.teacherForcing()) {
                    System.arraycopy(outputs, row, read, row, SAMPLES);
                }
            }
        }

        /** Computes the averages of a node from four rows at a time, so that the sum is accessed once per four rows. */
        private void average(int node, int row) {
            Arrays.fill(averages, row, row + SAMPLES, 0);
            int scores = layout.offset(node);
            int visible = layout.visible(node);
            int j = 0;
            for (; j + 3 < visible; j += 4) {
                double s0 = sigma[scores + j];
                double s1 = sigma[scores + j + 1];
                double s2 = sigma[scores + j + 2];
                double s3 = sigma[scores + j + 3];
                int x = j * SAMPLES;
                for (int i = 0; i < SAMPLES; i++) {
                    averages[row + i] += s0 * read[x + i]
                            + s1 * read[x + SAMPLES + i]
                            + (s2 * read[x + 2 * SAMPLES + i] + s3 * read[x + 3 * SAMPLES + i]);
                }
            }
            for (; j < visible; j++) {
                for (int i = 0; i < SAMPLES; i++) {
                    averages[row + i] += sigma[scores + j] * read[j * SAMPLES + i];
                }
            }
        }

        /** The block's part of n times the loss. Also computes its derivatives with respect to the outputs. */
        private double loss(int count) {
            double sum = 0;
            for (int node = tree.bits() + 1; node <= nodes; node++) {
                boolean counts = node == nodes || !loss.finalAnswerAlone();
                for (int i = 0; i < SAMPLES; i++) {
                    int at = (node - 1) * SAMPLES + i;
                    dOutputs[at] = counts && i < count ? outputs[at] - truth[at] : 0;
                    sum += dOutputs[at] * dOutputs[at];
                }
            }
            return sum / 2;
        }

        /**
         * Adds the contribution of the samples of the last {@link #forward} to the sums dot_{j,m} = sum_i dz_m r_j and
         * own_m = sum_i dz_m z_m. The gradient is dw_{j,m} = sigma_j (dot_{j,m} - own_m) / n.
         *
         * @param dot the sums dot, in the layout of the weights
         * @param own one element per node beyond the bits
         * @param count number of samples of the block
         * @return n times the block's part of the loss
         */
        double backward(double[] dot, double[] own, int count) {
            double sum = loss(count);
            for (int node = 0; node < nodes; node++) {
                for (int i = 0; i < SAMPLES; i++) {
                    readBySample[i * nodes + node] = read[node * SAMPLES + i];
                }
            }
            for (int node = nodes; node > tree.bits(); node--) {
                if (!loss.filtered()[tree.level(node)]) {
                    backward(node, dot, own);
                }
            }
            return sum;
        }

        private void backward(int node, double[] dot, double[] own) {
            int row = (node - 1) * SAMPLES;
            int scores = layout.offset(node);
            int visible = layout.visible(node);
            double ownSum = 0;
            for (int i = 0; i < SAMPLES; i++) {
                dAverage[i] = dOutputs[row + i] * link.slope(averages[row + i]);
                ownSum += dAverage[i] * averages[row + i];
            }
            own[node - tree.bits() - 1] += ownSum;
            for (int i = 0; i < SAMPLES; i += 8) {
                double d0 = dAverage[i];
                double d1 = dAverage[i + 1];
                double d2 = dAverage[i + 2];
                double d3 = dAverage[i + 3];
                double d4 = dAverage[i + 4];
                double d5 = dAverage[i + 5];
                double d6 = dAverage[i + 6];
                double d7 = dAverage[i + 7];
                int x = i * nodes;
                int y = x + 4 * nodes;
                for (int j = 0; j < visible; j++) {
                    dot[scores + j] = dot[scores + j]
                            + (d0 * readBySample[x + j]
                                    + d1 * readBySample[x + nodes + j]
                                    + (d2 * readBySample[x + 2 * nodes + j] + d3 * readBySample[x + 3 * nodes + j]))
                            + (d4 * readBySample[y + j]
                                    + d5 * readBySample[y + nodes + j]
                                    + (d6 * readBySample[y + 2 * nodes + j] + d7 * readBySample[y + 3 * nodes + j]));
                }
            }
            if (!loss.teacherForcing()) {
                for (int j = tree.bits(); j < visible; j++) {
                    for (int i = 0; i < SAMPLES; i++) {
                        dOutputs[j * SAMPLES + i] += sigma[scores + j] * dAverage[i];
                    }
                }
            }
        }
    }
}
