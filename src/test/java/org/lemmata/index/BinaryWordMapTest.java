package org.lemmata.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryWordMapTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 31, 32, 33, 63, 64, 65, 128, 200, 256})
    void holdsWhatAMapOfTextsHolds(int length) {
        var random = new Random(length);
        BinaryWordMap<Integer> map = BinaryWordMap.forLength(length);
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < 2000; i++) {
            long[] word = random.longs((length + 63) / 64).toArray();
            // Few of the bits, so that words come again.
            word[0] &= length < 64 ? (1L << Math.min(length, 8)) - 1 : 0xFFL << 56;
            Arrays.fill(word, 1, word.length, 0);
            if (word.length > 1) {
                word[word.length - 1] = 1;
            }
            String text = Arrays.toString(word);
            assertThat(map.get(word)).isEqualTo(expected.get(text));
            if (random.nextBoolean()) {
                map.put(word, i);
                expected.put(text, i);
                word[0] ^= 1;
            }
            assertThat(map.size()).isEqualTo(expected.size());
        }
        assertThat(expected).hasSizeGreaterThan(1);
    }

    @Test
    void wordsOfOtherLengthsAreRefused() {
        assertThatThrownBy(() -> BinaryWordMap.forLength(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length: expected at least 1, got 0");
        BinaryWordMap<String> map = BinaryWordMap.forLength(16);
        assertThatThrownBy(() -> map.get(new long[] {1L << 16}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("word: expected no bit at or beyond 16, got 0x10000 as its last long");
        assertThatThrownBy(() -> map.put(new long[2], ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("word: expected 1 longs for 16 bits, got 2");
    }
}
