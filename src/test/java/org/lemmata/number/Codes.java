package org.lemmata.number;

/** Decodes the code words of each kind of format. */
public final class Codes {

    private Codes() {}

    /** The number of a code word; NaN if the code is unused. Bits above the word are ignored. */
    public static double decode(NumberFormat format, long code) {
        return switch (format) {
            case FloatFormat floats -> decode(floats, code);
            case IntegerFormat integers -> code << (Long.SIZE - integers.bits()) >> (Long.SIZE - integers.bits());
            case CutFormat _ -> Double.longBitsToDouble(code);
        };
    }

    private static double decode(FloatFormat format, long code) {
        int storedBits = format.significandBits() - 1;
        long trailing = code & ((1L << storedBits) - 1);
        long allOnes = (1L << (format.codeBits() - format.significandBits())) - 1;
        long biased = (code >>> storedBits) & allOnes;
        double sign = ((code >>> (format.codeBits() - 1)) & 1) == 0 ? 1 : -1;
        if (biased == allOnes && format.specials() == FloatFormat.Specials.INFINITIES_AND_NAN) {
            return trailing == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        double significand = trailing + (biased == 0 ? 0 : 1L << storedBits);
        int exponent = (int) Math.max(biased, 1) - 1 + format.minExponent() - storedBits;
        double magnitude = Math.scalb(significand, exponent);
        return magnitude <= format.maxFinite() ? sign * magnitude : Double.NaN;
    }
}
