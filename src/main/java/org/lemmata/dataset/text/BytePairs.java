package org.lemmata.dataset.text;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Vocabulary;

/**
 * GPT-2's byte-pair tokens: ids 0 to 50,255 are strings of bytes; 50,256 marks the end of a text. {@link #encode} gives
 * each text one sequence of ids, and {@link #decode} restores the text.
 *
 * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.2; the ranks are
 * from jtokkit's r50k_base.
 */
public final class BytePairs {

    public static final int SIZE = 50_257;

    public static final int END_OF_TEXT = SIZE - 1;

    /** Loaded at first use, because the table takes a tenth of a second. */
    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);

        private static final int BYTES = 256;

        /**
         * The character for each byte: its Latin-1 character if visible, otherwise the next unused character from 256
         * on.
         */
        private static final char[] VISIBLE = visible();

        static final Vocabulary VOCABULARY =
                new Vocabulary(IntStream.range(0, SIZE).mapToObj(Loaded::symbol).toList());

        static final Vocabulary OF_BYTES = new Vocabulary(IntStream.rangeClosed(0, BYTES)
                .mapToObj(id -> id < BYTES ? Character.toString(VISIBLE[id]) : symbol(END_OF_TEXT))
                .toList());

        private static char[] visible() {
            char[] visible = new char[BYTES];
            char next = BYTES;
            for (int value = 0; value < BYTES; value++) {
                boolean itself = Character.toString(value).matches("[!-~\u00A1-\u00AC\u00AE-\u00FF]");
                visible[value] = itself ? (char) value : next++;
            }
            return visible;
        }

        private static String symbol(int id) {
            var symbol = new StringBuilder();
            for (byte value : ENCODING.decodeBytes(list(id))) {
                symbol.append(VISIBLE[Byte.toUnsignedInt(value)]);
            }
            return symbol.toString();
        }
    }

    private BytePairs() {}

    /**
     * The ids of a text. {@code <|endoftext|>} in the text is encoded like ordinary characters.
     *
     * @throws IllegalArgumentException if the text has an unpaired surrogate, which UTF-8 cannot encode
     */
    public static int[] encode(String text) {
        requireUtf8(text);
        return Loaded.ENCODING.encodeOrdinary(text).toArray();
    }

    static void requireUtf8(String text) {
        Refuse.when(
                !StandardCharsets.UTF_8.newEncoder().canEncode(text),
                "text",
                "text that UTF-8 can encode",
                "an unpaired surrogate");
    }

    /** The text of ids; bytes that are not valid UTF-8, such as an incomplete character, become U+FFFD. */
    public static String decode(int... ids) {
        return new String(Loaded.ENCODING.decodeBytes(list(ids)), StandardCharsets.UTF_8);
    }

    /** Every token as GPT-2's {@code vocab.json} writes it: {@code Ġthe} is " the". */
    public static Vocabulary vocabulary() {
        return Loaded.VOCABULARY;
    }

    /** The 256 bytes in order, as the characters of {@code VISIBLE}, then the end-of-text symbol. */
    static Vocabulary bytes() {
        return Loaded.OF_BYTES;
    }

    private static IntArrayList list(int... ids) {
        var list = new IntArrayList(ids.length);
        for (int id : ids) {
            list.add(id);
        }
        return list;
    }
}
