package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.oracle.ExactActivation;
import org.lemmata.oracle.ExactFeedForward;

/** A layer with random parameters and rows in poisoned arrays, and what comes out of it. */
final class FeedForwardCase {

    private static final float SENTINEL = -12345;
    private static final int ABSENT = -1;

    final FeedForwardShape shape;
    private final int rows;
    /** Where the parameters lie, in the order of the oracle. */
    private final int[] places;

    private final FeedForwardWeights weights;
    private final FeedForwardWeights dweights;
    private final Matrix ofX;
    private final Matrix ofDy;
    private final Matrix ofY;
    private final Matrix ofDx;
    private final FeedForwardSaved saved;
    private final float[] parameters;
    private final float[] x;
    private final float[] dy;
    private final int xStride;
    private final int yStride;

    final float[] y;
    private final float[] hidden;
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
        places = new int[] {
            w1,
            bare ? ABSENT : b1,
            bare || !normalized ? ABSENT : gain,
            bare || !normalized ? ABSENT : shift,
            w2,
            bare ? ABSENT : b2
        };
        parameters = random(w1 + first + 2, random);
        xStride = shape.inputs() + padding;
        yStride = shape.outputs() + padding;
        x = random(2 + rows * xStride, random);
        dy = random(1 + rows * yStride, random);
        y = poisoned(3 + rows * yStride);
        hidden = poisoned(2 + rows * shape.hidden());
        float[] statistics = poisoned(1 + rows * shape.statistics());
        dx = poisoned(2 + rows * xStride);
        dparameters = random(parameters.length, random);
        weights = weights(parameters);
        dweights = weights(dparameters);
        ofX = Matrix.of(x, 2, rows, shape.inputs(), xStride);
        ofDy = Matrix.of(dy, 1, rows, shape.outputs(), yStride);
        ofY = Matrix.of(y, 1, rows, shape.outputs(), yStride);
        ofDx = Matrix.of(dx, 1, rows, shape.inputs(), xStride);
        saved = new FeedForwardSaved(
                Matrix.of(hidden, 1, rows, shape.hidden(), shape.hidden()),
                normalized ? Matrix.of(statistics, 1, rows, shape.statistics(), shape.statistics()) : null);
    }

    private FeedForwardWeights weights(float[] array) {
        return new FeedForwardWeights(
                Matrix.of(array, places[0], shape.inputs(), shape.hidden(), shape.hidden()),
                row(array, places[1], shape.hidden()),
                new GainAndShift(row(array, places[2], shape.hidden()), row(array, places[3], shape.hidden())),
                Matrix.of(array, places[4], shape.hidden(), shape.outputs(), shape.outputs()),
                row(array, places[5], shape.outputs()));
    }

    private static @Nullable Matrix row(float[] array, int place, int columns) {
        return place == ABSENT ? null : Matrix.row(array, place, columns);
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
        layer.forward(ofY, saved, ofX, weights, shape);
        layer.backward(ofDx, dweights, ofDy, saved, ofX, weights, shape);
        return this;
    }

    /** The output of a forward pass that keeps nothing. */
    float[] inferred(FeedForward layer) {
        float[] output = poisoned(y.length);
        layer.forward(Matrix.of(output, 1, rows, shape.outputs(), yStride), null, ofX, weights, shape);
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
        int[] lengths = {
            shape.inputs() * shape.hidden(),
            shape.hidden(),
            shape.hidden(),
            shape.hidden(),
            shape.hidden() * shape.outputs(),
            shape.outputs()
        };
        for (int part = 0; part < places.length; part++) {
            for (int i = 0; i < lengths[part]; i++) {
                ours[next++] = places[part] == ABSENT ? -1 : places[part] + i;
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

    private static double[] numbers(float[] a, int at, int length) {
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
            double[] expected = oracle.forward(numbers(x, 2 + i * xStride, shape.inputs()), exact);
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
                double[] xi = numbers(x, 2 + i * xStride, shape.inputs());
                double[] dyi = numbers(dy, 1 + i * yStride, shape.outputs());
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
            double[] xi = numbers(x, 2 + i * xStride, shape.inputs());
            double[] dyi = numbers(dy, 1 + i * yStride, shape.outputs());
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
