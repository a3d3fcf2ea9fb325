package org.lemmata.number;

/**
 * Rounds blocks of a row: x_i becomes X p_i, where X depends on the block's largest magnitude m, and p_i is x_i / X
 * rounded to an element.
 *
 * <p>Elements saturate. The quotient is exact if the scale is a power of two, otherwise rounded to binary32, to nearest
 * even. The product is also rounded to binary32, which is exact for the MX formats. Zeros remain zeros; they lose their
 * sign if elements are integers. If m is infinite or NaN, every element of the block becomes NaN: E8M0 has a code for
 * NaN, but most element formats have none.
 *
 * @param format the format of blocks
 * @param mode how x_i / X is rounded
 */
public record BlockRounding(BlockFormat format, Rounding.Mode mode) implements TensorRounding {

    private static final int MAX_SCALE_EXPONENT = 127;

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
     * The factor of elements in a block whose largest magnitude is {@code maximum}: X times the factor of
     * {@link BlockFormat#implicitExponent()}. X is 1 if {@code maximum} is 0, and NaN if it is not finite.
     *
     * <p>Powers of two are binary32 numbers, possibly subnormal: from 2^-127 to 2^127, times that factor.
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
                // Computed in binary64, so that the exponent of subnormal numbers is also correct.
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

    /** The element p of x: x / scale, rounded. */
    public double element(float x, float scale, int random) {
        boolean exact = format.scale() == BlockFormat.Scale.POWER_OF_TWO;
        double quotient = exact ? (double) x / scale : x / scale;
        return format.element().round(quotient, mode, true, true, random);
    }

    /** The rounded x: X p. */
    public float round(float x, float scale, int random) {
        return (float) (element(x, scale, random) * scale);
    }
}
