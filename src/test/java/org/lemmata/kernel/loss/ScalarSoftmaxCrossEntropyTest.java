package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.kernel.Guarded.uniform;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactCrossEntropy;

/** Tests of the scalar {@link SoftmaxCrossEntropy}, which those of other implementations inherit. */
class ScalarSoftmaxCrossEntropyTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260303;
    private static final double UNIT = 0x1p-24;

    SoftmaxCrossEntropy crossEntropy() {
        return new ScalarSoftmaxCrossEntropy();
    }

    /**
     * Tests five rows, of which the first, third and fourth are scored. Logits are up to {@code range}, and the first
     * target is {@code lead} above that. Unscored rows and the elements around rows are NaN.
     *
     * <p>With d the maximum distance of a logit with weight from the maximum, the tolerance of a loss is D = (n / lanes
     * + 16 + d) 2^-24, relative if the loss is below 1: rounding z - max costs d 2^-24 of an exponential, and weights
     * e^-d are small. The relative tolerance of gradients is D.
     */
    private void check(String name, int columns, double range, float lead, boolean inPlace, RandomGenerator random) {
        int[] scoredRows = {0, 2, 3};
        int[] targets = {random.nextInt(columns), columns - 1, columns / 2};
        double factor = 0.25;
        float[][] rows = new float[5][columns];
        for (float[] row : rows) {
            Arrays.fill(row, Float.NaN);
        }
        for (int row : scoredRows) {
            rows[row] = uniform(columns, range, random);
        }
        rows[0][targets[0]] = (float) range + lead;
        Matrix logits = Guarded.operand(rows);
        float[] before = logits.array().clone();
        double loss = crossEntropy().forward(logits, targets, scoredRows, factor);
        assertThat(logits.array()).as("%s: logits are left alone", name).isEqualTo(before);
        Matrix dlogits = inPlace ? logits : Guarded.result(5, columns);
        assertThat(crossEntropy().backward(dlogits, logits, targets, scoredRows, factor))
                .as("%s: loss of backward", name)
                .isEqualTo(loss);
        float[][] gradients = Guarded.rows(Guarded.numbers(dlogits), 5);
        double exactLoss = 0;
        double bound = 0;
        for (int k = 0; k < targets.length; k++) {
            double[] z = Guarded.widened(rows[scoredRows[k]]);
            double max = Arrays.stream(z).max().orElseThrow();
            double d = columns / (double) LANES + 16;
            double rowLoss = ExactCrossEntropy.loss(z, targets[k]);
            exactLoss += factor * rowLoss;
            bound += factor * ((d + 90) * UNIT * Math.min(1, rowLoss) + 0x1p-126 * columns + 0x1p-50 * rowLoss);
            double[] exact = ExactCrossEntropy.gradient(z, targets[k]);
            for (int j = 0; j < columns; j++) {
                double relative = (d + Math.min(90, j == targets[k] ? 90 : max - z[j])) * UNIT;
                double actual = gradients[scoredRows[k]][j];
                double error = Math.abs(actual - factor * exact[j]);
                if (!(error <= relative * Math.abs(factor * exact[j]) + 0x1p-126 * columns)) {
                    assertThat(actual)
                            .as("%s: dlogits[%d][%d], target %d", name, scoredRows[k], j, targets[k])
                            .isEqualTo(factor * exact[j]);
                }
            }
        }
        assertThat(loss).as("%s: loss", name).isCloseTo(exactLoss, within(bound));
        for (int row : new int[] {1, 4}) {
            assertThat(gradients[row]).as("%s: row %d, not scored", name, row).isEqualTo(new float[columns]);
        }
    }

    @Test
    void everyLengthUpToTwiceTheLanes() {
        for (int columns = 1; columns <= 2 * LANES + 1; columns++) {
            SplittableRandom random = new SplittableRandom(SEED + columns);
            String name = "seed " + (SEED + columns) + ", columns " + columns;
            check(name, columns, 3, 0, false, random);
            check(name + ", in place", columns, 30, 0, true, random);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {37, 64, 97, 257, 700, 1024, 50257})
    void largerVocabularies(int columns) {
        long seed = ThreadLocalRandom.current().nextLong();
        check("seed " + seed + ", columns " + columns, columns, 8, 0, false, new SplittableRandom(seed));
    }

    /** Loss and gradient keep their relative accuracy if the target is almost certain. */
    @ParameterizedTest
    @ValueSource(floats = {1, 5, 10, 20, 40, 70, 200})
    void nearZeroLosses(float lead) {
        for (int columns : new int[] {2, 3, 18, 100}) {
            String name = "lead " + lead + ", columns " + columns;
            check(name, columns, 1, lead, false, new SplittableRandom(SEED));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {100, 1e4, 1e30})
    void logitsOfAnySize(double range) {
        for (int columns : new int[] {2, 18, 100}) {
            check("range " + range + ", columns " + columns, columns, range, 0, false, new SplittableRandom(SEED));
        }
    }

    private double lossOf(float... logits) {
        return crossEntropy().forward(Matrix.of(logits, 1, logits.length), new int[] {0}, new int[] {0}, 1);
    }

    @Test
    void infinitiesAndNan() {
        float infinity = Float.POSITIVE_INFINITY;
        assertThat(lossOf(-infinity, 0)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(lossOf(0, -infinity)).isZero();
        assertThat(lossOf(infinity, 0)).isNaN();
        assertThat(lossOf(0, infinity)).isNaN();
        assertThat(lossOf(-infinity, -infinity)).isNaN();
        assertThat(lossOf(0, Float.NaN)).isNaN();
        assertThat(lossOf(Float.NaN, 0)).isNaN();
        float[] dlogits = new float[4];
        crossEntropy()
                .backward(
                        Matrix.of(dlogits, 2, 2),
                        Matrix.of(new float[] {0, Float.NaN, 0, 0}, 2, 2),
                        new int[] {0, 1},
                        new int[] {0, 1},
                        2);
        assertThat(dlogits).containsExactly(Float.NaN, Float.NaN, 1, -1);
    }

    @Test
    void withoutScoredRowsTheGradientIsZero() {
        float[] dlogits = {1, 2, 3, 4};
        int[] none = {};
        assertThat(crossEntropy().backward(Matrix.of(dlogits, 2, 2), Matrix.of(dlogits, 2, 2), none, none, 1))
                .isZero();
        assertThat(dlogits).containsOnly(0);
    }

    /** Compares the oracle's gradient with central differences of its loss. */
    @Test
    void theClosedFormIsTheDerivative() {
        double[] z = {0.5, -1, 0.25, 2, 0};
        for (int target = 0; target < z.length; target++) {
            int t = target;
            double[] gradient = ExactCrossEntropy.gradient(z, target);
            var loss = new CentralDifferences(z, () -> ExactCrossEntropy.loss(z, t));
            for (int j = 0; j < z.length; j++) {
                assertThat(gradient[j]).isCloseTo(loss.derivative(j, 1e-6), within(1e-9));
            }
        }
    }

    private void refuse(int[] targets, int[] scoredRows, String message) {
        assertRefused(() -> crossEntropy().forward(Matrix.of(new float[9], 3, 3), targets, scoredRows, 1), message);
    }

    @Test
    void refusesWhatDoesNotFit() {
        refuse(new int[1], new int[2], "targets: expected one per scored row, 2, got 1");
        refuse(new int[] {0, 3}, new int[] {0, 1}, "targets[1]: expected an id from 0 to 2, got 3");
        refuse(new int[] {-1}, new int[] {0}, "targets[0]: expected an id from 0 to 2, got -1");
        refuse(new int[2], new int[] {1, 1}, "scoredRows[1]: expected a row from 2 to 2, got 1");
        refuse(new int[1], new int[] {3}, "scoredRows[0]: expected a row from 0 to 2, got 3");
        Matrix logits = Matrix.of(new float[9], 3, 3);
        Matrix narrow = Matrix.of(new float[9], 3, 2);
        assertRefused(
                () -> crossEntropy().backward(narrow, logits, new int[1], new int[1], 1),
                "dlogits: expected 3 x 3, got 3 x 2");
    }
}
