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

/** How a split is written: a file with an example a line. */
public enum DataSetFormat {
    /**
     * {@code SPLIT.jsonl}: objects with {@code input}, {@code position}, and {@code target} or, where numbers are
     * expected, {@code value}.
     */
    JSONL("%s.jsonl", "") {
        @Override
        String line(Vocabulary vocabulary, Example example) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("input", symbols(vocabulary, example.inputs()));
            if (example.values().length > 0) {
                line.put("value", example.values());
            } else {
                line.put("target", symbols(vocabulary, example.targets()));
            }
            line.put("position", example.scoredPositions());
            return Json.line(line);
        }
    },

    /**
     * {@code SPLIT/main.tok}: the input's tokens, separated by blanks; where a number is expected at the last position,
     * {@code SPLIT/labels.txt} has it on the same line.
     */
    TOK("%s/main.tok", "%s/labels.txt") {
        @Override
        String line(Vocabulary vocabulary, Example example) {
            return String.join(" ", nextTokens(vocabulary, example));
        }
    },

    /**
     * {@code SPLIT.txt}: the input's symbols, which are characters, as {@code run} reads words of brackets; numbers in
     * {@code SPLIT-labels.txt}.
     */
    TXT("%s.txt", "%s-labels.txt") {
        @Override
        String line(Vocabulary vocabulary, Example example) {
            return String.join("", nextTokens(vocabulary, example));
        }
    };

    private final String file;
    private final String labels;

    DataSetFormat(String file, String labels) {
        this.file = file;
        this.labels = labels;
    }

    /** The file of a split, below the data set's directory. */
    String file(String split) {
        return file.formatted(split);
    }

    /** The file of a split's numbers; empty where they stand on the lines of the examples. */
    Optional<String> labels(String split) {
        return labels.isEmpty() ? Optional.empty() : Optional.of(labels.formatted(split));
    }

    /** The line of an example, without its end. */
    abstract String line(Vocabulary vocabulary, Example example);

    /**
     * Refuses a vocabulary whose sequences cannot be read again.
     *
     * @throws IllegalArgumentException if symbols stand without blanks and one of them is longer than a character
     */
    void require(Vocabulary vocabulary) {
        if (this == TXT) {
            vocabulary.symbols().stream()
                    .filter(symbol -> symbol.length() != 1)
                    .findFirst()
                    .ifPresent(symbol -> {
                        throw new IllegalArgumentException(
                                "--format: expected jsonl or tok for symbols longer than a character, such as " + symbol
                                        + ", got txt");
                    });
        }
    }

    /**
     * The input's symbols, of which each that is expected stands after its position.
     *
     * @throws IllegalArgumentException if another one is expected, which would be lost
     */
    List<String> nextTokens(Vocabulary vocabulary, Example example) {
        int[] input = example.inputs();
        int[] targets = example.targets();
        int[] positions = example.scoredPositions();
        for (int i = 0; i < targets.length; i++) {
            int next = positions[i] + 1;
            Refuse.when(
                    next == input.length || input[next] != targets[i],
                    "--format",
                    "jsonl for answers that are not the next token",
                    this);
        }
        return symbols(vocabulary, input);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<String> symbols(Vocabulary vocabulary, int[] ids) {
        return IntStream.of(ids).mapToObj(vocabulary::symbol).toList();
    }
}
