package org.lemmata.construct.symbol;

import org.lemmata.argument.Refuse;

/**
 * The share of positions at which x and y have the same token, and beside it, with a weight, the product of X Xᵀ and Y
 * Yᵀ over k²: what a perceptron reads whose input has X Xᵀ appended.
 *
 * <p>Without that weight every kernel of a multilayer perceptron is a function of it. Source: Boix-Adsera et al.
 * (2024), remark I.6 and section 7.
 *
 * @param weight of X Xᵀ, from 0 to 1; the rest is that of the tokens
 */
public record IncidenceKernel(double weight) implements TokenSymmetricKernel {

    public IncidenceKernel {
        Refuse.when(!(weight >= 0 && weight <= 1), "weight", "0 to 1", weight);
    }

    @Override
    public double of(int[] x, int[] y) {
        int k = x.length;
        int tokens = 0;
        int pairs = 0;
        for (int a = 0; a < k; a++) {
            tokens += x[a] == y[a] ? 1 : 0;
            for (int b = 0; b < k; b++) {
                pairs += x[a] == x[b] && y[a] == y[b] ? 1 : 0;
            }
        }
        return (1 - weight) * tokens / k + weight * pairs / (k * k);
    }
}
