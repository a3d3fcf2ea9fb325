package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;

/** Tests of the scalar {@link FeedForward}, which those of other implementations inherit. */
class ScalarFeedForwardTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260104;

    FeedForward layer() {
        return FeedForward.scalar();
    }

    private static Normalization.@Nullable Kind[] normalizations() {
        return new Normalization.@Nullable Kind[] {null, Normalization.Kind.LAYER, Normalization.Kind.ROOT_MEAN_SQUARE};
    }

    private void check(long seed, FeedForwardShape shape, int rows, boolean bare) {
        FeedForwardCase layerCase = new FeedForwardCase(shape, rows, bare, bare ? 0 : 3, new SplittableRandom(seed));
        double[] before = layerCase.parameterGradients();
        try {
            layerCase.run(layer());
            layerCase.checkOutputs();
            // Central differences are wrong at the kink of ReLU.
            if (shape.activation() != Activation.Kind.RELU) {
                layerCase.checkGradients(before);
            }
            assertThat(layerCase.inferred(layer())).isEqualTo(layerCase.y());
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "seed " + seed + ", " + shape + ", rows " + rows + ", bare " + bare + ": " + failure.getMessage(),
                    failure);
        }
    }

    @ParameterizedTest
    @EnumSource
    void outputsAndGradientsAreThoseOfTheOracle(Activation.Kind activation) {
        int[][] sizes = {{1, 1, 1}, {3, 5, 2}, {2, LANES, 3}, {4, 2 * LANES + 1, LANES + 1}};
        for (int[] size : sizes) {
            for (Normalization.@Nullable Kind kind : normalizations()) {
                FeedForwardShape shape = FeedForwardCase.shape(size[0], size[1], size[2], activation, kind);
                for (int rows : new int[] {0, 1, 2, 7}) {
                    check(SEED + rows, shape, rows, false);
                    check(SEED + rows, shape, rows, true);
                }
            }
        }
    }

    /** Several blocks if the implementation has blocks of 64 rows; successive calls differ in one size or part. */
    @Test
    void severalBlocks() {
        int[][] sizes = {{2, 9, 3}, {2, 9, 2}, {3, 9, 2}, {3, 8, 2}};
        for (Normalization.@Nullable Kind kind : normalizations()) {
            for (int[] size : sizes) {
                FeedForwardShape shape =
                        FeedForwardCase.shape(size[0], size[1], size[2], Activation.Kind.TANH_GELU, kind);
                check(SEED, shape, 197, false);
            }
            FeedForwardShape last = FeedForwardCase.shape(3, 8, 2, Activation.Kind.GELU, kind);
            check(SEED, last, 128, true);
            check(SEED, last, 128, true);
            check(SEED, last, 197, false);
        }
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10; i++) {
            FeedForwardShape shape = FeedForwardCase.shape(
                    1 + random.nextInt(9),
                    2 + random.nextInt(40),
                    1 + random.nextInt(9),
                    Activation.Kind.GELU,
                    normalizations()[random.nextInt(3)]);
            check(seed, shape, random.nextInt(20), random.nextBoolean());
        }
    }

    /** x = 1, W1 = (2, -1), W2 = (3, 4): only the first hidden value is above 0. */
    @Test
    void aLayerByHand() {
        FeedForwardShape shape = new FeedForwardShape(1, 2, 1, Activation.Kind.RELU);
        FeedForwardWeights weights = byHand(new float[] {2, -1, 3, 4, 0.5f, 0.25f, -1});
        float[] x = {1};
        float[] y = new float[1];
        float[] hidden = new float[2];
        var saved = new FeedForwardSaved(Matrix.of(hidden, 1, 2), null);
        layer().forward(Matrix.of(y, 1, 1), saved, Matrix.of(x, 1, 1), weights, shape);
        assertThat(y).containsExactly(6.5f);
        assertThat(hidden).containsExactly(2.5f, -0.75f);
        float[] dparameters = {10, 10, 10, 10, 10, 10, 10};
        float[] dx = {7};
        Matrix dy = Matrix.of(new float[] {2}, 1, 1);
        layer().backward(Matrix.of(dx, 1, 1), byHand(dparameters), dy, saved, Matrix.of(x, 1, 1), weights, shape);
        assertThat(dx).containsExactly(12);
        assertThat(dparameters).containsExactly(16, 10, 15, 10, 16, 10, 12);
    }

    private static FeedForwardWeights byHand(float[] array) {
        return new FeedForwardWeights(
                Matrix.of(array, 1, 2),
                Matrix.row(array, 4, 2),
                GainAndShift.NONE,
                Matrix.of(array, 2, 2, 1, 1),
                Matrix.row(array, 6, 1));
    }

    private static FeedForwardWeights withoutBiases(float[] array, int outputs) {
        return new FeedForwardWeights(
                Matrix.of(array, 2, 2), null, GainAndShift.NONE, Matrix.of(array, 4, 2, outputs, outputs), null);
    }

    /** One NaN and one infinity only affect their own rows. */
    @Test
    void aNanStaysInItsRow() {
        FeedForwardShape shape = new FeedForwardShape(2, 2, 1, Activation.Kind.GELU);
        float[] x = {0, 0, Float.NaN, 0, 1, Float.POSITIVE_INFINITY, 0, 0};
        float[] y = new float[4];
        FeedForwardWeights weights = withoutBiases(new float[] {1, 1, 1, 1, 1, 1}, 1);
        layer().forward(Matrix.of(y, 4, 1), null, Matrix.of(x, 4, 2), weights, shape);
        assertThat(y).containsExactly(0, Float.NaN, Float.POSITIVE_INFINITY, 0);
    }

    @Test
    void refusesWhatDoesNotFit() {
        FeedForwardShape shape = new FeedForwardShape(2, 2, 2, Activation.Kind.GELU);
        FeedForwardWeights weights = withoutBiases(new float[8], 2);
        FeedForwardWeights narrow = withoutBiases(new float[8], 1);
        Matrix x = Matrix.of(new float[4], 2, 2);
        Matrix wide = Matrix.of(new float[6], 2, 3);
        var saved = new FeedForwardSaved(x, null);
        assertRefused(() -> layer().forward(wide, null, x, weights, shape), "y: expected 2 x 2, got 2 x 3");
        assertRefused(() -> layer().forward(x, null, wide, weights, shape), "x: expected 2 x 2, got 2 x 3");
        assertRefused(() -> layer().forward(x, null, x, narrow, shape), "weights (W2): expected 2 x 2, got 2 x 1");
        assertRefused(
                () -> layer().backward(wide, weights, x, saved, x, weights, shape), "dx: expected 2 x 2, got 2 x 3");
        assertRefused(
                () -> layer().backward(x, weights, wide, saved, x, weights, shape), "dy: expected 2 x 2, got 2 x 3");
        assertRefused(
                () -> layer().backward(x, narrow, x, saved, x, weights, shape),
                "dweights (W2): expected 2 x 2, got 2 x 1");
        assertRefused(
                () -> layer().forward(x, new FeedForwardSaved(wide, null), x, weights, shape),
                "hidden: expected 2 x 2, got 2 x 3");
        var gaps = new FeedForwardSaved(Matrix.of(new float[6], 0, 2, 2, 3), null);
        assertRefused(
                () -> layer().forward(x, gaps, x, weights, shape),
                "hidden: expected no gaps between rows of 2, got stride 3");
        var gain = new GainAndShift(Matrix.of(new float[2], 1, 2), null);
        var withGain = new FeedForwardWeights(weights.first(), null, gain, weights.second(), null);
        assertRefused(
                () -> layer().forward(x, null, x, withGain, shape),
                "gain, shift: expected none without a normalization, got one");
        var normalized = new FeedForwardShape(2, 2, 2, Activation.Kind.GELU, Normalization.Kind.LAYER, 1e-5f);
        assertRefused(
                () -> layer().backward(x, weights, x, saved, x, weights, normalized),
                "statistics: expected some for LAYER, got none");
        Matrix row = Matrix.of(new float[3], 1, 3);
        var three = new GainAndShift(row, null);
        var ofOne = new FeedForwardSaved(x, Matrix.of(new float[4], 1, 4));
        assertRefused(
                () -> layer().forward(x, ofOne, x, weights, normalized),
                "statistics: expected 2 x " + normalized.statistics() + ", got 1 x 4");
        refusesParameters("W1", "expected 2 x 2, got 2 x 3", wide, null, GainAndShift.NONE, null);
        refusesParameters("b1", "expected 1 x 2, got 1 x 3", x, row, GainAndShift.NONE, null);
        refusesParameters("gain", "expected 1 x 2, got 1 x 3", x, null, three, null);
        refusesParameters("shift", "expected 1 x 2, got 1 x 3", x, null, new GainAndShift(null, row), null);
        refusesParameters("b2", "expected 1 x 2, got 1 x 3", x, null, GainAndShift.NONE, row);
        for (int[] sizes : new int[][] {{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}) {
            String message = Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(", "));
            assertRefused(
                    () -> new FeedForwardShape(sizes[0], sizes[1], sizes[2], Activation.Kind.GELU),
                    "inputs, hidden, outputs: expected at least 1, got " + message);
        }
        for (float epsilon : new float[] {Float.NaN, -Float.MIN_VALUE}) {
            assertRefused(
                    () -> new FeedForwardShape(2, 2, 2, Activation.Kind.GELU, Normalization.Kind.LAYER, epsilon),
                    "epsilon: expected a number from 0 on, got " + epsilon);
        }
    }

    private void refusesParameters(
            String name,
            String wrong,
            Matrix first,
            @Nullable Matrix firstBias,
            GainAndShift norm,
            @Nullable Matrix secondBias) {
        var shape = new FeedForwardShape(2, 2, 2, Activation.Kind.GELU, Normalization.Kind.LAYER, 0);
        Matrix x = Matrix.of(new float[4], 2, 2);
        var weights = new FeedForwardWeights(first, firstBias, norm, x, secondBias);
        assertRefused(() -> layer().forward(x, null, x, weights, shape), "weights (" + name + "): " + wrong);
    }
}
