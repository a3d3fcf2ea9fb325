package org.lemmata.construct.length;

/**
 * L = |u| (r + |A|_F |B|_F) max_c |v_c| of a {@link LimitFunction}, as a product of factors.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), theorem 4.1, corrected; {@link #printed()} is close to the paper's L.
 *
 * @param readout |u|
 * @param residual r: 0 for a feed-forward part without residual, otherwise 1
 * @param first |A|_F; 0 without feed-forward part
 * @param second |B|_F; 0 without feed-forward part
 * @param value max_c |v_c|, over the classes (token, residue)
 */
public record LimitNorm(double readout, double residual, double first, double second, double value) {

    /** |u| (r + |A|_F |B|_F): changing o(x) by e changes f(x) by at most this number times |e|. */
    public double lipschitz() {
        return readout * (residual + first * second);
    }

    /** L. */
    public double corrected() {
        return lipschitz() * value;
    }

    /** |A|_F |B|_F max_c |v_c|: the paper's L, but with values that include positions. */
    public double printed() {
        return first * second * value;
    }
}
