package org.lemmata.construct.symbol;

/**
 * A positive semidefinite kernel on strings of one length whose values stay the same when tokens are renamed.
 *
 * <p>Source: Boix-Adsera et al. (2024), definition C.1.
 */
@FunctionalInterface
public interface TokenSymmetricKernel {

    /** K(x, y). */
    double of(int[] x, int[] y);
}
