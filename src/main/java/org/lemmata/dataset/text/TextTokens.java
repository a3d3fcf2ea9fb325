package org.lemmata.dataset.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Vocabulary;

/** The kinds of tokens of a text. The last id of each kind marks the end of a text. */
public enum TextTokens {
    GPT2(BytePairs.SIZE),

    /** The bytes of a text in UTF-8. Small models learn them from fewer tokens than byte pairs. */
    BYTES(257);

    public static final String END_SYMBOL = "<|endoftext|>";

    private final int size;

    TextTokens(int size) {
        this.size = size;
    }

    /** The name in manifests and in the key {@code task.vocabulary}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<TextTokens> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /**
     * The kind of a vocabulary. The vocabulary must begin with all or some symbols of the kind, in their order, up to
     * {@link #END_SYMBOL}; other symbols, such as a start token, may follow. At least one symbol must begin with Ġ (a
     * blank), because otherwise a few arbitrary symbols would match.
     */
    public static Optional<TextTokens> of(Vocabulary vocabulary) {
        List<String> symbols = vocabulary.symbols();
        List<String> text = symbols.subList(0, symbols.indexOf(END_SYMBOL) + 1);
        Set<String> some = Set.copyOf(text);
        return Stream.of(BYTES, GPT2)
                .filter(each -> text.stream().anyMatch(symbol -> symbol.startsWith("Ġ"))
                        && text.equals(each.vocabulary().symbols().stream()
                                .filter(some::contains)
                                .toList()))
                .findFirst();
    }

    /** The number of ids, including the end of a text. */
    public int size() {
        return size;
    }

    public int endOfText() {
        return size - 1;
    }

    /**
     * The ids of a text, without {@link #endOfText}.
     *
     * @throws IllegalArgumentException if the text has an unpaired surrogate, which UTF-8 cannot encode
     */
    public int[] encode(String text) {
        Refuse.when(
                !StandardCharsets.UTF_8.newEncoder().canEncode(text),
                "text",
                "text that UTF-8 can encode",
                "an unpaired surrogate");
        if (this == GPT2) {
            return BytePairs.encode(text);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return IntStream.range(0, bytes.length)
                .map(i -> Byte.toUnsignedInt(bytes[i]))
                .toArray();
    }

    /** The text of ids. Ids without a text are skipped; bytes that are not valid UTF-8 become U+FFFD. */
    public String decode(int... ids) {
        if (this == GPT2) {
            return BytePairs.decode(Arrays.stream(ids).filter(id -> id < size).toArray());
        }
        var bytes = new ByteArrayOutputStream();
        Arrays.stream(ids).filter(id -> id < endOfText()).forEach(bytes::write);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Every token as GPT-2's {@code vocab.json} writes it: a blank is Ġ. */
    public Vocabulary vocabulary() {
        return this == GPT2 ? BytePairs.VOCABULARY : BytePairs.BYTES;
    }
}
