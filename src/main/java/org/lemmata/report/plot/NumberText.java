package org.lemmata.report.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.lemmata.statistic.Interval;

/** Formats numbers with four significant digits, thin spaces between thousands, and powers of ten. */
public final class NumberText {

    /** U+202F, a narrow no-break space. */
    private static final String THIN_SPACE = "\u202f";

    private static final char MINUS = '\u2212';
    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);
    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

    /** The limit from which on integers are written with a power of ten. */
    private static final double MAX_WRITTEN_OUT = 1e9;

    private static final int MAX_PLAIN_EXPONENT = 5;
    private static final int SMALLEST_PLAIN_EXPONENT = -3;
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private NumberText() {}

    /** Integers of less than 10 digits in full, other numbers with four significant ones: {@code 6 × 10⁻⁹}. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "∞" : MINUS + "∞";
        }
        if (value == Math.rint(value) && Math.abs(value) < MAX_WRITTEN_OUT) {
            return of((long) value);
        }
        return scaled(new BigDecimal(value).round(FOUR_DIGITS));
    }

    public static String of(long value) {
        return grouped(BigDecimal.valueOf(value));
    }

    /** A ratio, to three significant digits. */
    public static String ratio(double value) {
        return Double.isFinite(value) ? scaled(new BigDecimal(value).round(THREE_DIGITS)) : of(value);
    }

    /** A number with {@code digits} significant digits in ASCII, including zeros at the end: {@code 0.500}. */
    public static String digits(double value, int digits) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits));
        return rounded.setScale(rounded.scale() + digits - rounded.precision()).toPlainString();
    }

    /** An interval of ratios: {@code [0.97, 1.03]}. */
    public static String range(Interval interval) {
        return "[" + ratio(interval.low()) + ", " + ratio(interval.high()) + "]";
    }

    /** A value, followed by its interval in brackets if it has one: {@code 2 [1, 3]}. */
    static String withInterval(double value, double low, double high) {
        return of(value) + (low < high ? " " + interval(low, high) : "");
    }

    /** {@code [1, 3]}. */
    public static String interval(double low, double high) {
        return "[" + of(low) + ", " + of(high) + "]";
    }

    /** {@code 10⁻³} for -3. */
    public static String powerOfTen(int exponent) {
        var text = new StringBuilder("10");
        for (char digit : Integer.toString(exponent).toCharArray()) {
            text.append(digit == '-' ? '⁻' : SUPERSCRIPTS.charAt(digit - '0'));
        }
        return text.toString();
    }

    /** {@code score ± error} with at least four digits of the score and two of the error; without error, the score. */
    public static String withError(double score, double error) {
        if (!Double.isFinite(score) || !Double.isFinite(error) || error <= 0) {
            return of(score);
        }
        BigDecimal half = new BigDecimal(error).round(new MathContext(2, RoundingMode.HALF_UP));
        int places = Math.max(
                half.scale(),
                score == 0 ? 0 : new BigDecimal(score).round(FOUR_DIGITS).scale());
        BigDecimal mean = new BigDecimal(score).setScale(places, RoundingMode.HALF_EVEN);
        BigDecimal margin = new BigDecimal(error).setScale(places, RoundingMode.HALF_UP);
        int exponent = exponent(mean.signum() == 0 ? margin : mean);
        if (isPlain(exponent)) {
            return fixed(mean) + " ± " + fixed(margin);
        }
        return "(" + fixed(mean.movePointLeft(exponent)) + " ± " + fixed(margin.movePointLeft(exponent)) + ") × "
                + powerOfTen(exponent);
    }

    /** A duration, with two digits below 100 s: "31 ms", "0.25 s", "3 min 20 s", "2 h 5 min". */
    public static String seconds(double seconds) {
        if (Double.isNaN(seconds) || seconds > 1e9) {
            return of(seconds) + " s";
        }
        if (seconds < 100) {
            boolean millis = seconds < 0.1;
            return of(new BigDecimal(millis ? 1000 * seconds : seconds)
                            .round(new MathContext(2))
                            .doubleValue())
                    + (millis ? " ms" : " s");
        }
        long whole = Math.round(seconds);
        return whole < 3600
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }

    private static String scaled(BigDecimal value) {
        int exponent = exponent(value);
        return isPlain(exponent)
                ? grouped(value)
                : grouped(value.movePointLeft(exponent)) + " × " + powerOfTen(exponent);
    }

    private static int exponent(BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }

    private static boolean isPlain(int exponent) {
        return exponent >= SMALLEST_PLAIN_EXPONENT && exponent <= MAX_PLAIN_EXPONENT;
    }

    private static String grouped(BigDecimal value) {
        return value.signum() == 0 ? "0" : fixed(value.stripTrailingZeros());
    }

    /** Like {@link #grouped}, but keeps zeros after the point, which show the precision. */
    static String fixed(BigDecimal value) {
        String plain = value.abs().toPlainString();
        int point = plain.indexOf('.');
        String whole = point < 0 ? plain : plain.substring(0, point);
        String fraction = point < 0 ? "" : plain.substring(point);
        if (whole.length() > 4) {
            whole = whole.replaceAll("(?<=\\d)(?=(\\d{3})+$)", THIN_SPACE);
        }
        return (value.signum() < 0 ? String.valueOf(MINUS) : "") + whole + fraction;
    }
}
