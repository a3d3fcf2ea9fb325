package org.lemmata.task.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.oracle.EnumeratedDyckWords;

/** Compared with all words, cuts and completions for small N. */
class PrefixLawTest {

    private static final Offset<Double> CLOSE = within(1e-12);

    /** The probability that independent brackets complete a prefix. */
    private static double completed(int[] prefix, double... openings) {
        int length = openings.length;
        double probability = 0;
        for (long bits = 0; bits < 1L << (length - prefix.length); bits++) {
            int[] word = Arrays.copyOf(prefix, length);
            double ofBits = 1;
            for (int t = prefix.length; t < length; t++) {
                boolean opens = (bits >> (t - prefix.length) & 1) == 1;
                word[t] = opens ? DyckWords.OPEN : DyckWords.CLOSE;
                ofBits *= opens ? openings[t] : 1 - openings[t];
            }
            probability += DyckWords.isBalanced(word) ? ofBits : 0;
        }
        return probability;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 1, 3", "4, 1, 2", "4, 3, 4", "5, 1, 5", "5, 2, 4", "5, 5, 5"})
    void itIsTheMeanOverAllWordsAndCuts(int pairs, int minDepth, int maxDepth) {
        double[] openings = PrefixLaw.openings(pairs, maxDepth);
        List<int[]> words = EnumeratedDyckWords.words(pairs, minDepth, maxDepth).stream()
                .map(DyckWords::ids)
                .toList();
        double sum = 0;
        var cuts = new ArrayList<int[]>();
        for (int[] word : words) {
            double ofWord = 0;
            int deep = 0;
            for (int r = 1; r < word.length; r++) {
                int[] prefix = Arrays.copyOf(word, r);
                if (DyckWords.depth(prefix) >= minDepth) {
                    ofWord += completed(prefix, openings);
                    deep++;
                    cuts.add(prefix);
                }
            }
            sum += ofWord / deep;
        }
        assertThat(PrefixLaw.ofCuts(pairs, minDepth, maxDepth).completed(openings))
                .isCloseTo(sum / words.size(), CLOSE);
        assertThat(PrefixLaw.of(pairs, cuts).completed(openings))
                .isCloseTo(
                        cuts.stream()
                                .mapToDouble(prefix -> completed(prefix, openings))
                                .average()
                                .orElseThrow(),
                        CLOSE);
    }

    @Test
    void openingsAreTheSharesAtEachPosition() {
        double[] openings = PrefixLaw.openings(5, 3);
        List<int[]> words =
                EnumeratedDyckWords.words(5, 1, 3).stream().map(DyckWords::ids).toList();
        for (int t = 0; t < openings.length; t++) {
            int at = t;
            assertThat(openings[t])
                    .isCloseTo(
                            words.stream()
                                            .filter(word -> word[at] == DyckWords.OPEN)
                                            .count()
                                    / (double) words.size(),
                            CLOSE);
        }
    }
}
