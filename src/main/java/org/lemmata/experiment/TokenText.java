package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.dataset.text.TextTokens;
import org.lemmata.token.Vocabulary;

/**
 * Converts between text and a model's tokens. Symbols are separated by blanks, unless each has one character. If the
 * symbols are from {@link TextTokens}, the text is natural language. Without symbols, the text consists of ids.
 *
 * @param vocabulary the symbols; empty if tokens have only ids
 * @param count the number of tokens
 */
record TokenText(Optional<Vocabulary> vocabulary, int count) {

    /** A regular expression for symbols of a start or an end, which represent no text. */
    private static final String MARK = "<.+>";

    /** Whether every symbol that represents text has one character. */
    private boolean isDense() {
        return vocabulary.isPresent()
                && vocabulary.get().symbols().stream()
                        .allMatch(symbol -> symbol.matches(MARK) || symbol.codePointCount(0, symbol.length()) == 1);
    }

    /** The kind of natural-language tokens to which the symbols belong; empty for other symbols. */
    Optional<TextTokens> language() {
        return vocabulary.flatMap(TextTokens::of);
    }

    /**
     * The ids of a text.
     *
     * @throws IllegalArgumentException if the model lacks a token of the text
     */
    int[] ids(String text) {
        if (language().isPresent()) {
            Vocabulary all = language().get().vocabulary();
            return Arrays.stream(language().get().encode(text))
                    .map(id -> id(all.symbol(id)))
                    .toArray();
        }
        boolean dense = isDense();
        var ids = new IntArrayList();
        for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+", 0)) {
            if (dense && !word.matches(MARK)) {
                word.codePoints().mapToObj(Character::toString).forEach(symbol -> ids.add(id(symbol)));
            } else {
                ids.add(id(word));
            }
        }
        return ids.toIntArray();
    }

    private int id(String token) {
        if (vocabulary.isEmpty()) {
            int id = token.matches("[0-9]{1,9}") ? Integer.parseInt(token) : count;
            Refuse.when(id >= count, "token", "an id from 0 to " + (count - 1), Refuse.quoted(token));
            return id;
        }
        Vocabulary symbols = vocabulary.get();
        if (!symbols.contains(token)) {
            String all = String.join(" ", symbols.symbols());
            throw new IllegalArgumentException(
                    "token: expected one of " + Refuse.shown(all) + ", got " + Refuse.quoted(token));
        }
        return symbols.id(token);
    }

    String text(int... ids) {
        if (language().isPresent()) {
            Vocabulary all = language().get().vocabulary();
            return language()
                    .get()
                    .decode(Arrays.stream(ids)
                            .mapToObj(vocabulary.get()::symbol)
                            .filter(all::contains)
                            .mapToInt(all::id)
                            .toArray());
        }
        return Arrays.stream(ids)
                .mapToObj(id -> vocabulary.map(symbols -> symbols.symbol(id)).orElseGet(() -> Integer.toString(id)))
                .collect(Collectors.joining(isDense() ? "" : " "));
    }
}
