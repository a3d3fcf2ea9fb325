package org.lemmata.oracle;

import java.util.Arrays;

/** Embedding in binary64, as a sum over one-hot vectors. */
public final class ExactEmbedding {

    private ExactEmbedding() {}

    /** The position of each row in its sequence, modulo the rows of the position table. */
    public static int[] positions(int[] lengths, int positionRows) {
        int[] positions = new int[Arrays.stream(lengths).sum()];
        int row = 0;
        for (int length : lengths) {
            for (int t = 0; t < length; t++) {
                positions[row++] = Math.floorMod(t, positionRows);
            }
        }
        return positions;
    }

    /** y[i][j] = s E[id_i][j] + P[position_i][j]; without P, s E[id_i][j]. */
    public static double[][] forward(int[] ids, int[] positions, double[][] tokens, double[][] table, double scale) {
        int width = tokens[0].length;
        double[][] outputs = new double[ids.length][width];
        for (int i = 0; i < ids.length; i++) {
            for (int j = 0; j < width; j++) {
                outputs[i][j] = scale * tokens[ids[i]][j] + (table.length == 0 ? 0 : table[positions[i]][j]);
            }
        }
        return outputs;
    }

    /** sum_ij dy[i][j] y[i][j], whose derivatives are the gradients. */
    public static double loss(double[][] dOutputs, double[][] outputs) {
        double sum = 0;
        for (int i = 0; i < outputs.length; i++) {
            for (int j = 0; j < outputs[i].length; j++) {
                sum += dOutputs[i][j] * outputs[i][j];
            }
        }
        return sum;
    }

    /** sum of scale dy[i][j] over the rows i whose {@code keys[i]} is the row of the table: its gradient. */
    public static double[][] gradient(int rows, int[] keys, double[][] dOutputs, double scale, boolean absolute) {
        int width = dOutputs.length == 0 ? 0 : dOutputs[0].length;
        double[][] gradient = new double[rows][width];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < keys.length; i++) {
                for (int j = 0; j < width && keys[i] == row; j++) {
                    double term = scale * dOutputs[i][j];
                    gradient[row][j] += absolute ? Math.abs(term) : term;
                }
            }
        }
        return gradient;
    }
}
