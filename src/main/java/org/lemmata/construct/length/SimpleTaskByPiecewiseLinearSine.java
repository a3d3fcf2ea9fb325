package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.PositionOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * Limit transformer for SimpleTask: T(x) = g((c_0 - c_1) / (c_0 + c_1)), where c_s is the number of tokens s in x, and
 * g a {@link PiecewiseLinearSine}. At every length, T(x) differs from sin(omega (c_0 - c_1) / (c_0 + c_1)) by at most
 * (omega h)² / 8, with h = 2 / (knots - 1), up to rounding.
 *
 * <p>It has one layer and no positions. Its 5 columns are the tokens 0, 1 and 2, the average z, and the output. For
 * every query, scores are p at keys 0 and 1 and 0 at keys 2. With n &gt;= 2 tokens, a key 2 would have n^-p &lt;= 2^-p
 * times the weight of a key 0 or 1, so its weight is rounded to 0. The values, 1 for a token 0 and -1 for a token 1,
 * are therefore averaged only over these tokens. If there are none, z is 0.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), appendix A.2, where scores are infinite; here, finite scores suffice.
 */
public final class SimpleTaskByPiecewiseLinearSine extends LimitTransformer {

    public static final Source SOURCE = new Source(Paper.LENGTH, "appendix A.2, SimpleTask");

    public static final Vocabulary VOCABULARY = new Vocabulary(List.of("0", "1", "2"));

    private static final int AVERAGE = 3;

    private static final int RESULT = 4;

    private final double omega;
    private final int knots;
    private final PiecewiseLinearSine network;

    /**
     * @param omega a finite number
     * @param knots the number of knots of the network, at least 2
     * @param p the bits of the attention, 1 to 126; also the score of the tokens 0 and 1
     * @param bits significand bits to which the network's weights are rounded, 2 to 53
     * @param maxLength the maximum number of tokens, at least 1
     */
    public SimpleTaskByPiecewiseLinearSine(double omega, int knots, int p, int bits, int maxLength) {
        super(SOURCE, VOCABULARY, p, bits, maxLength);
        this.omega = omega;
        this.knots = knots;
        this.network = new PiecewiseLinearSine(omega, knots, bits);
    }

    /**
     * A bound of |T(x) - sin(omega (c_0 - c_1) / (c_0 + c_1))|: the error of the interpolation plus the error of
     * rounding to {@code bits}.
     */
    public double errorBound() {
        return network.interpolationBound() + network.roundingBound();
    }

    @Override
    SimpleTaskByPiecewiseLinearSine withBits(int other) {
        return new SimpleTaskByPiecewiseLinearSine(omega, knots, p, other, maxLength);
    }

    @Override
    public ExactParameters build() {
        Architecture architecture = architecture(
                VOCABULARY.size(),
                maxLength,
                RESULT + 1,
                PositionOptions.none(),
                1,
                p,
                new FeedForwardOptions(network.units(), Activation.Kind.RELU, true, false));
        var parameters = new ExactParameters(architecture);
        for (int token = 0; token < VOCABULARY.size(); token++) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, token, 1);
            parameters.set(ParameterRole.QUERY, 0, token, 0, 1);
        }
        for (int token = 0; token < 2; token++) {
            parameters.set(ParameterRole.KEY, 0, token, 0, p);
            parameters.set(ParameterRole.VALUE, 0, token, 0, 1 - 2 * token);
        }
        parameters.set(ParameterRole.OUTPUT, 0, 0, AVERAGE, 1);
        double[] first = network.first();
        double[] biases = network.biases();
        double[] second = network.second();
        for (int unit = 0; unit < network.units(); unit++) {
            parameters.set(ParameterRole.FIRST, 0, AVERAGE, unit, first[unit]);
            parameters.set(ParameterRole.FIRST_BIAS, 0, 0, unit, biases[unit]);
            parameters.set(ParameterRole.SECOND, 0, unit, RESULT, second[unit]);
        }
        parameters.set(ParameterRole.UNEMBEDDING, 0, RESULT, 1);
        return parameters;
    }

    /**
     * Tensors require the bits of the weights and of p; sums require the bits of the weights and of the maximum length.
     * The smallest magnitude is a weight or the average 1 / length. The largest is p, the length, or a bound of the
     * network's values.
     */
    @Override
    public Demand demand() {
        double[] weights = Stream.of(network.first(), network.biases(), network.second())
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .filter(weight -> weight > 0)
                .toArray();
        double minimum =
                Math.min(1.0 / maxLength, DoubleStream.of(weights).min().orElseThrow());
        double maximum = DoubleStream.of(weights).max().orElseThrow();
        double sums = Math.max(maxLength, 2 * maximum * maximum * network.units());
        return demand(minimum, Math.max(Math.max(p, 2 * maximum), sums));
    }
}
