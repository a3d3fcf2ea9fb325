package org.lemmata.dataset.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.token.Example;

class TextTokensTest {

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

    private static final double V = 50_257;

    @TempDir
    private Path directory;

    /** The training split is 0 1 0 2 0 1. */
    private CountedText counted() throws IOException {
        return new CountedText(
                TokenFile.open(
                        Files.write(directory.resolve("a"), new byte[] {0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0}),
                        TextTokens.GPT2),
                BytePairs.SIZE);
    }

    @Test
    void probabilitiesByHand() throws IOException {
        CountedText text = counted();
        assertThat(text.unigram(0)).isEqualTo(4 / (6 + V));
        assertThat(text.unigram(1)).isEqualTo(3 / (6 + V));
        assertThat(text.unigram(9)).isEqualTo(1 / (6 + V));
        // Three tokens follow 0, two of them 1 and one 2.
        assertThat(text.bigram(0, 1)).isCloseTo((2 + 2 * 3 / (6 + V)) / (3 + 2), within(1e-15));
        assertThat(text.bigram(0, 9)).isCloseTo(2 * 1 / (6 + V) / (3 + 2), within(1e-15));
        // The last 1 has no successor.
        assertThat(text.bigram(1, 0)).isCloseTo((1 + 4 / (6 + V)) / (1 + 1), within(1e-15));
        assertThat(text.bigram(9, 1)).isEqualTo(text.unigram(1));
        assertThat(text.bigram(50_257, 1)).isEqualTo(text.unigram(1));
    }

    @Test
    void probabilitiesSumToOne() throws IOException {
        CountedText text = counted();
        for (int previous : new int[] {0, 1, 2, 9}) {
            assertThat(IntStream.range(0, BytePairs.SIZE)
                            .mapToDouble(token -> text.bigram(previous, token))
                            .sum())
                    .isCloseTo(1, within(1e-9));
        }
    }

    @Test
    void lossesAreSumsOverScoredPositions() throws IOException {
        CountedText text = counted();
        Example all = Example.nextToken(0, 1, 0);
        Example last = new Example(new int[] {9, 0}, new int[] {2}, new int[] {1});
        assertThat(text.unigramLoss(all)).isCloseTo(-Math.log(text.unigram(1) * text.unigram(0)), within(1e-12));
        assertThat(text.bigramLoss(all)).isCloseTo(-Math.log(text.bigram(0, 1) * text.bigram(1, 0)), within(1e-12));
        assertThat(text.unigramLoss(last)).isCloseTo(-Math.log(text.unigram(2)), within(1e-12));
        assertThat(text.bigramLoss(last)).isCloseTo(-Math.log(text.bigram(0, 2)), within(1e-12));
    }
}
