package org.lemmata.number;

import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * A block format. A block of a row has the numbers X p_1, ..., X p_size, where the elements p_i have a small format and
 * the scale X is shared.
 *
 * @param name the name, such as "mxfp8_e4m3"
 * @param element the format of p_i; it saturates, and binary32 contains it
 * @param size the number of elements of a block (the last block of a row may have fewer); {@link #WHOLE_ROW} for one
 *     block per row
 * @param scale how X is computed
 */
public record BlockFormat(String name, NumberFormat element, int size, Scale scale) {

    /** Each block is a row of any length. */
    public static final int WHOLE_ROW = Integer.MAX_VALUE;

    public static final int MX_SIZE = 32;

    /** How X is computed from m, the largest magnitude of the block. */
    public enum Scale {
        /**
         * E8M0: 2^e with e = floor(log2 m) - floor(log2 q), from -127 to 127, where q is the largest finite value of
         * the element format. An integer p of b bits represents 2^(2-b) p (p / 64 for 8 bits), so q is just below 2.
         *
         * <p>Source: Open Compute Project (2023), OCP Microscaling formats (MX) specification 1.0, sections 5.3, 5.4
         * and 6.3.
         */
        POWER_OF_TWO,
        /**
         * m / q for the largest value q of the element format, in binary32 rounded to nearest even, or the next smaller
         * number if X q would overflow. Because of the rounding to nearest, an x of magnitude m gets the code of q. A
         * subnormal X, at least the smallest positive number, is imprecise: x may then saturate or get a smaller code.
         */
        MAXIMUM
    }

    /** The named formats: MX with five float element types and 8-bit integers, and integers with one scale per row. */
    public static final List<BlockFormat> NAMED = List.of(
            mx("mxfp8_e5m2", FloatFormat.OCP_E5M2),
            mx("mxfp8_e4m3", FloatFormat.OCP_E4M3),
            mx("mxfp6_e3m2", FloatFormat.E3M2),
            mx("mxfp6_e2m3", FloatFormat.E2M3),
            mx("mxfp4_e2m1", FloatFormat.E2M1),
            mx("mxint8", new IntegerFormat(8)),
            new BlockFormat("int8", new IntegerFormat(8), WHOLE_ROW, Scale.MAXIMUM),
            new BlockFormat("int4", new IntegerFormat(4), WHOLE_ROW, Scale.MAXIMUM));

    public BlockFormat {
        Refuse.below("size", size, 1);
    }

    private static BlockFormat mx(String name, NumberFormat element) {
        return new BlockFormat(name, element, MX_SIZE, Scale.POWER_OF_TWO);
    }

    /** floor(log2 of the largest element), without the factor of {@link #implicitExponent}. */
    public int maxElementExponent() {
        return Math.getExponent(element.maxFinite());
    }

    /** The exponent of the implicit factor of elements: 2 - b for integers with E8M0 scales, otherwise 0. */
    public int implicitExponent() {
        return scale == Scale.POWER_OF_TWO && element instanceof IntegerFormat integers ? 2 - integers.bits() : 0;
    }
}
