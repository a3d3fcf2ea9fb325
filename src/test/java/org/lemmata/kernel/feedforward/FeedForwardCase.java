package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactActivation;
import org.lemmata.oracle.ExactFeedForward;

/** A layer with random parameters and rows in guarded matrices, and its results. */
final class FeedForwardCase {

    final FeedForwardShape shape;
    private final int rows;
    private final int padding;

    /** W1, b1, gain, shift, W2 and b2, in the order of the oracle; null for absent ones. */
    private final List<@Nullable Matrix> parameters = new ArrayList<>();

    private final List<@Nullable Matrix> dparameters = new ArrayList<>();

    // Made once, because a test counts the bytes that a call allocates.
    private final FeedForwardWeights weights;
    private final FeedForwardWeights dweights;

    private final Matrix x;
    private final Matrix dy;
    private final Matrix y;
    private final Matrix dx;
    private final FeedForwardSaved saved;

    /** @param bare whether biases, gain and shift are absent */
    FeedForwardCase(FeedForwardShape shape, int rows, boolean bare, int padding, RandomGenerator random) {
        this.shape = shape;
        this.rows = rows;
        this.padding = padding;
        boolean normalized = shape.normalization() != null;
        for (int part = 0; part < 6; part++) {
            boolean present = part == 0 || part == 4 || (!bare && (normalized || (part != 2 && part != 3)));
            int partRows = part == 0 ? shape.inputs() : part == 4 ? shape.hidden() : 1;
            int columns = size(part) / partRows;
            parameters.add(present ? drawn(partRows, columns, 0, Float.NaN, random) : null);
            dparameters.add(present ? drawn(partRows, columns, 0, Guarded.SENTINEL, random) : null);
        }
        weights = weights(parameters);
        dweights = weights(dparameters);
        x = drawn(rows, shape.inputs(), padding, Float.NaN, random);
        dy = drawn(rows, shape.outputs(), padding, Float.NaN, random);
        y = drawn(rows, shape.outputs(), padding, Guarded.SENTINEL, random);
        dx = drawn(rows, shape.inputs(), padding, Guarded.SENTINEL, random);
        saved = new FeedForwardSaved(
                drawn(rows, shape.hidden(), 0, Guarded.SENTINEL, random),
                normalized ? drawn(rows, shape.statistics(), 0, Guarded.SENTINEL, random) : null);
    }

    private int size(int part) {
        return switch (part) {
            case 0 -> shape.inputs() * shape.hidden();
            case 4 -> shape.hidden() * shape.outputs();
            case 5 -> shape.outputs();
            default -> shape.hidden();
        };
    }

    private static Matrix drawn(int rows, int columns, int padding, float around, RandomGenerator random) {
        return Guarded.of(Guarded.uniform(rows * columns, 1, random), rows, columns, padding, around);
    }

    private static FeedForwardWeights weights(List<@Nullable Matrix> parts) {
        return new FeedForwardWeights(
                Objects.requireNonNull(parts.get(0)),
                parts.get(1),
                new GainAndShift(parts.get(2), parts.get(3)),
                Objects.requireNonNull(parts.get(4)),
                parts.get(5));
    }

    FeedForwardCase run(FeedForward layer) {
        layer.forward(y, saved, x, weights, shape);
        layer.backward(dx, dweights, dy, saved, x, weights, shape);
        return this;
    }

    /** The output of a forward pass that saves nothing. */
    float[] inferred(FeedForward layer) {
        Matrix output = Guarded.of(new float[rows * shape.outputs()], rows, shape.outputs(), padding, Guarded.SENTINEL);
        layer.forward(output, null, x, weights, shape);
        return Guarded.numbers(output);
    }

    float[] y() {
        return Guarded.numbers(y);
    }

    /** The gradients of x and of each parameter. */
    List<float[]> gradients() {
        return Stream.concat(Stream.of(dx), dparameters.stream().filter(Objects::nonNull))
                .map(Guarded::numbers)
                .toList();
    }

