package org.lemmata.oracle;

import java.util.Arrays;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * The two numbers of a float format, without a maximum exponent, that enclose a magnitude, and its position between
 * them: everything that rounding in any mode needs. Fast enough for all numbers of a format.
 *
 * @param below the neighbour toward zero, or the magnitude itself
 * @param above the neighbour away from zero; {@code below} if the magnitude is a number of the format
 * @param belowIsOdd whether the last significand bit of {@code below} is 1
 * @param half the sign of magnitude - (below + above) / 2
 * @param fraction (magnitude - below) / (above - below) as a multiple of 2^-24, rounded down
 */
public record Neighbours(double below, double above, boolean belowIsOdd, int half, int fraction) {

    private static final int ONE = 1 << 24;

    /**
     * All numbers from 0 to the maximum, ascending: the number at index c has the code c. The next two numbers follow,
     * as if the exponent were unbounded.
     */
    public static double[] table(FloatFormat format) {
        int perBinade = 1 << (format.significandBits() - 1);
        int binades = format.maxExponent() - format.minExponent() + 2;
        boolean lastIsNan = format.specials() == FloatFormat.Specials.NAN
                && ExactRounding.fillsItsField(format.minExponent(), format.maxExponent());
        double[] table = new double[binades * perBinade - (lastIsNan ? 1 : 0) + 2];
        for (int c = 0; c < table.length; c++) {
            int exponent = format.minExponent() + Math.max(0, c / perBinade - 1);
            int significand = c < perBinade ? c : perBinade + c % perBinade;
            table[c] = Math.scalb((double) significand, exponent - format.significandBits() + 1);
        }
        return table;
    }

    /** The neighbours of a magnitude in a {@link #table}; larger magnitudes count as its last number. */
    public static Neighbours in(double[] table, double magnitude) {
        int found = Arrays.binarySearch(table, magnitude);
        int code = found >= 0 ? found : -found - 2;
        double below = table[code];
        if (found >= 0 || code == table.length - 1) {
            return new Neighbours(below, below, code % 2 == 1, -1, 0);
        }
        double above = table[code + 1];
        return between(below, above, code % 2 == 1, magnitude - below, above - below);
    }

    /** The neighbours of a magnitude among the numbers of p bits with exponents from emin on. */
    public static Neighbours of(int p, int emin, double magnitude) {
        int exponent = magnitude < Double.MIN_NORMAL ? emin : Math.max(emin, Math.getExponent(magnitude));
        int quantum = exponent - p + 1;
        double floor = Math.floor(Math.scalb(magnitude, -quantum)); // below 2^p; exact, or a number far below 1
        double below = Math.scalb(floor, quantum);
        if (below == magnitude) {
            return new Neighbours(below, below, floor % 2 == 1, -1, 0);
        }
        return between(
                below, Math.scalb(floor + 1, quantum), floor % 2 == 1, magnitude - below, Math.scalb(1.0, quantum));
    }

    private static Neighbours between(double below, double above, boolean belowIsOdd, double distance, double gap) {
        // All operations are exact: powers of two, and differences of numbers within a factor of 2, or from zero.
        int half = Double.compare(distance, gap / 2);
        return new Neighbours(below, above, belowIsOdd, half, (int) (distance / gap * ONE));
    }

    /** The neighbour to which a number of this magnitude is rounded. */
    public double choose(Rounding.Mode mode, boolean negative, int random) {
        boolean away = switch (mode) {
            case TIES_TO_EVEN -> half > 0 || (half == 0 && belowIsOdd);
            case TIES_TO_AWAY -> half >= 0;
            case TOWARD_ZERO -> false;
            case TOWARD_POSITIVE -> !negative;
            case TOWARD_NEGATIVE -> negative;
            case TO_ODD -> !belowIsOdd;
            case STOCHASTIC -> fraction >= ONE - (random >>> 8);
        };
        return away ? above : below;
    }

    /**
     * The {@link #choose chosen} neighbour with its sign, after underflow and overflow.
     *
     * @param specials the codes that are not finite numbers
     * @param minimum smaller results become zero
     * @param maximum greater results overflow
     */
    public double round(
            FloatFormat.Specials specials,
            double minimum,
            double maximum,
            Rounding.Mode mode,
            boolean saturate,
            boolean negative,
            int random) {
        double chosen = choose(mode, negative, random);
        if (chosen > maximum) {
            Rounding.Mode inward = negative ? Rounding.Mode.TOWARD_POSITIVE : Rounding.Mode.TOWARD_NEGATIVE;
            boolean stays = saturate
                    || specials == FloatFormat.Specials.NONE
                    || mode == inward
                    || mode == Rounding.Mode.TOWARD_ZERO
                    || mode == Rounding.Mode.TO_ODD;
            boolean infinities = specials == FloatFormat.Specials.INFINITIES_AND_NAN;
            chosen = stays ? maximum : infinities ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (chosen < minimum) {
            chosen = 0;
        }
        return negative ? -chosen : chosen;
    }
}
