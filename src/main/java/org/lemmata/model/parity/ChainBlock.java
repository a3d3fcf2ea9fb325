package org.lemmata.model.parity;

import java.util.Arrays;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;

/**
 * The pass of at most {@value #SAMPLES} samples through the chain, and back. Values lie by node, a row of samples each,
 * for averages, and by sample for the gradient, so that both run along rows.
 */
final class ChainBlock {

    static final int SAMPLES = 32;

    private final ParityLink link;
    private final ChainWeights layout;
    private final ParityTree tree;
    private final double[] sigma;
    private final ChainLoss loss;
    private final int nodes;

    /** What nodes read, by node; true values where these are forced. */
    private final double[] read;

    /** The same by sample. */
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

    /** x̂ of a node, counted from 1, and a sample of the block. */
    double output(int node, int sample) {
        return outputs[(node - 1) * SAMPLES + sample];
    }

    /** x of a node and a sample of the block. */
    double truth(int node, int sample) {
        return truth[(node - 1) * SAMPLES + sample];
    }

    /**
     * x̂_m = phi(sum_j sigma_j x_j), or 0 where its level is filtered.
     *
     * @param signs the bits, and all other nodes where true values are asked for
     * @param from the first sample; what is beyond the last one is computed of +1
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

    /** Four rows at a time: the sum is read and written once for them. */
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

    /** The block's part of the loss times n, and its derivatives by the outputs. */
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
     * Adds what the samples of the last {@link #forward} contribute to n times the gradient, without the factor
     * sigma_j: dot_{j,m} = sum_i dz_m x_j and own_m = sum_i dz_m z_m, of which dw_{j,m} = sigma_j (dot_{j,m} - own_m) /
     * n.
     *
     * @param dot in the layout of the weights
     * @param own one a node beyond the bits
     * @param count samples of the block
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
