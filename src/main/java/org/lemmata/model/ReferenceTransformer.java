package org.lemmata.model;

import java.util.Arrays;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.token.Batch;

/**
 * The one transformer in binary64, position by position from the formulas of {@link Architecture}, without kernels.
 *
 * <p>It is slow and short: the reference for {@link Transformer}, and what runs constructions that take more
 * significand bits than binary32 has.
 */
public final class ReferenceTransformer implements LanguageModel {

    private final ExactParameters parameters;

    public ReferenceTransformer(ExactParameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public Architecture architecture() {
        return parameters.architecture();
    }

    @Override
    public double[] logits(Batch batch) {
        LanguageModel.check(architecture(), batch);
        int vocabularySize = architecture().vocabularySize();
        double[] logits = new double[batch.sequences().total() * vocabularySize];
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            int start = batch.sequences().start(sequence);
            double[][] x = embed(
                    Arrays.copyOfRange(batch.ids(), start, batch.sequences().end(sequence)));
            for (int layer = 0; layer < architecture().layers(); layer++) {
                x = layer(x, layer);
            }
            for (int i = 0; i < x.length; i++) {
                System.arraycopy(unembed(x[i]), 0, logits, (start + i) * vocabularySize, vocabularySize);
            }
        }
        return logits;
    }

    private double[][] embed(int[] ids) {
        ParameterView tokens = architecture().view(ParameterView.TOKEN_EMBEDDING);
        double[][] x = new double[ids.length][];
        for (int i = 0; i < ids.length; i++) {
            x[i] = row(tokens, ids[i]);
            if (architecture().learnedPositions()) {
                x[i] = sum(x[i], row(architecture().view(ParameterView.POSITION_EMBEDDING), i));
            }
        }
        return x;
    }

    private double[][] layer(double[][] x, int layer) {
        boolean scores = architecture().hasScores();
        double[][] queries = scores ? project(x, ParameterView.query(layer)) : x;
        double[][] keys = scores ? project(x, ParameterView.key(layer)) : x;
        double[][] y = attend(queries, keys, project(x, ParameterView.value(layer)));
        if (architecture().outputProjection()) {
            y = project(y, ParameterView.output(layer));
        }
        if (architecture().residual()) {
            for (int i = 0; i < y.length; i++) {
                y[i] = sum(x[i], y[i]);
            }
        }
        return y;
    }

    private double[][] attend(double[][] queries, double[][] keys, double[][] values) {
        int headWidth = architecture().headWidth();
        double[][] outputs = new double[values.length][architecture().attentionWidth()];
        for (int head = 0; head < architecture().heads(); head++) {
            int from = head * headWidth;
            for (int i = 0; i < values.length; i++) {
                double[] weights = weights(queries[i], keys, i + 1, from);
                double total = Arrays.stream(weights).sum();
                for (int d = from; d < from + headWidth; d++) {
                    for (int j = 0; j <= i; j++) {
                        outputs[i][d] += weights[j] * values[j][d];
                    }
                    outputs[i][d] /= total;
                }
            }
        }
        return outputs;
    }

    /** u_i0 ... u_i(count - 1) of a head whose columns start at {@code from}. */
    private double[] weights(double[] query, double[][] keys, int count, int from) {
        double[] weights = new double[count];
        if (architecture().weighting() == Weighting.UNIFORM) {
            Arrays.fill(weights, 1);
            return weights;
        }
        for (int j = 0; j < count; j++) {
            for (int d = from; d < from + architecture().headWidth(); d++) {
                weights[j] += query[d] * keys[j][d];
            }
            weights[j] *= architecture().scoreScale();
        }
        double max = Arrays.stream(weights).max().orElseThrow();
        for (int j = 0; j < count; j++) {
            weights[j] = switch (architecture().weighting()) {
                case SOFTMAX -> Math.exp(weights[j] - max);
                case HARDMAX -> weights[j] == max ? 1 : 0;
                case UNIFORM, THRESHOLDED -> throw new AssertionError("has no scores, or is refused");
            };
        }
        return weights;
    }

    private double[][] project(double[][] x, String name) {
        ParameterView w = architecture().view(name);
        double[][] y = new double[x.length][w.columns()];
        for (int i = 0; i < x.length; i++) {
            for (int k = 0; k < w.rows(); k++) {
                for (int j = 0; j < w.columns(); j++) {
                    y[i][j] += x[i][k] * parameters.values()[w.offset() + k * w.columns() + j];
                }
            }
        }
        return y;
    }

    private double[] unembed(double[] x) {
        ParameterView u = architecture()
                .view(architecture().tiedUnembedding() ? ParameterView.TOKEN_EMBEDDING : ParameterView.UNEMBEDDING);
        double[] logits = new double[u.rows()];
        for (int token = 0; token < u.rows(); token++) {
            double[] row = row(u, token);
            for (int d = 0; d < row.length; d++) {
                logits[token] += x[d] * row[d];
            }
        }
        return logits;
    }

    private double[] row(ParameterView view, int row) {
        int start = view.offset() + row * view.columns();
        return Arrays.copyOfRange(parameters.values(), start, start + view.columns());
    }

    private static double[] sum(double[] a, double[] b) {
        double[] sum = new double[a.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = a[i] + b[i];
        }
        return sum;
    }
}
