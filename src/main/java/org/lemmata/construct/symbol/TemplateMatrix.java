package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lemmata.argument.Refuse;
import org.lemmata.task.symbol.Template;

/**
 * The template matrix N_ij = K(sub(z_i, s), sub(z_j, s')), for substitutions s and s' that share no token with each
 * other or with the templates z_1 to z_r. It also has the values K(sub(z_i, s), sub(z_i, s)).
 *
 * <p>Source: Boix-Adsera et al. (2024), equations 11 and 12.
 *
 * @param entries N
 * @param distances N_ii + N_jj - 2 N_ij
 * @param self K of a string of each template and itself
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
public record TemplateMatrix(double[][] entries, double[][] distances, double[] self) {

    /**
     * The matrix of the attention kernel. All templates use the same nodes, so the matrix is positive semidefinite up
     * to the last bits.
     */
    public static TemplateMatrix of(AttentionKernel kernel, List<Template> templates) {
        List<int[]> strings = templates.stream().map(Template::symbols).toList();
        IntList regular = IntList.of(strings.stream()
                .flatMapToInt(Arrays::stream)
                .filter(token -> token >= 0)
                .distinct()
                .toArray());
        AttentionKernel.Features features = kernel.features(strings, regular);
        return new TemplateMatrix(
                features.products(),
                features.distances(),
                strings.stream().mapToDouble(z -> kernel.of(z, z)).toArray());
    }

    public static TemplateMatrix of(TokenSymmetricKernel kernel, List<Template> templates) {
        int first = templates.stream()
                        .flatMapToInt(z -> Arrays.stream(z.symbols()))
                        .max()
                        .orElseThrow()
                + 1;
        List<int[]> strings = substitute(templates, Math.max(0, first));
        List<int[]> others = substitute(
                templates,
                1 + strings.stream().flatMapToInt(Arrays::stream).max().orElseThrow());
        double[][] entries = strings.stream()
                .map(x -> others.stream().mapToDouble(y -> kernel.of(x, y)).toArray())
                .toArray(double[][]::new);
        double[] self = strings.stream().mapToDouble(x -> kernel.of(x, x)).toArray();
        return of(entries, self);
    }

    public static TemplateMatrix of(double[][] entries, double... self) {
        Refuse.when(entries.length != self.length, "self", "as many as rows, " + entries.length, self.length);
        double[][] distances = new double[entries.length][];
        Arrays.setAll(
                distances,
                i -> IntStream.range(0, entries.length)
                        .mapToDouble(j -> entries[i][i] + entries[j][j] - 2 * entries[i][j])
                        .toArray());
        return new TemplateMatrix(entries, distances, self);
    }

    private static List<int[]> substitute(List<Template> templates, int first) {
        return templates.stream()
                .map(z -> Arrays.stream(z.symbols())
                        .map(symbol -> symbol >= 0 ? symbol : first - 1 - symbol)
                        .toArray())
                .toList();
    }

    /** The matrix of the kernel that {@code link} computes on top of this matrix's kernel. */
    public TemplateMatrix linked(CosineLink link) {
        double[][] linked = new double[size()][size()];
        for (int i = 0; i < size(); i++) {
            for (int j = 0; j < size(); j++) {
                linked[i][j] = link.expectation(self[i], self[j], entries[i][j]);
            }
        }
        return of(
                linked, Arrays.stream(self).map(k -> link.expectation(k, k, k)).toArray());
    }

    /** r. */
    public int size() {
        return self.length;
    }

    /** N_ij. */
    public double get(int i, int j) {
        return entries[i][j];
    }

    /** K of a string of template i and itself. */
    public double self(int i) {
        return self[i];
    }

    /** N_ii + N_jj - 2 N_ij: the squared distance of the mean features of two templates. */
    public double distance(int i, int j) {
        return distances[i][j];
    }

    /**
     * The minimum of sum_i N_ii - sum_i N_{i tau(i)} over permutations tau except the identity; by condition 8, it must
     * not be 0. The difference is half the sum of the squared distances of i and tau(i), so the minimum is attained by
     * exchanging the two closest templates. With one template, the result is infinite.
     */
    public double leastGap() {
        return IntStream.range(0, size())
                .boxed()
                .flatMapToDouble(i -> IntStream.range(0, i).mapToDouble(j -> distances[i][j]))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The eigenvalues, in ascending order. */
    public double[] eigenvalues() {
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size(), false, true);
        eigen.decompose(new DMatrixRMaj(entries));
        return IntStream.range(0, size())
                .mapToDouble(i -> eigen.getEigenvalue(i).real)
                .sorted()
                .toArray();
    }

    /** The largest absolute eigenvalue divided by the smallest one. */
    public double condition() {
        double[] moduli = Arrays.stream(eigenvalues()).map(Math::abs).sorted().toArray();
        return moduli[moduli.length - 1] / moduli[0];
    }

    /** |N^-1|, the spectral norm; infinite if N is singular. */
    public double inverseNorm() {
        return 1 / Arrays.stream(eigenvalues()).map(Math::abs).min().orElseThrow();
    }
}
