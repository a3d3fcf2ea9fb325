package org.lemmata.oracle;

import java.util.Map;
import java.util.Objects;

/**
 * The forward pass of GPT-2 in binary64, from its tensors as Hugging Face's transformers names and lays them out.
 *
 * @param tensors row-major elements by name, without a prefix
 * @param width the width of the residual stream
 * @param heads the number of heads per layer
 * @param layers the number of layers
 */
public record ExactGpt2(Map<String, double[]> tensors, int width, int heads, int layers) {

    /** The logits, tokens x symbols; {@code head} names the unembedding, vocabulary x width. */
    public double[][] logits(int[] ids, String head) {
        double[][] x = new double[ids.length][width];
        for (int t = 0; t < ids.length; t++) {
            for (int c = 0; c < width; c++) {
                x[t][c] = tensor("wte.weight")[ids[t] * width + c] + tensor("wpe.weight")[t * width + c];
            }
        }
        for (int layer = 0; layer < layers; layer++) {
            String h = "h." + layer + ".";
            addInto(x, map(attend(map(norm(x, h + "ln_1"), h + "attn.c_attn")), h + "attn.c_proj"));
            double[][] hidden = map(norm(x, h + "ln_2"), h + "mlp.c_fc");
            for (double[] row : hidden) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = ExactActivation.tanhGelu(row[c]);
                }
            }
            addInto(x, map(hidden, h + "mlp.c_proj"));
        }
        x = norm(x, "ln_f");
        double[] unembedding = tensor(head);
        double[][] logits = new double[ids.length][unembedding.length / width];
        for (int t = 0; t < ids.length; t++) {
            for (int v = 0; v < logits[t].length; v++) {
                for (int c = 0; c < width; c++) {
                    logits[t][v] += x[t][c] * unembedding[v * width + c];
                }
            }
        }
        return logits;
    }

    private double[] tensor(String name) {
        return Objects.requireNonNull(tensors.get(name), name);
    }

    /** Layer normalization: (x - mean) / sqrt(variance + 1e-5), times gain, plus shift. */
    private double[][] norm(double[][] x, String name) {
        double[][] y = new double[x.length][width];
        for (int t = 0; t < x.length; t++) {
            double[] unit = new ExactNormalization(x[t], true, 1e-5).normalized();
            for (int c = 0; c < width; c++) {
                y[t][c] = unit[c] * tensor(name + ".weight")[c] + tensor(name + ".bias")[c];
            }
        }
        return y;
    }

    /** x W + b, with W inputs x outputs. */
    private double[][] map(double[][] x, String name) {
        double[] weight = tensor(name + ".weight");
        double[] bias = tensor(name + ".bias");
        double[][] y = new double[x.length][bias.length];
        for (int t = 0; t < x.length; t++) {
            for (int c = 0; c < bias.length; c++) {
                y[t][c] = bias[c];
                for (int k = 0; k < x[t].length; k++) {
                    y[t][c] += x[t][k] * weight[k * bias.length + c];
                }
            }
        }
        return y;
    }

    /** Causal softmax attention of each head; a row of {@code fused} is query, key and value side by side. */
    private double[][] attend(double[][] fused) {
        int headWidth = width / heads;
        double[][] y = new double[fused.length][width];
        for (int head = 0; head < heads; head++) {
            int from = head * headWidth;
            for (int i = 0; i < fused.length; i++) {
                double[] weights = new double[i + 1];
                double total = 0;
                for (int j = 0; j <= i; j++) {
                    double score = 0;
                    for (int c = from; c < from + headWidth; c++) {
                        score += fused[i][c] * fused[j][width + c];
                    }
                    weights[j] = Math.exp(score / Math.sqrt(headWidth));
                    total += weights[j];
                }
                for (int j = 0; j <= i; j++) {
                    for (int c = from; c < from + headWidth; c++) {
                        y[i][c] += weights[j] / total * fused[j][2 * width + c];
                    }
                }
            }
        }
        return y;
    }

    private static void addInto(double[][] x, double[][] y) {
        for (int t = 0; t < x.length; t++) {
            for (int c = 0; c < x[t].length; c++) {
                x[t][c] += y[t][c];
            }
        }
    }
}
