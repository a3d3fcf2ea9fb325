package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.length.AuxiliaryErrors;
import org.lemmata.construct.length.AuxiliaryErrors.Form;
import org.lemmata.construct.length.BoundConstants;
import org.lemmata.construct.length.BoundConstants.Reading;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitNorm;
import org.lemmata.file.Json;
import org.lemmata.token.Vocabulary;

/**
 * Every constant of theorem 4.1 for f and g, as text and as JSON.
 *
 * @param same whether g is f
 * @param printed the bound with the norms as printed in the paper
 * @param bound the bound with the corrected norms
 */
public record BoundTable(Named f, Named g, boolean same, GeneralizationBound printed, GeneralizationBound bound) {

    public record Named(String name, BoundConstants constants) {}

    /** The precision in text; JSON has all digits. */
    private static final MathContext DIGITS = new MathContext(6);

    private static final double LARGEST_WRITTEN_OUT = 1e15;

    /**
     * A constant: its key in JSON, its symbol, and its meaning.
     *
     * @param of computes its value for f or g
     */
    private record Constant<T>(String key, String symbol, String meaning, Function<T, Number> of) {}

    private static final List<Constant<BoundConstants>> OF_EACH = List.of(
            new Constant<>(
                    "marginPrinted",
                    "gamma as printed",
                    "minimum gap of two logits at the distances 0 to tau",
                    f -> f.margin().printed()),
            new Constant<>(
                    "margin",
                    "gamma",
                    "minimum gap of two logits at all distances",
                    f -> f.margin().corrected()),
            new Constant<>(
                    "bits", "p", "attention weights of at most 2^-p times the largest become 0", BoundConstants::bits),
            new Constant<>(
                    "hardmaxLengthPrinted",
                    "H as printed",
                    "2^(p / gamma), the length from which softmax equals hardmax",
                    BoundConstants::printedHardmaxLength),
            new Constant<>(
                    "hardmaxLength", "H", "2^(p / gamma), with gamma at all distances", BoundConstants::hardmaxLength));

    private static final List<Constant<BoundConstants>> FACTORS = List.of(
            factor("readoutNorm", "|u|", "norm of the unembedding", LimitNorm::readout),
            factor("residual", "r", "1, or 0 for a feed-forward part without residual", LimitNorm::residual),
            factor("firstNorm", "|A|", "Frobenius norm of the first map of the feed-forward part", LimitNorm::first),
            factor("secondNorm", "|B|", "Frobenius norm of the second map", LimitNorm::second),
            factor("valueNorm", "max |v|", "maximum norm of a value", LimitNorm::value));

    private static final List<Constant<BoundConstants>> NORMS = List.of(
            new Constant<>(
                    "normPrinted",
                    "L as printed",
                    "|A| |B| max |v|",
                    f -> f.norm().printed()),
            new Constant<>(
                    "norm", "L", "|u| (r + |A| |B|) max |v|", f -> f.norm().corrected()));

    private static final List<Constant<BoundTable>> OF_BOTH = List.of(
            new Constant<>("epsilon", "epsilon", "allowed growth of |f - g|", table -> table.bound.epsilon()),
            new Constant<>("tokens", "|Sigma|", "tokens", table -> table.bound.tokens()),
            new Constant<>("period", "Delta", "period of the positions", table -> table.bound.period()),
            new Constant<>(
                    "locality", "tau", "maximum distance with its own score bias", table -> table.bound.locality()),
            new Constant<>("hardmaxLength", "H", "the larger H of f and g", table -> table.bound.hardmaxLength()),
            new Constant<>(
                    "resolution",
                    "e",
                    "epsilon / (2 (L_f + L_g)), at most 1: total variation allowed",
                    table -> table.bound.resolution()),
            new Constant<>(
                    "slack",
                    "C",
                    "tau + Delta + |Sigma| Delta / 4: tokens whose counts differ by suffix and rounding",
                    table -> table.bound.slack()),
            new Constant<>(
                    "printed",
                    "N as printed",
                    "max(H, tau Delta L^2 / epsilon^2), with 1 for the constant of O and for tau = 0, H as above",
                    table -> table.printed.printed()),
            new Constant<>(
                    "corrected",
                    "N",
                    "max(H + Delta - 1, Delta ceil((1 + 2 e) C / e^2) + tau + Delta)",
                    table -> table.bound.corrected()));

    private static Constant<BoundConstants> factor(
            String key, String symbol, String meaning, Function<LimitNorm, Number> of) {
        return new Constant<>(key, symbol, meaning, f -> of.apply(f.factors().orElseThrow()));
    }

    /** The constants of each function, with the factors of the norm if all functions have them. */
    private static Stream<Constant<BoundConstants>> ofEach(BoundConstants... functions) {
        boolean factors = Arrays.stream(functions).allMatch(f -> f.factors().isPresent());
        return Stream.of(OF_EACH, factors ? FACTORS : List.<Constant<BoundConstants>>of(), NORMS)
                .flatMap(List::stream);
    }

