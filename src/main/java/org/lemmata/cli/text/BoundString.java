package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.length.AuxiliaryErrors;
import org.lemmata.construct.length.AuxiliaryErrors.Form;
import org.lemmata.file.Json;
import org.lemmata.token.Vocabulary;

/**
 * The auxiliary strings of a sequence, as text and as JSON.
 *
 * @param input the sequence as it was given
 */
public record BoundString(String input, Vocabulary vocabulary, AuxiliaryErrors errors) {

    /**
     * Those of tokens with blanks between them.
     *
     * @throws IllegalArgumentException if a token is not known, or there are fewer than the hardmax length
     */
    public static BoundString of(AuxiliaryErrors.Pair pair, Vocabulary vocabulary, String input) {
        int[] x = input.isBlank()
                ? new int[0]
                : Arrays.stream(input.strip().split("\\s+"))
                        .mapToInt(vocabulary::id)
                        .toArray();
        return new BoundString(input, vocabulary, AuxiliaryErrors.of(pair, x));
    }

    public void print(PrintWriter out) {
        out.printf(Locale.ROOT, "%nx of %d tokens%n", errors.length());
        out.println(line("", "|z|", "|f(x) - f(z)|", "|g(x) - g(z)|", ""));
        out.println(line("z as printed", errors.printed().orElse(null)));
        out.println(line("z", errors.corrected()));
        out.println(
                line("2 L e, at most", "", BoundTable.text(errors.mostOfF()), BoundTable.text(errors.mostOfG()), ""));
    }

    private static String line(String symbol, @Nullable Form form) {
        return form == null
                ? line(symbol, "none", "", "", "e is 1")
                : line(
                        symbol,
                        BoundTable.text(form.z().length),
                        BoundTable.text(form.errorOfF()),
                        BoundTable.text(form.errorOfG()),
                        form.note());
    }

    private static String line(String symbol, String length, String ofF, String ofG, String note) {
        return String.format(Locale.ROOT, "%-18s%-18s%-20s%-20s%s", symbol, length, ofF, ofG, note)
                .stripTrailing();
    }

    public Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("input", input);
        json.put("length", errors.length());
        json.put("mostOfF", errors.mostOfF());
        json.put("mostOfG", errors.mostOfG());
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
