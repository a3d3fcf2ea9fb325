package org.lemmata.measure;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

/**
 * How much the diagonals of a head's two matrix products stand out: the mean of the diagonal divided by the root mean
 * square of all other entries, in binary64. For independent normal factors with d rows, this ratio is approximately
 * normal with standard deviation 1/sqrt(d); for a multiple of I it is infinite.
 *
 * @param layer the layer, from 0
 * @param head the head, from 0
 * @param keyQuery the ratio for W_K W_Q^T
 * @param valueOutput the ratio for W_V W_O
 */
public record HeadDiagonals(int layer, int head, double keyQuery, double valueOutput) {

    /**
     * The ratios of every head, layer by layer.
     *
     * @throws IllegalArgumentException if a layer has no scores or no output matrix
     */
    public static List<HeadDiagonals> of(Parameters parameters) {
        Architecture architecture = parameters.architecture();
        int heads = architecture.attention().heads();
        return IntStream.range(0, architecture.layers())
                .boxed()
                .flatMap(layer -> {
                    double[][] query = vectors(parameters, ParameterRole.QUERY, layer, false);
                    double[][] key = vectors(parameters, ParameterRole.KEY, layer, false);
                    double[][] value = vectors(parameters, ParameterRole.VALUE, layer, false);
                    double[][] output = vectors(parameters, ParameterRole.OUTPUT, layer, true);
                    int width = query.length / heads;
                    return IntStream.range(0, heads)
                            .mapToObj(head -> new HeadDiagonals(
                                    layer,
                                    head,
                                    strength(key, query, head * width, width),
                                    strength(value, output, head * width, width)));
                })
                .toList();
    }

    /** The rows of a matrix if {@code rows}, otherwise its columns. */
    private static double[][] vectors(Parameters parameters, ParameterRole role, int layer, boolean rows) {
        ParameterView view = parameters.architecture().view(role, layer);
        double[][] vectors = rows ? new double[view.rows()][view.columns()] : new double[view.columns()][view.rows()];
        for (int i = 0; i < view.size(); i++) {
            int row = i / view.columns();
            int column = i % view.columns();
            vectors[rows ? row : column][rows ? column : row] = parameters.values()[view.offset() + i];
        }
        return vectors;
    }

    /**
     * The ratio for M = sum over c of a_c b_c^T, with {@code width} indices c from {@code first} on. The sum of M's
     * squared entries is the sum over c and e of (a_c . a_e) (b_c . b_e).
     */
    private static double strength(double[][] a, double[][] b, int first, int width) {
        int d = a[0].length;
        double squares = 0;
        for (int c = first; c < first + width; c++) {
            for (int e = first; e < first + width; e++) {
                squares += product(a[c], a[e]) * product(b[c], b[e]);
            }
        }
        double sum = 0;
        double onDiagonal = 0;
        for (int i = 0; i < d; i++) {
            double entry = 0;
            for (int c = first; c < first + width; c++) {
                entry += a[c][i] * b[c][i];
            }
            sum += entry;
            onDiagonal += entry * entry;
        }
        return sum / d / Math.sqrt(Math.max(0, squares - onDiagonal) / ((double) d * (d - 1)));
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
