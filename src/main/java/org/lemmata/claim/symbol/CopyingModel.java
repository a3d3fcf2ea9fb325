package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Initialization;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * The transformer that is to copy its one token, f(x) = W_E M (W_Eᵀ x + gamma P) with M = sum_h (W_O,hᵀ W_V,h + b_h I),
 * and how fast its cross-entropy falls when gradient flow begins.
 *
 * <p>One token attends to itself alone, so that weights of attention need no scores. The table of positions holds gamma
 * P. Of the limits, K(x, x') -> 1[j = j'] (c 1[x = x'] + gamma²) H is the tangent kernel of a group, c = 1 for W_O and
 * W_V, 0 for P, 2 for W_E, and sum_j (p_j - 1[j = x]) (p_j - 1[j = x']) = 1[x = x'] - 1 / m, since all probabilities p
 * tend to 1 / m; for b it is K_jj' -> 1[j = x] 1[j' = x'] H.
 *
 * <p>Source: Boix-Adsera et al. (2024), section 5 and appendix J.2, with the factor H that K_P and K_E lack there.
 *
 * @param symbols m
 * @param width d_emb
 * @param heads H
 * @param headWidth d_head
 * @param gamma how much of P is added
 */
record CopyingModel(int symbols, int width, int heads, int headWidth, double gamma) {

    /** -dL/dt of the loss on symbols that are trained, and on one that is not. */
    record Decrease(double train, double test) {

        Decrease times(double factor) {
            return new Decrease(factor * train, factor * test);
        }
    }

    Architecture architecture() {
        return new Architecture(
                new Architecture.Size(symbols, 1, width, 1),
                PositionOptions.table(),
                AttentionOptions.softmax(heads, headWidth)
                        .withWeighting(Weighting.UNIFORM, 0)
                        .withScores(1, LogLength.NONE, 0)
                        .withIdentities(true),
                null,
                NormalizationOptions.none(),
                false,
                OutputOptions.nextToken(true),
                0);
    }

    /** Parameters as J.2 draws them, b = 0. */
    Parameters draw(RandomGenerator random) {
        Parameters parameters = new Initialization.MeanField().draw(architecture(), random);
        ParameterView positions = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, 0);
        for (int i = 0; i < positions.size(); i++) {
            parameters.values()[positions.offset() + i] *= (float) gamma;
        }
        return parameters;
    }

    /** Each of the symbols, to be answered by itself. */
    static Batch batch(int... copied) {
        return Batch.ofExamples(Arrays.stream(copied)
                .mapToObj(symbol -> new Example(new int[] {symbol}, new int[] {symbol}, new int[] {0}))
                .toList());
    }

    /** How fast the losses fall by each group of parameters that is trained with rate 1. */
    Map<ParameterRole, Decrease> decreases(Parameters parameters, int[] trained, int unseen, Kernels kernels) {
        float[] byTrained = gradient(parameters, batch(trained), kernels);
        float[] byUnseen = gradient(parameters, batch(unseen), kernels);
        var decreases = new EnumMap<ParameterRole, Decrease>(ParameterRole.class);
        for (ParameterView view : parameters.architecture().layout()) {
            // Rate 1 of P is rate gamma² of the table.
            double factor = view.role() == ParameterRole.POSITION_EMBEDDING ? gamma * gamma : 1;
            var products = new Decrease(product(view, byTrained, byTrained), product(view, byTrained, byUnseen));
            decreases.put(view.role(), products.times(factor));
        }
        return decreases;
    }

    private static float[] gradient(Parameters parameters, Batch batch, Kernels kernels) {
        float[] gradients = new float[parameters.values().length];
        new Backpropagation(parameters, kernels).gradient(gradients, batch, 1.0 / batch.scoredRows().length, 0, 1);
        return gradients;
    }

    private static double product(ParameterView view, float[] a, float[] b) {
        double sum = 0;
        for (int i = view.offset(); i < view.offset() + view.size(); i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    /** The rate at which the decreases by a group tend to {@link #limit}. */
    double rate(ParameterRole role) {
        return role == ParameterRole.VALUE ? (double) width / (heads * headWidth) : 1.0 / heads;
    }

    /** What the decreases tend to as d_emb, d_head and H grow, d_emb fastest, with n symbols trained. */
    Decrease limit(ParameterRole role, int n) {
        double m = symbols;
        if (role == ParameterRole.VALUE_OUTPUT_IDENTITY) {
            double both = (1 - 1 / m) * (1 - 1 / m);
            return new Decrease(both, both);
        }
        double other = gamma * gamma;
        double same = other
                + switch (role) {
                    case TOKEN_EMBEDDING -> 2;
                    case POSITION_EMBEDDING -> 0;
                    default -> 1;
                };
        return new Decrease(((1 - 1 / m) * same - (n - 1) / m * other) / n, -other / m);
    }
}
