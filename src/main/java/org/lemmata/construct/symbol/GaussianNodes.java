package org.lemmata.construct.symbol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.DoubleFunction;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lemmata.argument.Refuse;

/**
 * Nodes of a tensor rule for some linear functions of independent standard normal variables: node g has weight w_g and
 * a value of each function.
 *
 * <p>The functions are first rotated to their principal directions, so that the number of dimensions is minimal; each
 * dimension has its own rule.
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
record GaussianNodes(int functions, double[] weights, double[] values) {

    /** The maximum number of nodes for four functions; limits the working memory. */
    private static final int MAX_NODES = 1 << 22;

    /** Eigenvalues below this fraction of the largest eigenvalue are regarded as rounding errors. */
    private static final double NEGLIGIBLE = 1e-13;

    /**
     * Nodes for a matrix of loadings with one row per function and one column per variable.
     *
     * @param block the number of consecutive functions that belong to one softmax
     * @param rule gives the rule for a direction; its argument is the largest difference between the slopes, along the
     *     direction, of two functions of a block
     * @throws IllegalArgumentException if there are too many nodes
     */
    static GaussianNodes of(double[][] loadings, int block, DoubleFunction<GaussianRule> rule) {
        int functions = loadings.length;
        double[] weights = {1};
        double[] values = new double[functions];
        for (double[] direction : directions(loadings)) {
            GaussianRule ofDirection = rule.apply(range(direction, block));
            int size = ofDirection.nodes().length;
            long count = (long) weights.length * size;
            Refuse.when(
                    count * functions > 4L * MAX_NODES,
                    "nodes",
                    "at most " + MAX_NODES + " of 4 scores; use draws for longer strings or greater beta",
                    count);
            double[] moreWeights = new double[(int) count];
            double[] moreValues = new double[(int) count * functions];
            for (int g = 0; g < count; g++) {
                int old = g / size;
                int i = g % size;
                moreWeights[g] = weights[old] * ofDirection.weights()[i];
                for (int f = 0; f < functions; f++) {
                    moreValues[g * functions + f] = values[old * functions + f]
                            + direction[f] * ofDirection.nodes()[i];
                }
            }
            weights = moreWeights;
            values = moreValues;
        }
        return new GaussianNodes(functions, weights, values);
    }

    private static List<double[]> directions(double[][] loadings) {
        int variables = loadings[0].length;
        if (variables == 0) {
            return List.of();
        }
        var gram = new DMatrixRMaj(variables, variables);
        for (double[] row : loadings) {
            for (int i = 0; i < variables; i++) {
                for (int j = 0; j < variables; j++) {
                    gram.add(i, j, row[i] * row[j]);
                }
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(variables, true, true);
        eigen.decompose(gram);
        double[] squares = new double[variables];
        Arrays.setAll(squares, j -> eigen.getEigenvalue(j).real);
        double least = NEGLIGIBLE * Arrays.stream(squares).max().orElseThrow();
        List<double[]> directions = new ArrayList<>();
        for (int j = 0; j < variables; j++) {
            if (squares[j] > least) {
                double[] axis = eigen.getEigenVector(j).data;
                directions.add(Arrays.stream(loadings)
                        .mapToDouble(row -> dot(row, axis))
                        .toArray());
            }
        }
        return directions;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double range(double[] direction, int block) {
        double range = 0;
        for (int from = 0; from < direction.length; from += block) {
            DoubleSummaryStatistics part =
                    Arrays.stream(direction, from, from + block).summaryStatistics();
            range = Math.max(range, part.getMax() - part.getMin());
        }
        return range;
    }

    GaussianNodes exponentials() {
        return new GaussianNodes(
                functions, weights, Arrays.stream(values).map(Math::exp).toArray());
    }

    int count() {
        return weights.length;
    }

    double value(int node, int function) {
        return values[node * functions + function];
    }
}
