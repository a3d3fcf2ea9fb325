package org.lemmata.construct.symbol;

/**
 * A positive semidefinite kernel on strings of one length that is invariant under renaming of tokens.
 *
 * <p>Source: Boix-Adsera et al. (2024), definition C.1.
 */
@FunctionalInterface
public interface TokenSymmetricKernel {

    /** K(x, y). */
    double of(int[] x, int[] y);
}
