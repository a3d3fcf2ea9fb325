package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.util.Locale;
import org.lemmata.number.BlockFormat;
import org.lemmata.number.FloatFormat;

/** The number formats that have names, with their ranges. */
public final class FormatTable {

    private static final String FLOATS = "%-20s %4s %3s %6s %5s  %-22s %-22s %s%n";
    private static final String OTHERS = "%-20s %4s %s%n";

    private FormatTable() {}

    public static void print(PrintWriter out) {
        out.printf(Locale.ROOT, FLOATS, "format", "bits", "p", "emin", "emax", "minimum", "maximum", "infinities, NaN");
        for (FloatFormat format : FloatFormat.NAMED) {
            String specials = switch (format.specials()) {
                case INFINITIES_AND_NAN -> "both";
                case NAN -> "NaN";
                case NONE -> "neither";
            };
            out.printf(
                    Locale.ROOT,
                    FLOATS,
                    format.name(),
                    format.codeBits(),
                    format.significandBits(),
                    format.minExponent(),
                    format.maxExponent(),
                    format.ulp(0),
                    format.maxFinite(),
                    specials);
        }
        out.println();
        out.printf(Locale.ROOT, OTHERS, "float(p,emin,emax)", "", "p from 2 to 53 within binary64; both");
        out.printf(Locale.ROOT, OTHERS, "log-precision(c,n)", "", "p = ceil(c log2 n), exponents of binary64; both");
        out.printf(Locale.ROOT, OTHERS, "threshold(p)", 64, "x where |x| > 2^-p, else 0");
        out.printf(Locale.ROOT, OTHERS, "integer", 64, "multiples of 1");
        out.printf(Locale.ROOT, OTHERS, "multiple(q)", 64, "multiples of q, a normal number of binary32");
        out.println();
        for (BlockFormat format : BlockFormat.NAMED) {
            out.printf(Locale.ROOT, OTHERS, format.name(), format.element().codeBits(), description(format));
        }
    }

    private static String description(BlockFormat format) {
        String element = format.element().name();
        return switch (format.scale()) {
            case POWER_OF_TWO ->
                "blocks of " + format.size() + ": " + element
                        + (format.implicitExponent() == 0 ? "" : " times 2^" + format.implicitExponent())
                        + " times a power of two from 2^-127 to 2^127";
            case MAXIMUM ->
                "rows: " + element + " times (largest magnitude / "
                        + (long) format.element().maxFinite() + ")";
        };
    }
}
