package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.normalization.Normalization;

/** What every {@link FeedForward} must do. */
abstract class FeedForwardContract {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260104;

    abstract FeedForward layer();

    private static Normalization.@Nullable Kind[] normalizations() {
        return new Normalization.@Nullable Kind[] {null, Normalization.Kind.LAYER, Normalization.Kind.ROOT_MEAN_SQUARE};
    }

    private void check(long seed, FeedForwardShape shape, int rows, boolean bare) {
        FeedForwardCase layerCase = new FeedForwardCase(shape, rows, bare, bare ? 0 : 3, new SplittableRandom(seed));
        float[] before = layerCase.dparameters.clone();
        try {
            layerCase.run(layer());
            layerCase.checkOutputs();
            // A kink within the step of a difference would need a rule of its own.
            if (shape.activation() != Activation.Kind.RELU) {
                layerCase.checkGradients(before);
            }
            assertThat(layerCase.inferred(layer())).isEqualTo(layerCase.y);
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

    /** Blocks of 64 rows and a rest, if the implementation's blocks are small. */
    @Test
    void severalBlocks() {
        for (Normalization.@Nullable Kind kind : normalizations()) {
            check(SEED, FeedForwardCase.shape(2, 9, 3, Activation.Kind.GELU, kind), 197, false);
            check(SEED, FeedForwardCase.shape(2, 9, 3, Activation.Kind.TANH_GELU, kind), 128, true);
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
        int absent = FeedForwardPlaces.ABSENT;
        FeedForwardPlaces places = new FeedForwardPlaces(0, 4, absent, absent, 2, 6);
        float[] parameters = {2, -1, 3, 4, 0.5f, 0.25f, -1};
        float[] x = {1};
        float[] y = new float[1];
        float[] hidden = new float[2];
        layer().forward(y, 0, 1, hidden, 0, null, 0, x, 0, 1, parameters, places, shape, 1);
        assertThat(y).containsExactly(6.5f);
        assertThat(hidden).containsExactly(2.5f, -0.75f);
        float[] dparameters = {10, 10, 10, 10, 10, 10, 10};
        float[] dx = {7};
        layer().backward(
                        dx,
                        0,
                        1,
                        dparameters,
                        new float[] {2},
                        0,
                        1,
                        hidden,
                        0,
                        null,
                        0,
                        x,
                        0,
                        1,
                        parameters,
                        places,
                        shape,
                        1);
        assertThat(dx).containsExactly(12);
        assertThat(dparameters).containsExactly(16, 10, 15, 10, 16, 10, 12);
    }

    /** One NaN, one infinity: each spoils its own row. */
    @Test
    void aNanStaysInItsRow() {
        FeedForwardShape shape = new FeedForwardShape(2, 2, 1, Activation.Kind.GELU);
        int absent = FeedForwardPlaces.ABSENT;
        FeedForwardPlaces places = new FeedForwardPlaces(0, absent, absent, absent, 4, absent);
        float[] x = {0, 0, Float.NaN, 0, 1, Float.POSITIVE_INFINITY, 0, 0};
        float[] y = new float[4];
        layer().forward(y, 0, 1, null, 0, null, 0, x, 0, 2, new float[] {1, 1, 1, 1, 1, 1}, places, shape, 4);
        assertThat(y).containsExactly(0, Float.NaN, Float.POSITIVE_INFINITY, 0);
    }

    @Test
    void refusesWhatDoesNotFit() {
        FeedForwardShape shape = new FeedForwardShape(2, 2, 2, Activation.Kind.GELU);
        int absent = FeedForwardPlaces.ABSENT;
        FeedForwardPlaces places = new FeedForwardPlaces(0, absent, absent, absent, 4, absent);
        FeedForwardPlaces withGain = new FeedForwardPlaces(0, absent, 8, absent, 4, absent);
        float[] ten = new float[10];
        assertThatThrownBy(
                        () -> layer().forward(new float[3], 0, 2, null, 0, null, 0, ten, 0, 2, ten, places, shape, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("y: expected 2 x 2 within 3 elements");
        assertThatThrownBy(
                        () -> layer().forward(ten, 0, 2, null, 0, null, 0, ten, 0, 2, new float[7], places, shape, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("parameters (W2): expected 2 x 2 within 7 elements");
        assertThatThrownBy(() -> layer().forward(ten, 0, 2, null, 0, null, 0, ten, 0, 2, ten, withGain, shape, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gain, shift: expected none without a normalization, got places 8, -1");
        FeedForwardShape normalized =
                new FeedForwardShape(2, 2, 2, Activation.Kind.GELU, Normalization.Kind.LAYER, 1e-5f);
        assertThatThrownBy(() -> layer().backward(
                                ten, 0, 2, ten, ten, 0, 2, ten, 0, null, 0, ten, 0, 2, ten, places, normalized, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("statistics: expected those of the forward pass, got none");
        assertThatThrownBy(() -> new FeedForwardShape(2, 0, 2, Activation.Kind.GELU))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inputs, hidden, outputs: expected at least 1, got 2, 0, 2");
    }
}