    private ExactFeedForward oracle() {
        return new ExactFeedForward(
                shape.inputs(),
                shape.hidden(),
                shape.outputs(),
                x -> ExactActivation.value(shape.activation().name(), x),
                shape.normalization() != null,
                shape.normalization() == Normalization.Kind.LAYER,
                shape.epsilon());
    }

    /** The numbers of all parts in order; an absent gain is 1, other absent parts are 0. */
    private double[] exact(List<@Nullable Matrix> parts) {
        double[] exact = new double[oracle().parameters()];
        int at = 0;
        for (int part = 0; part < parts.size(); part++) {
            Matrix given = parts.get(part);
            Arrays.fill(exact, at, at + size(part), part == 2 ? 1 : 0);
            if (given != null) {
                System.arraycopy(Guarded.widened(Guarded.numbers(given)), 0, exact, at, size(part));
            }
            at += size(part);
        }
        return exact;
    }

    private static double[] row(Matrix matrix, int i) {
        double[] row = new double[matrix.columns()];
        Arrays.setAll(row, j -> matrix.get(i, j));
        return row;
    }

    /** Compares every output with binary64, and checks the elements around the rows. */
    void checkOutputs() {
        ExactFeedForward oracle = oracle();
        double[] exact = exact(parameters);
        for (int i = 0; i < rows; i++) {
            double[] expected = oracle.forward(row(x, i), exact);
            for (int k = 0; k < expected.length; k++) {
                assertThat((double) y.get(i, k))
                        .as("y[%d][%d]", i, k)
                        .isCloseTo(expected[k], offset(tolerance(shape.hidden())));
            }
        }
        Guarded.numbers(y);
        Guarded.numbers(saved.hidden());
    }

    /** The tolerance for sums of rounded products of numbers near 1, after a normalization that amplifies errors. */
    private double tolerance(int terms) {
        return 0x1p-20 * (shape.inputs() + terms + 8) * (shape.normalization() == null ? 1 : 8);
    }

    /** The numbers that gradients of parameters are added to, for {@link #checkGradients}. */
    double[] parameterGradients() {
        return exact(dparameters);
    }

    /** Compares every gradient with central differences of the binary64 oracle, added to the old content. */
    void checkGradients(double[] before) {
        ExactFeedForward oracle = oracle();
        double[] exact = exact(parameters);
        double[] actual = parameterGradients();
        var ofParameters = new CentralDifferences(
                exact,
                () -> IntStream.range(0, rows)
                        .mapToDouble(i -> oracle.loss(row(x, i), exact, row(dy, i)))
                        .sum());
        int p = 0;
        for (int part = 0; part < parameters.size(); part++) {
            boolean absent = parameters.get(part) == null;
            for (int end = p + size(part); p < end; p++) {
                double gradient = absent ? 0 : ofParameters.derivative(p, Double.POSITIVE_INFINITY);
                assertThat(actual[p])
                        .as("gradient of parameter %d", p)
                        .isCloseTo(before[p] + gradient, offset(tolerance(rows + shape.hidden())));
            }
        }
        for (int i = 0; i < rows; i++) {
            double[] xi = row(x, i);
            double[] dyi = row(dy, i);
            var ofInputs = new CentralDifferences(xi, () -> oracle.loss(xi, exact, dyi));
            for (int j = 0; j < xi.length; j++) {
                assertThat((double) dx.get(i, j))
                        .as("dx[%d][%d]", i, j)
                        .isCloseTo(
                                ofInputs.derivative(j, Double.POSITIVE_INFINITY),
                                offset(tolerance(shape.hidden() + shape.outputs())));
            }
        }
        Guarded.numbers(dx);
    }

    static FeedForwardShape shape(
            int inputs, int hidden, int outputs, Activation.Kind activation, Normalization.@Nullable Kind kind) {
        return new FeedForwardShape(inputs, hidden, outputs, activation, kind, kind == null ? 0 : 1e-3f);
    }
}
