package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.oracle.ExactActivation;
import org.lemmata.oracle.ExactFeedForward;

/** A layer with random parameters and rows in poisoned arrays, and what comes out of it. */
final class FeedForwardCase {

    private static final float SENTINEL = -12345;
    private static final int A = FeedForwardPlaces.ABSENT;

    final FeedForwardShape shape;
    private final int rows;
    private final FeedForwardPlaces places;
    private final float[] parameters;
    private final float[] x;
    private final float[] dy;
    private final int xStride;
    private final int yStride;

    final float[] y;
    private final float[] hidden;
    private final float @Nullable [] statistics;
    final float[] dx;
    final float[] dparameters;

    /** @param bare whether biases, gain and shift are absent */
    FeedForwardCase(FeedForwardShape shape, int rows, boolean bare, int padding, RandomGenerator random) {
        this.shape = shape;
        this.rows = rows;
        int first = shape.inputs() * shape.hidden();
        int second = shape.hidden() * shape.outputs();
        boolean normalized = shape.normalization() != null;
        // In another order than they are used, with gaps.
        int w2 = 3;
        int b1 = w2 + second + 1;
        int gain = b1 + shape.hidden();
        int shift = gain + shape.hidden() + 2;
        int b2 = shift + shape.hidden();
        int w1 = b2 + shape.outputs() + 1;
        places = new FeedForwardPlaces(
                w1, bare ? A : b1, bare || !normalized ? A : gain, bare || !normalized ? A : shift, w2, bare ? A : b2);
        parameters = random(w1 + first + 2, random);
        xStride = shape.inputs() + padding;
        yStride = shape.outputs() + padding;
        x = random(2 + rows * xStride, random);
        dy = random(1 + rows * yStride, random);
        y = poisoned(3 + rows * yStride);
        hidden = poisoned(2 + rows * shape.hidden());
        statistics = normalized ? poisoned(1 + rows * shape.statistics()) : null;
        dx = poisoned(2 + rows * xStride);
        dparameters = random(parameters.length, random);
    }

    private static float[] random(int length, RandomGenerator random) {
        float[] a = new float[length];
        for (int i = 0; i < length; i++) {
            a[i] = (float) random.nextDouble(-1, 1);
        }
        return a;
    }

    private static float[] poisoned(int length) {
        float[] a = new float[length];
        Arrays.fill(a, SENTINEL);
        return a;
    }

    FeedForwardCase run(FeedForward layer) {
        layer.forward(y, 1, yStride, hidden, 1, statistics, 1, x, 2, xStride, parameters, places, shape, rows);
        layer.backward(
                dx,
                1,
                xStride,
                dparameters,
                dy,
                1,
                yStride,
                hidden,
                1,
                statistics,
                1,
                x,
                2,
                xStride,
                parameters,
                places,
                shape,
                rows);
        return this;
    }

    /** The output of a forward pass that keeps nothing. */
    float[] inferred(FeedForward layer) {
        float[] output = poisoned(y.length);
        layer.forward(output, 1, yStride, null, 0, null, 0, x, 2, xStride, parameters, places, shape, rows);
        return output;
    }

    private ExactFeedForward oracle() {
        return new ExactFeedForward(
                shape.inputs(),
                shape.hidden(),
                shape.outputs(),
                switch (shape.activation()) {
                    case RELU -> ExactActivation::relu;
                    case GELU -> ExactActivation::gelu;
                    case TANH_GELU -> ExactActivation::tanhGelu;
                    case COSINE -> StrictMath::cos;
                },
                shape.normalization() != null,
                shape.normalization() == Normalization.Kind.LAYER,
                shape.epsilon());
    }

    /** Where each of the oracle's parameters lies in ours; -1 for absent ones. */
    private int[] ourPlaces() {
        int[] ours = new int[oracle().parameters()];
        int next = 0;
        int[] at = {
            places.firstWeights(),
            places.firstBias(),
            places.gain(),
            places.shift(),
            places.secondWeights(),
            places.secondBias()
        };
        int[] lengths = {
            shape.inputs() * shape.hidden(),
            shape.hidden(),
            shape.hidden(),
            shape.hidden(),
            shape.hidden() * shape.outputs(),
            shape.outputs()
        };
        for (int part = 0; part < at.length; part++) {
            for (int i = 0; i < lengths[part]; i++) {
                ours[next++] = at[part] == A ? -1 : at[part] + i;
            }
        }
        return ours;
    }

