package org.lemmata.dataset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Json;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/** The format of a split: a file with one example per line. */
public enum DataSetFormat {
    /**
     * {@code SPLIT.jsonl}: objects with {@code input}, {@code position}, and {@code target}, or {@code value} if
     * answers are numbers.
     */
    JSONL("%s.jsonl", "", ""),

    /**
     * {@code SPLIT/main.tok}: the input's tokens, separated by blanks; for regression, {@code SPLIT/labels.txt} has the
     * number on the line of the same index.
     */
    TOK("%s/main.tok", "%s/labels.txt", " "),

    /**
     * {@code SPLIT.txt}: the input's symbols, which are single characters, without blanks; numbers are in
     * {@code SPLIT-labels.txt}.
     */
    TXT("%s.txt", "%s-labels.txt", "");

    private final String file;
    private final String labels;
    private final String separator;

    DataSetFormat(String file, String labels, String separator) {
        this.file = file;
        this.labels = labels;
        this.separator = separator;
    }

    String file(String split) {
        return file.formatted(split);
    }

    /** The path of a split's numbers; empty if the lines of the examples contain them. */
    Optional<String> labels(String split) {
        return labels.isEmpty() ? Optional.empty() : Optional.of(labels.formatted(split));
    }

    /**
     * Rejects a vocabulary whose sequences would be ambiguous in this format.
     *
     * @throws IllegalArgumentException if the format has no blanks and a symbol has several characters
     */
    void require(Vocabulary vocabulary) {
        if (this == TXT) {
            for (String symbol : vocabulary.symbols()) {
                String expected = "jsonl or tok for symbols longer than a character, such as " + symbol;
                Refuse.when(symbol.length() != 1, "--format", expected, this);
            }
        }
    }

    /**
     * The line of an example. Without JSON, a line has no place for answers and positions, so answers that are tokens
     * must be the next token at each position.
     *
     * @throws IllegalArgumentException if they are not
     */
    String line(Vocabulary vocabulary, Example example) {
        int[] input = example.inputs();
        if (this != JSONL) {
            Refuse.when(
                    example.targets().length > 0 && !example.equals(Example.nextToken(input)),
                    "--format",
                    "jsonl for answers other than the next token at each position",
                    this);
            return String.join(separator, symbols(vocabulary, input));
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("input", symbols(vocabulary, input));
        if (example.values().length > 0) {
            line.put("value", example.values());
        } else {
            line.put("target", symbols(vocabulary, example.targets()));
        }
        line.put("position", example.scoredPositions());
        return Json.line(line);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<String> symbols(Vocabulary vocabulary, int[] ids) {
        return IntStream.of(ids).mapToObj(vocabulary::symbol).toList();
    }
}
