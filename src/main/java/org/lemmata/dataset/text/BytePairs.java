package org.lemmata.dataset.text;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.lemmata.token.Vocabulary;

/**
 * GPT-2's byte-pair tokens: ids 0 to 50,255 are strings of bytes; 50,256 marks the end of a text. {@link #encode} gives
 * each text one sequence of ids, and {@link #decode} restores the text.
 *
 * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.2; the ranks are
 * from jtokkit's r50k_base. The table is loaded at first use, because that takes a tenth of a second.
 */
final class BytePairs {

    static final int SIZE = 50_257;

    static final int END_OF_TEXT = SIZE - 1;

    private static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);
    private static final int VALUES = 256;

    /**
     * The character for each byte: its Latin-1 character if visible, otherwise the next unused character from 256 on.
     */
    private static final char[] VISIBLE = visible();

    /** Every token as GPT-2's {@code vocab.json} writes it: {@code Ġthe} is " the". */
    static final Vocabulary VOCABULARY =
            new Vocabulary(IntStream.range(0, SIZE).mapToObj(BytePairs::symbol).toList());

    /** The 256 bytes in order, as the characters of {@code VISIBLE}, then the end-of-text symbol. */
    static final Vocabulary BYTES = new Vocabulary(IntStream.rangeClosed(0, VALUES)
            .mapToObj(id -> id < VALUES ? Character.toString(VISIBLE[id]) : symbol(END_OF_TEXT))
            .toList());

    private BytePairs() {}

    private static char[] visible() {
        char[] visible = new char[VALUES];
        char next = VALUES;
        for (int value = 0; value < VALUES; value++) {
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

    /** The ids of a text. {@code <|endoftext|>} in the text is encoded like ordinary characters. */
    static int[] encode(String text) {
        return ENCODING.encodeOrdinary(text).toArray();
    }

    /** The text of ids; bytes that are not valid UTF-8, such as an incomplete character, become U+FFFD. */
    static String decode(int... ids) {
        return new String(ENCODING.decodeBytes(list(ids)), StandardCharsets.UTF_8);
    }

    private static IntArrayList list(int... ids) {
        var list = new IntArrayList(ids.length);
        for (int id : ids) {
            list.add(id);
        }
        return list;
    }
}
