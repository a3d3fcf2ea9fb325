package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.lemmata.argument.Refuse;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * Numbers read from lines, rounded, and printed. The line at place e, from 0, is element e of a tensor: it takes word e
 * of the stream. Lines that are no numbers keep their place, are counted, and get no answer.
 */
abstract sealed class RoundedLines {

    private final PrintWriter out;
    private final NumberFormat codes;
    private final String name;
    private final int digits;

    private long lines;
    private long illegal;
    private String first = "";

    private RoundedLines(PrintWriter out, NumberFormat codes, String name) {
        this.out = out;
        this.codes = codes;
        this.name = name;
        this.digits = (codes.codeBits() + 3) / 4;
    }

    /** Reads the next line. */
    final void add(String line) {
        long place = lines++;
        try {
            read(line.strip(), place);
        } catch (NumberFormatException e) {
            refuse(place, "expected a number, got " + Refuse.quoted(line));
        }
    }

    /** Rounds the number of a line, now or when its block is complete. */
    abstract void read(String number, long place);

    /**
     * Ends the input.
     *
     * @throws IllegalArgumentException if a line had no answer; tells the first
     */
    void finish() {
        if (illegal > 0) {
            String others = illegal == 1 ? "" : "; " + (illegal - 1) + " more refused";
            throw new IllegalArgumentException("input: " + first + others);
        }
    }

    final void refuse(long place, String why) {
        illegal++;
        first = illegal == 1 ? "line " + (place + 1) + ": " + why : first;
    }

    final void print(long place, double value, double element, String more) {
        long code;
        try {
            code = codes.encode(element);
        } catch (IllegalArgumentException e) {
            refuse(place, "expected a number that has a code in " + name + ", got " + value);
            return;
        }
        out.printf(Locale.ROOT, "%s\t0x%0" + digits + "x%s%n", value, code, more);
    }

    /**
     * The names of infinities and NaN as other languages print them, in Java's notation; C prints the sign of a NaN.
     */
    private static String inJava(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> "NaN";
            case "inf", "+inf", "infinity", "+infinity" -> "Infinity";
            case "-inf", "-infinity" -> "-Infinity";
            default -> Refuse.suffix(text);
        };
    }

    /** Each line for itself, read as binary64: result and code. */
    static final class Elements extends RoundedLines {

        private final Rounding rounding;
        private final RandomStream words;

        Elements(PrintWriter out, Rounding rounding, RandomStream words) {
            super(out, rounding.format(), rounding.format().name());
            this.rounding = rounding;
            this.words = words;
        }

        @Override
        void read(String number, long place) {
            double x = Double.parseDouble(inJava(number));
            double result = rounding.round(x, rounding.isStochastic() ? words.word(place) : 0);
            print(place, result, result, "");
        }
    }

    /** Blocks of lines, read as binary32: result, code of the element, and scale. */
    static final class Blocks extends RoundedLines {

        private static final int FIRST_CAPACITY = 32;

        private final BlockRounding rounding;
        private final RandomStream words;

        private float[] numbers = new float[FIRST_CAPACITY];
        private long[] places = new long[FIRST_CAPACITY];
        private int count;
        private long end;

        Blocks(PrintWriter out, BlockRounding rounding, RandomStream words) {
            super(out, rounding.format().element(), rounding.format().name());
            this.rounding = rounding;
            this.words = words;
            this.end = rounding.format().size();
        }

        @Override
        void read(String number, long place) {
            while (place >= end) {
                printBlock();
                end += rounding.format().size();
            }
            float x = Float.parseFloat(inJava(number));
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
                places = Arrays.copyOf(places, 2 * count);
            }
            numbers[count] = x;
            places[count++] = place;
        }

        @Override
        void finish() {
            printBlock();
            super.finish();
        }

        private void printBlock() {
            float maximum = 0;
            for (int i = 0; i < count; i++) {
                maximum = Math.max(maximum, Math.abs(numbers[i]));
            }
            float scale = rounding.scale(maximum);
            // Elements stand for 2^implicit p.
            double shown = Math.scalb((double) scale, -rounding.format().implicitExponent());
            for (int i = 0; i < count; i++) {
                int word = rounding.isStochastic() ? words.word(places[i]) : 0;
                double element = rounding.element(numbers[i], scale, word);
                // A scale that is NaN says it for every element, whatever its code.
                double coded = Double.isNaN(scale) ? 0 : element;
                print(places[i], rounding.round(numbers[i], scale, word), coded, "\t" + shown);
            }
            count = 0;
        }
    }
}
