package org.lemmata.number;

/**
 * Rounds blocks of a row: x_i becomes X p_i with p_i the element that x_i / X goes to, and X from the block's greatest
 * magnitude m.
 *
 * <p>The quotient saturates. For scales that are powers of two it is exact, and so is the product, but where it falls
 * below the least subnormal of binary32; for others both are binary32 numbers, to nearest even. A block of zeros stays as
 * it is. If m is infinite or NaN, every element of the block becomes NaN: the scale has no other way to say it.
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
     * X for a block whose greatest magnitude is {@code greatest}; 1 for 0, NaN for what is not finite.
     *
     * <p>A power of two is a binary32 number from 2^-127, a subnormal one, to 2^127.
     */
    public float scale(float greatest) {
        if (greatest == 0) {
            return 1;
        }
        if (!(Math.abs(greatest) <= Float.MAX_VALUE)) {
            return Float.NaN;
        }
        return switch (format.scale()) {
            case POWER_OF_TWO -> {
                // Of a subnormal number, too.
                int exponent = Math.getExponent((double) greatest) - format.maxElementExponent();
                yield (float) Math.scalb(1.0, Math.clamp(exponent, -MAX_SCALE_EXPONENT, MAX_SCALE_EXPONENT));
            }
            case GREATEST -> Math.max(Float.MIN_VALUE, (float) (greatest / format.element().maxFinite()));
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
