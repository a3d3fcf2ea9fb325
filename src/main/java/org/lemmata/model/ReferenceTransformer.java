package org.lemmata.model;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Erfc;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.token.Batch;

/**
 * The transformer in binary64, computed position by position from the formulas of {@link Architecture} without kernels.
 *
 * <p>This slow and short class is the reference for {@link Transformer} and its gradients. It also runs constructions
 * that need more significand bits than binary32 has. Constants that the architecture stores in binary32, such as the
 * score scale, keep their binary32 values.
 */
public final class ReferenceTransformer implements LanguageModel {

    private final ExactParameters parameters;
    private final Architecture architecture;
    private final ParameterIndex index;

    public ReferenceTransformer(ExactParameters parameters) {
        this.parameters = parameters;
        this.architecture = parameters.architecture();
        this.index = new ParameterIndex(architecture);
    }

    @Override
    public Architecture architecture() {
        return architecture;
    }

    @Override
    public double[] logits(Batch batch) {
        LanguageModel.check(architecture, batch);
        return outputs(batch, false);
    }

    @Override
    public double[] lastLogits(Batch batch) {
        LanguageModel.check(architecture, batch);
        LanguageModel.checkNotEmpty(batch);
        return outputs(batch, true);
    }

    private double[] outputs(Batch batch, boolean onlyLast) {
        return IntStream.range(0, batch.sequences().count())
                .mapToObj(sequence ->
                        outputs(batch, sequence, onlyLast ? batch.sequences().length(sequence) - 1 : 0))
                .flatMap(Arrays::stream)
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    /** The outputs of a sequence from position {@code from} on. The last layer is computed only for these positions. */
    private double[][] outputs(Batch batch, int sequence, int from) {
        double[][] x = embed(Arrays.copyOfRange(
                batch.ids(),
                batch.sequences().start(sequence),
                batch.sequences().end(sequence)));
        for (int layer = 0; layer < architecture.layers(); layer++) {
            x = attention(x, layer, layer == architecture.layers() - 1 ? from : 0, new double[heads()][]);
            x = feedForward(x, layer);
        }
        if (architecture.placement() == Placement.PRE) {
            x = norm(x, ParameterRole.FINAL_NORM_GAIN, ParameterRole.FINAL_NORM_SHIFT, ParameterView.NO_LAYER);
        }
        return Arrays.stream(x).map(this::unembed).toArray(double[][]::new);
    }

    /**
     * The attention weights of the last position of a sequence: element [layer][head][j] is the weight of position j.
     *
     * @throws IllegalArgumentException as {@link #lastLogits}
     */
    public double[][][] lastAttention(int... ids) {
        Batch batch = Batch.of(List.of(ids));
        LanguageModel.check(architecture, batch);
        LanguageModel.checkNotEmpty(batch);
        double[][][] weights = new double[architecture.layers()][heads()][];
        double[][] x = embed(ids);
        for (int layer = 0; layer < architecture.layers(); layer++) {
            boolean last = layer == architecture.layers() - 1;
            x = attention(x, layer, last ? ids.length - 1 : 0, weights[layer]);
            x = last ? x : feedForward(x, layer);
        }
        return weights;
    }

    private int heads() {
        return architecture.attention().heads();
    }

    private double[][] embed(int[] ids) {
        double[][] x = new double[ids.length][];
        for (int i = 0; i < ids.length; i++) {
            x[i] = row(ParameterRole.TOKEN_EMBEDDING, ids[i]);
            int rows = architecture.positions().rows(architecture.maxLength());
            if (rows > 0) {
                x[i] = sum(x[i], row(ParameterRole.POSITION_EMBEDDING, i % rows));
            }
        }
        return x;
    }

    /**
     * x after the attention of a layer, for the positions from {@code from} on.
     *
     * @param lastWeights receives the weights of the last position, one row per head
     */
    private double[][] attention(double[][] x, int layer, int from, double[][] lastWeights) {
        AttentionOptions options = architecture.attention();
        double[][] u = readNorm(x, ParameterRole.ATTENTION_NORM_GAIN, ParameterRole.ATTENTION_NORM_SHIFT, layer);
        double[][] wanted = Arrays.copyOfRange(u, from, u.length);
        double[][] queries = wanted;
        double[][] keys = u;
        if (options.hasScores()) {
            queries = map(wanted, ParameterRole.QUERY, ParameterRole.QUERY_BIAS, layer);
            keys = map(u, ParameterRole.KEY, ParameterRole.KEY_BIAS, layer);
        }
        if (options.normalizeQueriesAndKeys()) {
            queries = headNorm(queries, ParameterRole.QUERY_NORM_GAIN, ParameterRole.QUERY_NORM_SHIFT, layer);
            keys = headNorm(keys, ParameterRole.KEY_NORM_GAIN, ParameterRole.KEY_NORM_SHIFT, layer);
        }
        double[][] values = map(u, ParameterRole.VALUE, ParameterRole.VALUE_BIAS, layer);
        double[][] y = new double[wanted.length][options.width()];
        double[][] z = new double[wanted.length][architecture.width()];
        for (int head = 0; head < options.heads(); head++) {
            for (int i = 0; i < wanted.length; i++) {
                double[] weights = weights(queries[i], keys, u, from + i, head, layer);
                double total = Arrays.stream(weights).sum();
                if (i == wanted.length - 1) {
                    lastWeights[head] =
                            Arrays.stream(weights).map(weight -> weight / total).toArray();
                }
                for (int j = 0; j < weights.length; j++) {
                    double weight = weights[j] / total;
                    for (int d = head * options.headWidth(); d < (head + 1) * options.headWidth(); d++) {
                        y[i][d] += weights[j] * values[j][d];
                    }
                    if (options.identities()) {
                        double b =
                                value(ParameterRole.VALUE_OUTPUT_IDENTITY, layer, head) * options.valueOutputFactor();
                        addInto(z[i], b * weight, u[j]);
                    }
                }
                for (int d = head * options.headWidth(); d < (head + 1) * options.headWidth(); d++) {
                    y[i][d] /= total;
                }
            }
        }
        if (options.outputProjection()) {
            y = map(y, ParameterRole.OUTPUT, ParameterRole.OUTPUT_BIAS, layer);
        }
        if (options.identities()) {
            for (int i = 0; i < y.length; i++) {
                y[i] = sum(y[i], z[i]);
            }
        }
        double[][] read = Arrays.copyOfRange(x, from, x.length);
        return sumNorm(read, y, ParameterRole.ATTENTION_NORM_GAIN, ParameterRole.ATTENTION_NORM_SHIFT, layer);
    }

    /** The weights of query i of a head for the positions that it sees, before division by their sum. */
    private double[] weights(double[] query, double[][] keys, double[][] u, int i, int head, int layer) {
        AttentionOptions options = architecture.attention();
        double[] weights = new double[options.mask() == Mask.CAUSAL ? i + 1 : keys.length];
        if (!options.hasScores()) {
            Arrays.fill(weights, 1);
            return weights;
        }
        int counted = options.logLength() == LogLength.SEQUENCE ? keys.length : weights.length;
        double logLength = options.logLength() == LogLength.NONE ? 1 : Math.log(counted);
        for (int j = 0; j < weights.length; j++) {
            double score = 0;
            for (int d = head * options.headWidth(); d < (head + 1) * options.headWidth(); d++) {
                score += query[d] * keys[j][d];
            }
            if (options.identities()) {
                double a = value(ParameterRole.KEY_QUERY_IDENTITY, layer, head) * options.keyQueryFactor();
                score += a * inner(u[i], u[j]);
            }
            score *= options.scoreScale();
            if (i >= j && i - j < options.scoreBiasSpan()) {
                score += value(ParameterRole.SCORE_BIAS, layer, head * options.scoreBiasSpan() + i - j);
            }
            weights[j] = score;
        }
        double maximum = Arrays.stream(weights).max().orElseThrow();
        double cutoff = cutoff(options, counted);
        for (int j = 0; j < weights.length; j++) {
            double gap = maximum - weights[j];
            weights[j] = switch (options.weighting()) {
                case SOFTMAX -> Math.exp(-gap * logLength);
                case HARDMAX -> gap == 0 ? 1 : 0;
                case THRESHOLDED -> gap < cutoff ? Math.exp(-gap * logLength) : 0;
                case UNIFORM -> throw new AssertionError("has no scores");
            };
        }
        return weights;
    }

    /**
     * The distance from the maximum score at which a weight falls to 2^-p of the largest, for p = thresholdBits: p ln
     * 2, or p / log2 n if scores are multiplied by ln n, where n is {@code counted}. A comparison of exp(-ln n gap)
     * with 2^-p could miss equality because of rounding.
     */
    private static double cutoff(AttentionOptions options, int counted) {
        if (options.weighting() != AttentionShape.Weighting.THRESHOLDED) {
            return Double.POSITIVE_INFINITY;
        }
        if (options.logLength() == LogLength.NONE) {
            return options.thresholdBits() * Math.log(2);
        }
        int floor = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(counted);
        return options.thresholdBits() / (floor + Math.log(Math.scalb((double) counted, -floor)) / Math.log(2));
    }

    private double[][] feedForward(double[][] x, int layer) {
        FeedForwardOptions options = architecture.feedForward();
        if (options == null) {
            return x;
        }
        ParameterRole gain = ParameterRole.FEED_FORWARD_NORM_GAIN;
        ParameterRole shift = ParameterRole.FEED_FORWARD_NORM_SHIFT;
        double[][] hidden = map(readNorm(x, gain, shift, layer), ParameterRole.FIRST, ParameterRole.FIRST_BIAS, layer);
        if (architecture.placement() == Placement.INNER) {
            hidden = norm(hidden, ParameterRole.INNER_NORM_GAIN, ParameterRole.INNER_NORM_SHIFT, layer);
        }
        DoubleUnaryOperator f = function(options);
        for (double[] row : hidden) {
            Arrays.setAll(row, j -> f.applyAsDouble(row[j]));
        }
        return sumNorm(x, map(hidden, ParameterRole.SECOND, ParameterRole.SECOND_BIAS, layer), gain, shift, layer);
    }

    private static DoubleUnaryOperator function(FeedForwardOptions options) {
        return switch (options.activation()) {
            case RELU -> x -> Math.max(x, 0);
            case GELU -> x -> x / 2 * Erfc.value(-x / Math.sqrt(2));
            case TANH_GELU -> x -> x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
            case COSINE -> Math::cos;
        };
    }

    /** The input u of a part: norm(x) if norms come before the parts, else x. */
    private double[][] readNorm(double[][] x, ParameterRole gain, ParameterRole shift, int layer) {
        return architecture.placement() == Placement.PRE ? norm(x, gain, shift, layer) : x;
    }

    /** The output of a part: x + y or y, normalized if norms come after the parts. */
    private double[][] sumNorm(double[][] x, double[][] y, ParameterRole gain, ParameterRole shift, int layer) {
        double[][] sum = y;
        if (architecture.residual()) {
            sum = new double[x.length][];
            for (int i = 0; i < x.length; i++) {
                sum[i] = sum(x[i], y[i]);
            }
        }
        return architecture.placement() == Placement.POST ? norm(sum, gain, shift, layer) : sum;
    }

    private double[][] norm(double[][] x, ParameterRole gain, ParameterRole shift, int layer) {
        double[][] y = new double[x.length][];
        for (int i = 0; i < x.length; i++) {
            y[i] = norm(x[i], 0, x[i].length, gain, shift, layer);
        }
        return y;
    }

    private double[][] headNorm(double[][] x, ParameterRole gain, ParameterRole shift, int layer) {
        int headWidth = architecture.attention().headWidth();
        double[][] y = new double[x.length][architecture.attention().width()];
        for (int i = 0; i < x.length; i++) {
            for (int from = 0; from < y[i].length; from += headWidth) {
                System.arraycopy(norm(x[i], from, headWidth, gain, shift, layer), 0, y[i], from, headWidth);
            }
        }
        return y;
    }

    private double[] norm(double[] x, int from, int columns, ParameterRole gain, ParameterRole shift, int layer) {
        NormalizationOptions options = architecture.normalization();
        double mean = 0;
        if (options.kind() == Normalization.Kind.LAYER) {
            mean = Arrays.stream(x, from, from + columns).sum() / columns;
        }
        double squares = 0;
        for (int j = from; j < from + columns; j++) {
            squares += (x[j] - mean) * (x[j] - mean);
        }
        double scale = 1 / Math.sqrt(squares / columns + options.epsilon());
        double[] all = parameters.values();
        int gains = index.offset(gain, layer);
        int shifts = index.offset(shift, layer);
        double[] y = new double[columns];
        for (int j = 0; j < columns; j++) {
            y[j] = (x[from + j] - mean) * scale * (gains == ParameterIndex.ABSENT ? 1 : all[gains + j])
                    + (shifts == ParameterIndex.ABSENT ? 0 : all[shifts + j]);
        }
        return y;
    }

    /** x W + b, or x W if the architecture has no b. */
    private double[][] map(double[][] x, ParameterRole weights, ParameterRole bias, int layer) {
        ParameterView w = index.view(weights, layer);
        @Nullable ParameterView b = index.find(bias, layer);
        double[] all = parameters.values();
        double[][] y = new double[x.length][w.columns()];
        for (int i = 0; i < x.length; i++) {
            double[] row = y[i];
            for (int k = 0, from = w.offset(); k < w.rows(); k++, from += row.length) {
                double factor = x[i][k];
                for (int j = 0; j < row.length; j++) {
                    row[j] += factor * all[from + j];
                }
            }
            for (int j = 0; b != null && j < row.length; j++) {
                row[j] += all[b.offset() + j];
            }
        }
        return y;
    }

    private double[] unembed(double[] x) {
        ParameterRole role = architecture.output().tied() ? ParameterRole.TOKEN_EMBEDDING : ParameterRole.UNEMBEDDING;
        double[] outputs = new double[architecture.outputs()];
        for (int row = 0; row < outputs.length; row++) {
            outputs[row] = inner(x, row(role, row));
            if (architecture.output().bias()) {
                outputs[row] += value(ParameterRole.UNEMBEDDING_BIAS, ParameterView.NO_LAYER, row);
            }
        }
        return outputs;
    }

    private double value(ParameterRole role, int layer, int i) {
        return parameters.values()[index.view(role, layer).offset() + i];
    }

    private double[] row(ParameterRole role, int row) {
        ParameterView view = index.view(role, ParameterView.NO_LAYER);
        int start = view.offset() + row * view.columns();
        return Arrays.copyOfRange(parameters.values(), start, start + view.columns());
    }

    private static double inner(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double[] sum(double[] a, double[] b) {
        double[] sum = a.clone();
        addInto(sum, 1, b);
        return sum;
    }

    private static void addInto(double[] sum, double factor, double[] b) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * b[i];
        }
    }
}