    /**
     * The constants of f and g together.
     *
     * @throws IllegalArgumentException if tokens or periods differ, or the hardmax length is too great
     */
    public static BoundTable of(Named f, Named g, boolean same, double epsilon) {
        return new BoundTable(
                f,
                g,
                same,
                f.constants.bound(g.constants, Reading::printed, epsilon),
                f.constants.bound(g.constants, Reading::corrected, epsilon));
    }

    public void print(PrintWriter out) {
        var lines = new ArrayList<String>();
        lines.add("theorem 4.1 of Izzo, Nichani and Lee (2025)");
        lines.add("f: " + f.name);
        lines.add("g: " + (same ? "one with the constants of f" : g.name));
        lines.add("");
        if (!same) {
            lines.add(line("", "f", "g", ""));
        }
        ofEach(f.constants, g.constants)
                .forEach(constant -> lines.add(line(
                        constant.symbol,
                        text(constant.of.apply(f.constants)),
                        text(constant.of.apply(g.constants)),
                        constant.meaning)));
        lines.add("");
        OF_BOTH.forEach(
                constant -> lines.add(line(constant.symbol, text(constant.of.apply(this)), "", constant.meaning)));
        lines.add("");
        lines.add("If |f - g| <= delta on all inputs of at most N tokens, then |f - g| <= delta + epsilon on all"
                + " inputs.");
        lines.forEach(out::println);
    }

    private String line(String symbol, String first, String second, String meaning) {
        String values = same
                ? String.format(Locale.ROOT, "%-18s", first)
                : String.format(Locale.ROOT, "%-18s%-18s", first, second);
        return String.format(Locale.ROOT, "%-18s%s%s", symbol, values, meaning).stripTrailing();
    }

    static String text(Number number) {
        double value = number.doubleValue();
        if (!Double.isFinite(value)) {
            return Double.toString(value).toLowerCase(Locale.ROOT);
        }
        return value == Math.rint(value) && Math.abs(value) < LARGEST_WRITTEN_OUT
                ? Long.toString((long) value)
                : new BigDecimal(value).round(DIGITS).stripTrailingZeros().toString();
    }

    /**
     * Names and values. The constants of f form one object, those of g another; common constants are on the same level
     * as these objects.
     */
    public Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("f", json(f));
        json.put("g", json(g));
        OF_BOTH.forEach(constant -> json.put(constant.key, constant.of.apply(this)));
        return json;
    }

    private static Map<String, Object> json(Named function) {
        var json = new LinkedHashMap<String, Object>();
        json.put("name", function.name);
        ofEach(function.constants).forEach(constant -> json.put(constant.key, constant.of.apply(function.constants)));
        return json;
    }

    /**
     * The auxiliary strings of a sequence, as text and as JSON.
     *
     * @param input the user's sequence
     */
    public record Strings(String input, Vocabulary vocabulary, AuxiliaryErrors errors) {

        /**
         * The strings for a sequence of tokens separated by blanks.
         *
         * @throws IllegalArgumentException if a token is unknown, or there are fewer tokens than the hardmax length
         */
        public static Strings of(AuxiliaryErrors.Pair pair, Vocabulary vocabulary, String input) {
            int[] x = input.isBlank()
                    ? new int[0]
                    : Arrays.stream(input.strip().split("\\s+"))
                            .mapToInt(vocabulary::id)
                            .toArray();
            return new Strings(input, vocabulary, AuxiliaryErrors.of(pair, x));
        }

        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%nx of %d tokens%n", errors.length());
            out.println(line("", "|z|", "|f(x) - f(z)|", "|g(x) - g(z)|", ""));
            out.println(line("z as printed", errors.printed().orElse(null)));
            out.println(line("z", errors.corrected()));
            out.println(line("2 L e, at most", "", text(errors.mostOfF()), text(errors.mostOfG()), ""));
        }

        private static String line(String symbol, @Nullable Form form) {
            return form == null
                    ? line(symbol, "none", "", "", "e is 1")
                    : line(symbol, text(form.z().length), text(form.errorOfF()), text(form.errorOfG()), form.note());
        }

        private static String line(String symbol, String length, String ofF, String ofG, String note) {
            return String.format(Locale.ROOT, "%-18s%-18s%-20s%-20s%s", symbol, length, ofF, ofG, note)
                    .stripTrailing();
        }

        public Map<String, Object> json() {
            Map<String, Object> json = Json.object(
                    "input", input,
                    "length", errors.length(),
                    "mostOfF", errors.mostOfF(),
                    "mostOfG", errors.mostOfG());
            errors.printed().ifPresent(form -> json.put("printed", json(form)));
            json.put("corrected", json(errors.corrected()));
            return json;
        }

        private Map<String, Object> json(Form form) {
            return Json.object(
                    "length", form.z().length,
                    "errorOfF", form.errorOfF(),
                    "errorOfG", form.errorOfG(),
                    "note", form.note(),
                    "z", Arrays.stream(form.z()).mapToObj(vocabulary::symbol).collect(Collectors.joining(" ")));
        }
    }
}
