package org.lemmata.number;

/**
 * Rounds blocks of a row: x_i becomes X p_i with p_i the element that x_i / X goes to, and X from the block's largest
 * magnitude m.
 *
 * <p>The quotient saturates. For scales that are powers of two it is exact; for others it is a binary32 number, to
 * nearest even. So is the product, which is exact for the MX formats. Zeros stay zeros, and lose their sign where
 * elements are integers. If m is infinite or NaN, every element of the block becomes NaN: E8M0 has a code for NaN, and
 * most elements have none.
 *
 * @param format what blocks become
 * @param mode which neighbour of x_i / X is taken
 */
public record BlockRounding(BlockFormat format, Rounding.Mode mode) implements TensorRounding {

    private static final int MAX_SCALE_EXPONENT = 127;

    /** The mode is to nearest even. */
    public static BlockRounding toNearestEven(BlockFormat format) {
        return new BlockRounding(format, Rounding.Mode.TIES_TO_EVEN);
    }

    @Override
    public String label() {
        return format.name() + (mode == Rounding.Mode.TIES_TO_EVEN ? "" : " " + mode.label());
    }

    @Override
    public boolean isStochastic() {
        return mode == Rounding.Mode.STOCHASTIC;
    }

    /**
     * What elements are multiplied by in a block whose largest magnitude is {@code maximum}: X, with the factor of
     * {@link BlockFormat#implicitExponent()}; X is 1 for 0, and NaN for what is not finite.
     *
     * <p>A power of two is a binary32 number, also a subnormal one: from 2^-127, times that factor, to 2^127.
     */
    public float scale(float maximum) {
        if (!(maximum <= Float.MAX_VALUE)) {
            return Float.NaN;
        }
        if (maximum == 0) {
            return Math.scalb(1f, format.implicitExponent());
        }
        return switch (format.scale()) {
            case POWER_OF_TWO -> {
                // Of a subnormal number, too.
                int factor = format.implicitExponent();
                int exponent = Math.getExponent((double) maximum) - format.maxElementExponent() - factor;
                yield (float) Math.scalb(1.0, Math.clamp(exponent, -MAX_SCALE_EXPONENT, MAX_SCALE_EXPONENT) + factor);
            }
            case MAXIMUM -> {
                float element = (float) format.element().maxFinite();
                float scale = Math.max(Float.MIN_VALUE, maximum / element);
                yield scale * element <= Float.MAX_VALUE ? scale : Math.nextDown(scale);
            }
        };
    }

    /** p for an element: x / scale, rounded. */
    public double element(float x, float scale, int random) {
        boolean exact = format.scale() == BlockFormat.Scale.POWER_OF_TWO;
        double quotient = exact ? (double) x / scale : x / scale;
        return format.element().round(quotient, mode, true, true, random);
    }

    /** X p for an element. */
    public float round(float x, float scale, int random) {
        return (float) (element(x, scale, random) * scale);
    }
}
