package org.lemmata.construct.symbol;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.lemmata.argument.Refuse;

/**
 * Kernel ridge regression under the assumption that no two substitutions share a token. All n_j samples of template j
 * are then equivalent, so r equations replace n equations.
 *
 * <p>Different samples of templates i and j have the kernel N_ij. The paper also uses N_ii for a sample and itself;
 * {@link TemplateMatrix#self} is the true value, and the difference adds to lambda. Source: Boix-Adsera et al. (2024),
 * equations 15 to 17.
 *
 * @param counts n_j, above 0
 * @param lambda above 0
 * @param withSelf whether the kernel of a sample and itself has its true value
 */
// An array, because there may be many counts; the constructor copies it.
@SuppressWarnings("ArrayRecordComponent")
public record IdealizedEstimator(TemplateMatrix matrix, double[] counts, double lambda, boolean withSelf) {

    public IdealizedEstimator {
        Refuse.when(counts.length != matrix.size(), "counts", "one per template, " + matrix.size(), counts.length);
        counts = counts.clone();
    }

    /** The estimator of the paper. */
    public IdealizedEstimator(TemplateMatrix matrix, double[] counts, double lambda) {
        this(matrix, counts, lambda, false);
    }

    /**
     * The bias: the prediction for a string of each template with unseen symbols minus the mean label of that
     * template's samples, computed without cancellation.
     *
     * @param labels the mean label of the samples of each template
     */
    public double[] bias(double... labels) {
        int r = matrix.size();
        var system = new DMatrixRMaj(r, r);
        for (int i = 0; i < r; i++) {
            for (int j = 0; j < r; j++) {
                system.set(i, j, matrix.get(i, j) * counts[j]);
            }
            system.add(i, i, ridge(i));
        }
        var alpha = new DMatrixRMaj(r, 1);
        if (!CommonOps_DDRM.solve(system, new DMatrixRMaj(r, 1, true, labels), alpha)) {
            throw new ArithmeticException("lambda: N and lambda are 0 in some direction");
        }
        return IntStream.range(0, r).mapToDouble(i -> -ridge(i) * alpha.get(i)).toArray();
    }

    private double ridge(int template) {
        return lambda + (withSelf ? matrix.self(template) - matrix.get(template, template) : 0);
    }

    /** For each template, the prediction for a string with unseen symbols. */
    public double[] answers(double... labels) {
        double[] bias = bias(labels);
        return IntStream.range(0, bias.length)
                .mapToDouble(i -> labels[i] + bias[i])
                .toArray();
    }

    /** tau = min_j n_j / |N^-1|: a lower bound of the smallest nonzero eigenvalue of the kernel matrix (claim D.3). */
    public double tau() {
        return Arrays.stream(counts).min().orElseThrow() / matrix.inverseNorm();
    }
}
