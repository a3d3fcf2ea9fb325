package org.lemmata.number;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** A set of representable numbers, all exact in binary64, with code words. */
public sealed interface NumberFormat permits FloatFormat, CutFormat, IntegerFormat {

    /** The name in the command line and in records. */
    String name();

    /** Significand bits p, including the hidden bit. */
    int significandBits();

    double maxFinite();

    /** The smallest positive number; in float formats, the smallest normal number. */
    double minNormal();

    int codeBits();

    /**
     * Rounds {@code x} to a representable number. Zeros keep their sign if the format has signed zeros, and NaN stays
     * NaN, even if the format has no code for it.
     *
     * @param mode the rounding mode
     * @param subnormals whether numbers below the smallest normal number are kept; if not, a result below it becomes a
     *     zero of its sign, after rounding to a subnormal number
     * @param saturate whether overflow and infinite {@code x} give the largest finite number of the same sign
     * @param random the random word of the mode {@link Rounding.Mode#STOCHASTIC}; ignored by other modes
     */
    double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random);

    /**
     * {@link #round(double, Rounding.Mode, boolean, boolean, int)} for deterministic modes.
     *
     * @throws IllegalStateException if the mode is {@link Rounding.Mode#STOCHASTIC}
     */
    default double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        if (mode == Rounding.Mode.STOCHASTIC) {
            throw new IllegalStateException("mode: expected a random word for Stochastic, got none");
        }
        return round(x, mode, subnormals, saturate, 0);
    }

    /**
     * The code word of a representable number, in the low {@link #codeBits()} bits.
     *
     * @throws IllegalArgumentException if {@code x} is not representable
     */
    long encode(double x);

    /**
     * The names that {@link #find} accepts, as shown to users. A method, because this interface is initialized before
     * the classes that implement it: a field could not read {@link FloatFormat#NAMED}.
     */
    static List<String> names() {
        return Stream.concat(
                        FloatFormat.NAMED.stream().map(FloatFormat::name),
                        Stream.of("float(p,emin,emax)", "log-precision(c,n)", "threshold(p)", "integer", "multiple(q)"))
                .toList();
    }

    /** The error for an unknown name. If other software uses the name, the message gives Lemmata's name. */
    static IllegalArgumentException unknown(String name, List<String> known) {
        // Prefixes and suffixes of names in PyTorch and ml_dtypes: float8_e4m3fn, fp6_e2m3, float4_e2m1fn_x2.
        String plain = name.toLowerCase(Locale.ROOT)
                .replaceFirst("^(fp|float)[468]_?(?=e\\d)", "")
                .replaceFirst("(?<=m\\d)fn(_x2)?$", "");
        String here = switch (plain) {
            case "fp16", "float16", "half" -> "binary16";
            case "bf16" -> "bfloat16";
            case "fp32", "float32", "single" -> "binary32";
            case "fp64", "float64", "double" -> "binary64";
            case "fp8", "float8" -> "ocp_e4m3 or ocp_e5m2";
            case "e5m2", "e4m3" -> "ocp_" + plain;
            case "e3m2", "e2m3", "e2m1" -> plain;
            // Formats that have a single NaN, but neither infinities nor -0.
            case "e5m2fnuz" -> "float(3,-15,15) except for infinities and -0";
            case "e4m3fnuz" -> "float(4,-7,7) except for infinities and -0";
            default -> "";
        };
        String blocks = known.stream()
                .filter(format -> format.matches("mx.*" + Pattern.quote(plain)))
                .map(format -> ", or " + format + " with a scale for each block")
                .findFirst()
                .orElse("");
        return new IllegalArgumentException("format: expected one of " + String.join(", ", known) + ", got "
                + Refuse.quoted(name) + (here.isEmpty() ? "" : ", which is " + here + " here" + blocks));
    }

    /**
     * The format named {@code name}, if the name is one of {@link #names()}.
     *
     * @throws IllegalArgumentException if a number in parentheses is out of range
     */
    static Optional<NumberFormat> find(String name) {
        for (FloatFormat format : FloatFormat.NAMED) {
            if (format.name().equals(name)) {
                return Optional.of(format);
            }
        }
        if (name.equals("integer")) {
            return Optional.of(new GridFormat(1));
        }
        int open = name.indexOf('(');
        if (open < 0 || !name.endsWith(")")) {
            return Optional.empty();
        }
        String[] arguments = name.substring(open + 1, name.length() - 1).split(",", -1);
        try {
            return switch (name.substring(0, open) + "/" + arguments.length) {
                case "threshold/1" -> Optional.of(new ThresholdFormat(integer(arguments[0])));
                case "multiple/1" -> Optional.of(new GridFormat(decimal(arguments[0])));
                case "log-precision/2" ->
                    Optional.of(FloatFormat.logPrecision(decimal(arguments[0]), integer(arguments[1])));
                case "float/3" ->
                    Optional.of(
                            new FloatFormat(name, integer(arguments[0]), integer(arguments[1]), integer(arguments[2])));
                default -> Optional.empty();
            };
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static int integer(String text) {
        if (!text.matches("-?\\d{1,10}")) {
            throw new NumberFormatException(text);
        }
        return Integer.parseInt(text);
    }

    private static double decimal(String text) {
        if (!text.matches("[-+.0-9eE]{1,24}")) {
            throw new NumberFormatException(text);
        }
        return Double.parseDouble(text);
    }
}
