package org.lemmata.dataset.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytePairsTest {

    /** The ids are those of the published vocab.json. */
    @Test
    void idsAndSymbolsAreThoseOfGpt2() {
        assertThat(BytePairs.encode("Hello world\n\nfoo")).containsExactly(15496, 995, 198, 198, 21943);
        assertThat(BytePairs.decode(BytePairs.END_OF_TEXT)).isEqualTo("<|endoftext|>");
        assertThat(BytePairs.VOCABULARY.size()).isEqualTo(50_257);
        assertThat(BytePairs.VOCABULARY.symbol(0)).isEqualTo("!");
        assertThat(BytePairs.VOCABULARY.symbol(188)).isEqualTo("\u0100");
        assertThat(BytePairs.VOCABULARY.symbol(198)).isEqualTo("\u010A");
        assertThat(BytePairs.VOCABULARY.symbol(262)).isEqualTo("\u0120the");
        assertThat(BytePairs.VOCABULARY.symbol(50_256)).isEqualTo("<|endoftext|>");
    }

    @Test
    void theNameOfTheEndIsReadAsText() {
        assertThat(BytePairs.encode("<|endoftext|>"))
                .doesNotContain(BytePairs.END_OF_TEXT)
                .hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyTextComesBack(long seed) {
        var random = new Random(seed);
        for (int length = 0; length < 300; length++) {
            String text = text(random, length);
            assertThat(BytePairs.decode(BytePairs.encode(text)))
                    .as("seed %d, %d characters", seed, length)
                    .isEqualTo(text);
        }
    }

    /** Characters of all planes, controls, blanks in runs, letters and digits, and pieces of English. */
    static String text(Random random, int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            int one = random.nextInt(6);
            if (one == 0) {
                text.append(
                        new String[] {"  ", "\r\n", "\t", "'s", " the", "aaaa", "\u00a0", "\ufeff"}[random.nextInt(8)]);
                continue;
            }
            int bound = new int[] {0, 0x20, 0x80, 0x800, 0x10000, 0x110000}[one];
            int character = random.nextInt(bound);
            text.appendCodePoint(character >= 0xD800 && character < 0xE000 ? 'x' : character);
        }
        return text.toString();
    }

    @Test
    void halfASurrogatePairIsRejected() {
        assertThatThrownBy(() -> TextTokens.GPT2.encode("a\ud83db"))
                .hasMessage("text: expected text that UTF-8 can encode, got an unpaired surrogate");
    }

    @Test
    void halfACharacterIsShownAsAMark() {
        int[] ids = BytePairs.encode("\ud83d\ude80");
        assertThat(ids).hasSizeGreaterThan(1);
        assertThat(BytePairs.decode(IntStream.of(ids).limit(1).toArray())).isEqualTo("\ufffd");
    }
}
