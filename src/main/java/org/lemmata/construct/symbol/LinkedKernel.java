package org.lemmata.construct.symbol;

/**
 * The kernel of an MLP layer's random features on top of another kernel: E phi(U) phi(V) for normal U and V with mean 0
 * and the covariances K(x, x), K(x, y) and K(y, y). On top of the attention kernel, the result is K_trans.
 *
 * <p>Source: Boix-Adsera et al. (2024), equation 3 and appendix E.
 */
public record LinkedKernel(TokenSymmetricKernel kernel, CosineLink link) implements TokenSymmetricKernel {

    /** K_trans; each value is computed only once. */
    public static TokenSymmetricKernel transformer(AttentionKernel attention, CosineLink link) {
        return new RememberedKernel(new LinkedKernel(new RememberedKernel(attention), link));
    }

    @Override
    public double of(int[] x, int[] y) {
        return link.expectation(kernel.of(x, x), kernel.of(y, y), kernel.of(x, y));
    }
}