    private double[] exactParameters() {
        int[] ours = ourPlaces();
        double[] exact = new double[ours.length];
        int gain = shape.inputs() * shape.hidden() + shape.hidden();
        for (int i = 0; i < exact.length; i++) {
            boolean isGain = i >= gain && i < gain + shape.hidden();
            exact[i] = ours[i] >= 0 ? parameters[ours[i]] : isGain ? 1 : 0;
        }
        return exact;
    }

    private static double[] row(float[] a, int at, int length) {
        double[] row = new double[length];
        for (int i = 0; i < length; i++) {
            row[i] = a[at + i];
        }
        return row;
    }

    /** Every output against binary64, and the places between the rows. */
    void checkOutputs() {
        ExactFeedForward oracle = oracle();
        double[] exact = exactParameters();
        for (int i = 0; i < rows; i++) {
            double[] expected = oracle.forward(row(x, 2 + i * xStride, shape.inputs()), exact);
            for (int k = 0; k < expected.length; k++) {
                assertThat((double) y[1 + i * yStride + k])
                        .as("y[%d][%d]", i, k)
                        .isCloseTo(expected[k], offset(tolerance(shape.hidden())));
            }
        }
        checkSurroundings(y, 1, yStride, shape.outputs());
        assertThat(hidden[0]).isEqualTo(SENTINEL);
        assertThat(hidden[hidden.length - 1]).isEqualTo(SENTINEL);
    }

    /** Sums of so many products of numbers of about 1, each rounded, after a normalization that may enlarge errors. */
    private double tolerance(int terms) {
        return 0x1p-20 * (shape.inputs() + terms + 8) * (shape.normalization() == null ? 1 : 8);
    }

    private void checkSurroundings(float[] a, int offset, int stride, int columns) {
        for (int i = 0; i < a.length; i++) {
            int at = i - offset;
            boolean within = at >= 0 && at < rows * stride && at % stride < columns;
            if (!within) {
                assertThat(a[i]).as("place %d", i).isEqualTo(SENTINEL);
            }
        }
    }

    /** Every gradient against central differences of the binary64 oracle, added to what was there before. */
    void checkGradients(float[] dparametersBefore) {
        ExactFeedForward oracle = oracle();
        double[] exact = exactParameters();
        double h = 1e-5;
        int[] ours = ourPlaces();
        boolean[] written = new boolean[dparameters.length];
        for (int p = 0; p < exact.length; p++) {
            if (ours[p] < 0) {
                continue;
            }
            written[ours[p]] = true;
            double kept = exact[p];
            double gradient = 0;
            for (int i = 0; i < rows; i++) {
                double[] xi = row(x, 2 + i * xStride, shape.inputs());
                double[] dyi = row(dy, 1 + i * yStride, shape.outputs());
                exact[p] = kept + h;
                gradient += oracle.loss(xi, exact, dyi);
                exact[p] = kept - h;
                gradient -= oracle.loss(xi, exact, dyi);
            }
            exact[p] = kept;
            assertThat((double) dparameters[ours[p]])
                    .as("gradient of parameter %d", p)
                    .isCloseTo(
                            dparametersBefore[ours[p]] + gradient / (2 * h), offset(tolerance(rows + shape.hidden())));
        }
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                assertThat(dparameters[i]).isEqualTo(dparametersBefore[i]);
            }
        }
        for (int i = 0; i < rows; i++) {
            double[] xi = row(x, 2 + i * xStride, shape.inputs());
            double[] dyi = row(dy, 1 + i * yStride, shape.outputs());
            for (int j = 0; j < xi.length; j++) {
                double kept = xi[j];
                xi[j] = kept + h;
                double gradient = oracle.loss(xi, exact, dyi);
                xi[j] = kept - h;
                gradient -= oracle.loss(xi, exact, dyi);
                xi[j] = kept;
                assertThat((double) dx[1 + i * xStride + j])
                        .as("dx[%d][%d]", i, j)
                        .isCloseTo(gradient / (2 * h), offset(tolerance(shape.hidden() + shape.outputs())));
            }
        }
        checkSurroundings(dx, 1, xStride, shape.inputs());
    }

    static FeedForwardShape shape(
            int inputs, int hidden, int outputs, Activation.Kind activation, Normalization.@Nullable Kind kind) {
        return new FeedForwardShape(inputs, hidden, outputs, activation, kind, kind == null ? 0 : 1e-3f);
    }
}
