package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.length.AuxiliaryString;
import org.lemmata.construct.length.AuxiliaryStringPrinted;
import org.lemmata.construct.length.AuxiliaryStringPrinted.Ratio;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.token.Vocabulary;

/**
 * The auxiliary string z of a sequence x, corrected and as printed.
 *
 * @param input x as it was given
 * @param length |x|
 * @param corrected z
 * @param printed z as printed; empty where e is 1, which the text does not have
 * @param mostOfF 2 L_f e, what |f(x) - f(z)| is at most
 * @param mostOfG 2 L_g e
 */
record BoundString(String input, int length, Form corrected, Optional<Form> printed, double mostOfF, double mostOfG) {

    /** Where residues lack positions, the shares of two tokens that are tried. */
    private static final int SHARES = 20;

    /**
     * A string.
     *
     * @param length |z|
     * @param z its tokens with blanks between them
     * @param note on how it was made
     * @param errorOfF |f(x) - f(z)|
     * @param errorOfG |g(x) - g(z)|
     */
    record Form(int length, String z, String note, double errorOfF, double errorOfG) {

        static Form of(Pair pair, int[] x, int[] z, String note) {
            return new Form(
                    z.length,
                    Arrays.stream(z).mapToObj(pair.vocabulary::symbol).collect(Collectors.joining(" ")),
                    note,
                    Math.abs(pair.f.value(x) - pair.f.value(z)),
                    Math.abs(pair.g.value(x) - pair.g.value(z)));
        }

        /** The greater error, in parts of what it may be. */
        private double excess(double mostOfF, double mostOfG) {
            return Math.max(errorOfF / mostOfF, errorOfG / mostOfG);
        }
    }

    /**
     * f and g, and what their sequences are made of.
     *
     * @param e total variation allowed
     */
    record Pair(LimitFunction f, LimitFunction g, Vocabulary vocabulary, double e) {}

    /**
     * The strings of a sequence.
     *
     * @param input tokens with blanks between them
     * @throws IllegalArgumentException if a token is not known, or there are fewer than the hardmax length
     */
    static BoundString of(Pair pair, String input) {
        if (input.isBlank()) {
            throw new IllegalArgumentException("x: expected at least 1 token, got none");
        }
        int[] x = Arrays.stream(input.strip().split("\\s+"))
                .mapToInt(pair.vocabulary::id)
                .toArray();
        var string = AuxiliaryString.of(pair.f.attention(), pair.g.attention(), x, pair.e);
        double mostOfF = 2 * pair.f.norm() * pair.e;
        double mostOfG = 2 * pair.g.norm() * pair.e;
        String scheme = string.scheme().name().toLowerCase(Locale.ROOT);
        return new BoundString(
                input,
                x.length,
                Form.of(pair, x, string.sequence(), scheme),
                pair.e < 1 ? Optional.of(printed(pair, x, mostOfF, mostOfG)) : Optional.empty(),
                mostOfF,
                mostOfG);
    }

    /** Gaps of residues are filled up as well as two tokens can. */
    private static Form printed(Pair pair, int[] x, double mostOfF, double mostOfG) {
        var string = new AuxiliaryStringPrinted(pair.f.attention(), pair.g.attention(), x, pair.e, Ratio.BY_FORMULA);
        long missing = Arrays.stream(string.gaps()).sum();
        String note = (missing > 0 ? missing + " positions filled up" : "placed as they are")
                + (string.isUncovered() ? "; a case that the text lacks" : "");
        return IntStream.rangeClosed(0, missing > 0 ? SHARES : 0)
                .mapToObj(share -> Form.of(pair, x, string.placed((double) share / SHARES), note))
                .min(Comparator.comparingDouble(form -> form.excess(mostOfF, mostOfG)))
                .orElseThrow();
    }

    void print(PrintWriter out) {
        out.printf(Locale.ROOT, "%nx of %d tokens%n", length);
        out.println(line("", "|z|", "|f(x) - f(z)|", "|g(x) - g(z)|", ""));
        out.println(line("z as printed", printed.orElse(null)));
        out.println(line("z", corrected));
        out.println(line("2 L e, at most", "", BoundTable.text(mostOfF), BoundTable.text(mostOfG), ""));
    }

    private static String line(String symbol, @Nullable Form form) {
        return form == null
                ? line(symbol, "none", "", "", "e is 1")
                : line(
                        symbol,
                        BoundTable.text(form.length),
                        BoundTable.text(form.errorOfF),
                        BoundTable.text(form.errorOfG),
                        form.note);
    }

    private static String line(String symbol, String length, String ofF, String ofG, String note) {
        return String.format(Locale.ROOT, "%-18s%-18s%-20s%-20s%s", symbol, length, ofF, ofG, note)
                .stripTrailing();
    }

    Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("input", input);
        json.put("length", length);
        json.put("mostOfF", mostOfF);
        json.put("mostOfG", mostOfG);
        printed.ifPresent(form -> json.put("printed", json(form)));
        json.put("corrected", json(corrected));
        return json;
    }

    private static Map<String, Object> json(Form form) {
        var json = new LinkedHashMap<String, Object>();
        json.put("length", form.length);
        json.put("errorOfF", form.errorOfF);
        json.put("errorOfG", form.errorOfG);
        json.put("note", form.note);
        json.put("z", form.z);
        return json;
    }
}
