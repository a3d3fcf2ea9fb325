package org.lemmata.construct.symbol;

import org.lemmata.argument.Refuse;

/**
 * The inner product of perceptron inputs with X Xᵀ appended: (1 - w) (share of positions a with x_a = y_a) + w &lt;X
 * Xᵀ, Y Yᵀ&gt; / k².
 *
 * <p>With weight 0, every kernel of a multilayer perceptron is a function of this kernel. Source: Boix-Adsera et al.
 * (2024), remark I.6 and section 7.
 *
 * @param weight w, from 0 to 1
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
