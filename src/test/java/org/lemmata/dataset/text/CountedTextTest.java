package org.lemmata.dataset.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.token.Example;

class CountedTextTest {

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
