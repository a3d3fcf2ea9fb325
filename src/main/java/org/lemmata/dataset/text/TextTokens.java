package org.lemmata.dataset.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Vocabulary;

/** The tokens that a text is cut into. The last id of each kind ends a text, and has no characters. */
public enum TextTokens {

    /** {@link BytePairs}. */
    GPT2(BytePairs.SIZE) {
        @Override
        public int[] encode(String text) {
            return BytePairs.encode(text);
        }

        @Override
        String decodeText(int... ids) {
            return BytePairs.decode(ids);
        }

        @Override
        public Vocabulary vocabulary() {
            return BytePairs.vocabulary();
        }
    },

    /** The 256 bytes of UTF-8: small models learn them from few tokens. */
    BYTES(257) {
        @Override
        public int[] encode(String text) {
            BytePairs.requireUtf8(text);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return IntStream.range(0, bytes.length)
                    .map(i -> Byte.toUnsignedInt(bytes[i]))
                    .toArray();
        }

        @Override
        String decodeText(int... ids) {
            byte[] bytes = new byte[ids.length];
            for (int i = 0; i < ids.length; i++) {
                bytes[i] = (byte) ids[i];
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public Vocabulary vocabulary() {
            return BytePairs.bytes();
        }
    };

    private final int size;

    TextTokens(int size) {
        this.size = size;
    }

    /** How manifests and the key {@code task.vocabulary} name them. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind with a label; empty if no kind has it. */
    static Optional<TextTokens> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** The tokens whose symbols a vocabulary begins with; it may have a token that stands before each sequence. */
    public static Optional<TextTokens> of(Vocabulary vocabulary) {
        return Arrays.stream(values())
                .filter(each -> vocabulary.size() >= each.size
                        && vocabulary
                                .symbols()
                                .subList(0, each.size)
                                .equals(each.vocabulary().symbols()))
                .findFirst();
    }

    /** Number of ids, the end of a text included. */
    public int size() {
        return size;
    }

    /** The id that ends a text. */
    public int endOfText() {
        return size - 1;
    }

    /**
     * The ids of a text, without its end.
     *
     * @throws IllegalArgumentException if half a surrogate pair is in it, which UTF-8 cannot write
     */
    public abstract int[] encode(String text);

    /** The text of ids, without those of no text; bytes that are no UTF-8 become U+FFFD. */
    public String decode(int... ids) {
        return decodeText(
                Arrays.stream(ids).filter(id -> id < size && isText(id)).toArray());
    }

    private boolean isText(int id) {
        return this == GPT2 || id != endOfText();
    }

    abstract String decodeText(int... ids);

    /** Every token as GPT-2's {@code vocab.json} writes it: a blank is Ġ. */
    public abstract Vocabulary vocabulary();

    /** Rejects an id that is none of these. */
    void require(int id) {
        Refuse.outside("id", id, 0, size - 1);
    }
}
