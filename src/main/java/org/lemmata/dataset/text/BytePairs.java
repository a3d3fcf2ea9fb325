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
 * GPT-2's byte-pair tokens: ids 0 to 50,255 are strings of bytes, 50,256 ends a text. Every text has one sequence of
 * ids, and {@link #decode} gives the text back.
 *
 * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.2; the ranks are
 * those of jtokkit's r50k_base.
 */
public final class BytePairs {

    public static final int SIZE = 50_257;

    public static final int END_OF_TEXT = SIZE - 1;

    /** Loaded at first use: the table takes a tenth of a second. */
    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);

        private static final int BYTES = 256;

        /** Each byte as a character: itself in Latin-1 if that is visible, or else the next one from 256 on. */
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
     * The ids of a text. The name of the end of a text, {@code <|endoftext|>}, is read as any other characters.
     *
     * @throws IllegalArgumentException if half a surrogate pair is in it, which UTF-8 cannot write
     */
    public static int[] encode(String text) {
        requireUtf8(text);
        return Loaded.ENCODING.encodeOrdinary(text).toArray();
    }

    static void requireUtf8(String text) {
        Refuse.when(
                !StandardCharsets.UTF_8.newEncoder().canEncode(text),
                "text",
                "characters that UTF-8 has",
                "half a surrogate pair");
    }

    /** The text of ids; bytes that are no UTF-8, as those of half a character, become U+FFFD. */
    public static String decode(int... ids) {
        return new String(Loaded.ENCODING.decodeBytes(list(ids)), StandardCharsets.UTF_8);
    }

    /** Every token as GPT-2's {@code vocab.json} writes it: {@code Ġthe} is " the". */
    public static Vocabulary vocabulary() {
        return Loaded.VOCABULARY;
    }

    /** The 256 bytes in their order, in the same characters, and the end of a text. */
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
