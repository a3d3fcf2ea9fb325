package org.lemmata.number;

import java.util.List;

/** A set of representable numbers, each of them exact in binary64, with its code words. */
public sealed interface NumberFormat permits FloatFormat, ThresholdFormat {

    /** The name by which the command line and the records know it. */
    String name();

    /** Significand bits p, the hidden one counted. */
    int significandBits();

    /** The largest finite number. */
    double maxFinite();

    /** The least positive number from which on numbers keep the full significand. */
    double minNormal();

    /** How many bits a code word has. */
    int codeBits();

    /**
     * The representable number that {@code x} goes to. Zeros keep their sign, NaN stays NaN, an infinity stays
     * infinite.
     *
     * @param mode which neighbour is taken
     * @param subnormals whether numbers below the least normal one are kept; if not, a result there becomes a zero of
     *     its
     *     sign, after rounding as if they were kept
     * @param saturate whether a finite {@code x} whose result would overflow becomes the largest finite number
     */
    double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate);

    /** {@link #round(double, Rounding.Mode, boolean, boolean)} of a binary32 number, narrowed to binary32. */
    default float round(float x, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        return (float) round((double) x, mode, subnormals, saturate);
    }

    /**
     * The code word of a representable number, in the low {@link #codeBits()} bits.
     *
     * @throws IllegalArgumentException if {@code x} is not representable
     */
    long encode(double x);

    /** The number that a code word stands for; every NaN code gives NaN. */
    double decode(long code);

    /** The names that {@link #parse} accepts, as they are shown to a user. */
    List<String> NAMES = List.of("binary64", "binary32", "binary16", "bfloat16", "threshold(p)");

    /**
     * The format of a name.
     *
     * @throws IllegalArgumentException if the name is not one of {@link #NAMES}, p being an integer from 1 to 1022
     */
    static NumberFormat parse(String name) {
        for (NumberFormat format : FloatFormat.NAMED) {
            if (format.name().equals(name)) {
                return format;
            }
        }
        if (name.matches("threshold\\(\\d{1,4}\\)")) {
            return new ThresholdFormat(Integer.parseInt(name, 10, name.length() - 1, 10));
        }
        throw new IllegalArgumentException(
                "format: expected one of " + String.join(", ", NAMES) + ", got '" + name + "'");
    }
}
