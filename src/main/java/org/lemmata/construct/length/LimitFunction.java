package org.lemmata.construct.length;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.PositionOptions;

/**
 * f(x) = u (Y + psi(Y A + b) B) + c, the real output of a one-layer limit transformer with one head at the last
 * position. Here Y = y + o(x), y = E + P of the last class, o(x) is the output of its {@link LimitAttention}, and
 * psi(t) = max(t, 0).
 *
 * <p>Without residual, Y = o(x) and f(x) = u psi(Y A + b) B + c. Without feed-forward part, f(x) = u Y + c. Rows are
 * multiplied from the left, as in {@link Architecture}; the paper's matrices are transposed.
 *
 * <p>Changing o(x) by e changes f(x) by at most {@link LimitNorm#lipschitz()} |e|. Therefore L = lipschitz max_c |v_c|
 * replaces the paper's |A|_F |B|_F max_s |V E_s|, which omits u, the residual and the values of positions.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), sections 3.1 and 4.
 */
public final class LimitFunction {

    private final LimitAttention attention;
    private final double @Nullable [][] inputs;
    private final double[][] first;
    private final double[] firstBias;
    private final double[][] second;
    private final double[] readout;
    private final double offset;

    /**
     * @param inputs y of each class, or null without residual
     * @param first A, width x hidden; without feed-forward part, it has no columns
     * @param firstBias b, hidden
     * @param second B, hidden x width
     * @param readout u, width
     * @param offset c
     */
    public LimitFunction(
            LimitAttention attention,
            double @Nullable [][] inputs,
            double[][] first,
            double[] firstBias,
            double[][] second,
            double[] readout,
            double offset) {
        int width = attention.width();
        int hidden = firstBias.length;
        this.attention = attention;
        this.inputs = inputs == null ? null : copy("inputs", inputs, attention.classes(), width);
        this.first = copy("first", first, width, hidden);
        this.firstBias = firstBias.clone();
        this.second = copy("second", second, hidden, width);
        this.readout = copy("readout", new double[][] {readout}, 1, width)[0];
        this.offset = offset;
    }

    private static double[][] copy(String name, double[][] rows, int count, int columns) {
        if (rows.length != count || !Arrays.stream(rows).allMatch(row -> row.length == columns)) {
            throw new IllegalArgumentException(name + ": expected " + count + " rows of " + columns + ", got "
                    + rows.length + " of "
                    + Arrays.stream(rows).map(row -> row.length).distinct().toList());
        }
        return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }

    /** f(x) = u o(x): only attention. */
    public static LimitFunction linear(LimitAttention attention, double[] readout) {
        return new LimitFunction(
                attention, null, new double[attention.width()][0], new double[0], new double[0][], readout, 0);
    }

    /**
     * A one-layer transformer of one head with a real output at the last position.
     *
     * @throws IllegalArgumentException if {@link LimitAttention#of} rejects it, if its output is not a regression, or
     *     if its feed-forward part has another activation than ReLU
     */
    public static LimitFunction of(ExactParameters parameters) {
        Architecture architecture = parameters.architecture();
        if (architecture.output().kind() != OutputOptions.Kind.REGRESSION) {
            throw new IllegalArgumentException(
                    "output: expected REGRESSION, got " + architecture.output().kind());
        }
        FeedForwardOptions options = architecture.feedForward();
        if (options != null && options.activation() != Activation.Kind.RELU) {
            throw new IllegalArgumentException("activation: expected RELU, got " + options.activation());
        }
        LimitAttention attention = LimitAttention.of(parameters);
        double[] readout = LimitAttention.rows(parameters, ParameterRole.UNEMBEDDING, ParameterView.NO_LAYER)[0];
        double offset = vector(parameters, ParameterRole.UNEMBEDDING_BIAS, ParameterView.NO_LAYER, 1)[0];
        double @Nullable [][] inputs = architecture.residual() ? inputs(parameters, attention) : null;
        // u b_2 is constant, so it is added to c.
        double[] secondBias = vector(parameters, ParameterRole.SECOND_BIAS, 0, readout.length);
        return new LimitFunction(
                attention,
                inputs,
                options == null
                        ? new double[readout.length][0]
                        : LimitAttention.rows(parameters, ParameterRole.FIRST, 0),
                vector(parameters, ParameterRole.FIRST_BIAS, 0, options == null ? 0 : options.hidden()),
                options == null ? new double[0][] : LimitAttention.rows(parameters, ParameterRole.SECOND, 0),
                readout,
                offset + inner(readout, secondBias));
    }

    /** A vector of parameters; zeros if it is absent. */
    private static double[] vector(ExactParameters parameters, ParameterRole role, int layer, int columns) {
        return parameters.architecture().find(role, layer).isPresent()
                ? LimitAttention.rows(parameters, role, layer)[0]
                : new double[columns];
    }

    private static double[][] inputs(ExactParameters parameters, LimitAttention attention) {
        double[][] tokens = LimitAttention.rows(parameters, ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
        double[][] inputs = new double[attention.classes()][];
        Arrays.setAll(inputs, c -> tokens[c / attention.period()].clone());
        if (parameters.architecture().positions().kind() != PositionOptions.Kind.NONE) {
            double[][] positions =
                    LimitAttention.rows(parameters, ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
            for (int c = 0; c < inputs.length; c++) {
                LimitAttention.addInto(inputs[c], 1, positions[c % attention.period()]);
            }
        }
        return inputs;
    }

    public LimitAttention attention() {
        return attention;
    }

    /** f(x). */
    public double value(int[] x) {
        int last = x.length - 1;
        return value(attention.output(x), attention.classOf(x[last], last));
    }

    /** f(x) for every sequence with these counts. */
    public double value(PositionCounts x) {
        return value(attention.output(x), x.tailClass(x.tailLength() - 1));
    }

    private double value(double[] output, int query) {
        double[] sum = output.clone();
        if (inputs != null) {
            LimitAttention.addInto(sum, 1, inputs[query]);
        }
        double[] hidden = firstBias.clone();
        for (int column = 0; column < sum.length; column++) {
            LimitAttention.addInto(hidden, sum[column], first[column]);
        }
        boolean residual = inputs != null || hidden.length == 0;
        double[] result = residual ? sum : new double[sum.length];
        for (int unit = 0; unit < hidden.length; unit++) {
            LimitAttention.addInto(result, Math.max(hidden[unit], 0), second[unit]);
        }
        return inner(readout, result) + offset;
    }

    public LimitNorm factors() {
        boolean residual = inputs != null || firstBias.length == 0;
        return new LimitNorm(
                LimitAttention.norm(readout),
                residual ? 1 : 0,
                frobenius(first),
                frobenius(second),
                attention.valueNorm());
    }

    /**
     * L = lipschitz max_c |v_c|: |f(x) - f(z)| is at most 2 L times the total variation between the attention of x and
     * the attention of z.
     */
    public double norm() {
        return factors().corrected();
    }

    private static double frobenius(double[][] matrix) {
        return Math.sqrt(
                Arrays.stream(matrix).mapToDouble(row -> inner(row, row)).sum());
    }

    private static double inner(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
