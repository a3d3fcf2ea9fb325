package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.number.BlockFormat;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.random.RandomStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "round",
        description = {
            "Round numbers to a format, one per line of standard input.",
            "Prints the result and its bits, separated by a tab. Numbers are read as binary64.",
            "With a block format, all lines form one row of binary32 numbers in blocks of 32 (int8 and int4: "
                    + "one block). Prints the result, the bits of the element and the scale of the block."
        },
        footer = {"  echo 3.14159 | lemmata round --format bfloat16", "  lemmata round --formats"})
final class RoundCommand extends OutputCommand {

    private static final String FLOATS = "%-20s %4s %3s %6s %5s  %-22s %-22s %s%n";
    private static final String OTHERS = "%-20s %4s %s%n";

    @Option(
            names = "--format",
            completionCandidates = FormatNames.class,
            description = "The number format: ${COMPLETION-CANDIDATES}.")
    private @Nullable String format;

    @Option(names = "--formats", description = "List the formats and their ranges, then exit.")
    private boolean formats;

    @Option(
            names = "--mode",
            completionCandidates = ModeNames.class,
            description = "The rounding mode: ${COMPLETION-CANDIDATES} (default: TiesToEven).")
    private @Nullable String mode;

    @Option(
            names = "--seed",
            description = "Random seed of the mode Stochastic (default: 0). Each line has its own random number.")
    private @Nullable Long seed;

    @Option(names = "--saturate", description = "Round overflow and infinities to the largest finite number.")
    private boolean saturate;

    @Option(names = "--no-subnormals", description = "Round results below the smallest normal number to zero.")
    private boolean noSubnormals;

    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TensorRounding.NAMES.iterator();
        }
    }

    static final class ModeNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Rounding.Mode.values())
                    .map(Rounding.Mode::label)
                    .iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        if (formats) {
            printFormats(out());
            return ExitCode.CLEAN;
        }
        if (format == null) {
            throw new IllegalArgumentException("--format: expected a format, got none; --formats lists them");
        }
        var lines = new Lines(rounding(format));
        BufferedReader reader = InputFile.open("-");
        // Each check also flushes, so that another program can read the answer to a line before it sends the next.
        for (String line = reader.readLine(); line != null && !out().checkError(); line = reader.readLine()) {
            lines.add(line);
        }
        lines.finish();
        return ExitCode.CLEAN;
    }

    /** The requested rounding. Rejects options that would have no effect. */
    private TensorRounding rounding(String name) {
        Rounding.Mode direction = mode == null ? Rounding.Mode.TIES_TO_EVEN : Rounding.Mode.parse(mode);
        TensorRounding rounding = TensorRounding.parse(name, direction, !noSubnormals, saturate);
        boolean isFloat = rounding instanceof Rounding elementwise && elementwise.format() instanceof FloatFormat;
        boolean isThreshold =
                rounding instanceof Rounding elementwise && elementwise.format() instanceof ThresholdFormat;
        Refuse.when(saturate && !isFloat, "--saturate", "a float format", name);
        Refuse.when(noSubnormals && !isFloat, "--no-subnormals", "a float format", name);
        Refuse.when(mode != null && isThreshold, "--mode", "a format that has neighbours", name);
        Refuse.when(seed != null && !rounding.isStochastic(), "--seed", "--mode Stochastic", direction.label());
        return rounding;
    }

    /**
     * Reads numbers from lines, rounds them and prints them. Line e, counted from 0, is element e of a tensor and uses
     * word e of the random stream. A line that is not a number counts as an element but gets no output.
     */
    private final class Lines {

        private final TensorRounding rounding;
        private final RandomStream words = new RandomStream(seed == null ? 0 : seed, 0, 0);
        private final NumberFormat codes;
        private final String name;
        /** The number of lines in a block; 1 if the format has no shared scale. */
        private final int size;

        private final SequencedMap<Long, Double> numbers = new LinkedHashMap<>();

        private long lines;
        private final InputFile.RefusedLines refused = new InputFile.RefusedLines();

        Lines(TensorRounding rounding) {
            this.rounding = rounding;
            switch (rounding) {
                case Rounding elements -> {
                    codes = elements.format();
                    name = codes.name();
                    size = 1;
                }
                case BlockRounding blocks -> {
                    codes = blocks.format().element();
                    name = blocks.format().name();
                    size = blocks.format().size();
                }
            }
        }

        void add(String line) {
            long place = lines++;
            try {
                String number = inJava(line.strip());
                numbers.put(
                        place, rounding instanceof Rounding ? Double.parseDouble(number) : Float.parseFloat(number));
            } catch (NumberFormatException e) {
                refused.add(lines, "expected a number, got " + Refuse.quoted(line));
            }
            if (lines % size == 0) {
                printBlock();
            }
        }

        /** @throws IllegalArgumentException if a line was not a number, or had no code; the message names the first */
        void finish() {
            printBlock();
            refused.end();
        }

        private void printBlock() {
            switch (rounding) {
                case Rounding elements ->
                    numbers.forEach((place, x) -> {
                        double result = elements.round(x, word(place));
                        print(place, result, result, "");
                    });
                case BlockRounding blocks -> printBlock(blocks);
            }
            numbers.clear();
        }

        private void printBlock(BlockRounding blocks) {
            double maximum =
                    numbers.values().stream().mapToDouble(Math::abs).max().orElse(0);
            float scale = blocks.scale((float) maximum);
            // `scale` includes the implicit factor 2^p of the elements; the scale that the format stores does not.
            double shown = Math.scalb((double) scale, -blocks.format().implicitExponent());
            numbers.forEach((place, number) -> {
                float x = number.floatValue();
                double element = blocks.element(x, scale, word(place));
                // If the scale is NaN, every element is NaN, whatever its code.
                double coded = Double.isNaN(scale) ? 0 : element;
                print(place, blocks.round(x, scale, word(place)), coded, "\t" + shown);
            });
        }

        private int word(long place) {
            return rounding.isStochastic() ? words.word(place) : 0;
        }

        private void print(long place, double value, double element, String more) {
            long code;
            try {
                code = codes.encode(element);
            } catch (IllegalArgumentException e) {
                refused.add(place + 1, "expected a number that has a code in " + name + ", got " + value);
                return;
            }
            int digits = (codes.codeBits() + 3) / 4;
            out().printf(Locale.ROOT, "%s\t0x%0" + digits + "x%s%n", value, code, more);
        }

        /**
         * Converts the spellings of infinity and NaN in other languages to Java's spelling. C also prints the sign of a
         * NaN.
         */
        private static String inJava(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "nan", "+nan", "-nan" -> "NaN";
                case "inf", "+inf", "infinity", "+infinity" -> "Infinity";
                case "-inf", "-infinity" -> "-Infinity";
                default -> Refuse.suffix(text);
            };
        }
    }

    /** Prints the number formats that have names, with their ranges. */
    static void printFormats(PrintWriter out) {
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
            out.printf(Locale.ROOT, OTHERS, format.name(), format.element().codeBits(), blockDescription(format));
        }
    }

    private static String blockDescription(BlockFormat format) {
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
