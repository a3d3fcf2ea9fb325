package org.lemmata.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryWordSetTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 31, 32, 33, 63, 64, 65, 100, 128, 129, 1000})
    void behavesAsASetOfLists(int length) {
        long seed = 100L + length;
        var random = new Random(seed);
        BinaryWordSet words = BinaryWordSet.forLength(length);
        Set<List<Long>> expected = new HashSet<>();
        long[] word = new long[(length + 63) / 64];
        for (int i = 0; i < 2000; i++) {
            // Few bits are set, also at both ends, so words repeat, and some differ only in their highest bit.
            Arrays.fill(word, 0);
            for (int bit : new int[] {0, random.nextInt(length), length - 1}) {
                word[bit / 64] ^= (random.nextBoolean() ? 1L : 0L) << bit;
            }
            List<Long> boxed = LongStream.of(word).boxed().toList();
            assertThat(words.contains(word))
                    .as("seed %d, length %d", seed, length)
                    .isEqualTo(expected.contains(boxed));
            assertThat(words.add(word)).as("seed %d, length %d", seed, length).isEqualTo(expected.add(boxed));
            assertThat(words.contains(word)).isTrue();
            assertThat(words.size()).isEqualTo(expected.size());
        }
    }

    @Test
    void laterWritesIntoTheArrayDoNotReachTheSet() {
        BinaryWordSet words = BinaryWordSet.forLength(128);
        long[] word = {1, 2};
        words.add(word);
        word[0] = 5;
        assertThat(words.contains(1, 2)).isTrue();
        assertThat(words.contains(word)).isFalse();
    }

    @Test
    void wordsOfAnotherLengthAreRefused() {
        assertRefused(() -> BinaryWordSet.forLength(0), "length: expected at least 1, got 0");
        assertRefused(() -> BinaryWordSet.forLength(65).add(1), "word: expected 2 longs for 65 bits, got 1");
        assertRefused(
                () -> BinaryWordSet.forLength(32).contains(1L << 32),
                "word: expected no bit at or beyond 32, got 0x100000000 as its last long");
        assertThatThrownBy(() -> BinaryWordSet.forLength(65).add(0, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
