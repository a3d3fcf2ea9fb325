package org.lemmata.task.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.ParityTree;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

class ParityTaskTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyAnswerIsScoredAndOneFlippedBitIsSeen(boolean chain) {
        var tree = new ParityTree(11, 9, 2, 4, 7, 1, 11, 3, 5);
        var task = new ParityTask(tree, chain);
        var random = new Random(12);
        int answers = chain ? 7 : 1;
        for (int draw = 0; draw < 50; draw++) {
            Example example = task.sample(random, task.defaultLength());
            int[] ids = example.inputs();
            assertThat(ids).hasSize(11 + answers);
            assertThat(task.accepts(ids)).isTrue();
            assertThat(example.targets()).hasSize(answers);
            for (int i = 0; i < answers; i++) {
                assertThat(example.scoredPositions()[i]).isEqualTo(10 + i);
                assertThat(example.targets()[i]).isEqualTo(ids[11 + i]);
            }
            int ones = 0;
            for (int position : tree.subset()) {
                ones += ids[position - 1];
            }
            assertThat(ids[ids.length - 1]).isEqualTo(ones % 2);
            for (int flipped = 0; flipped < ids.length; flipped++) {
                int[] other = ids.clone();
                other[flipped] ^= 1;
                int position = flipped + 1;
                boolean isOutside = position <= 11 && tree.parent(position) == 0;
                assertThat(task.accepts(other)).as("flipped %d", flipped).isEqualTo(isOutside);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 7, 4", "true, 31, 16", "false, 5, 4", "false, 33, 32"})
    void parityOfAllBitsHasOtherLengths(boolean chain, int length, int bits) {
        var task = new ParityTask(new ParityTree(8, 1, 2, 3, 4, 5, 6, 7, 8), chain);
        Task other = task.ofLength(length).orElseThrow();
        int[] ids = other.sample(new Random(3), length).inputs();
        assertThat(ids).hasSize(length);
        assertThat(other.accepts(ids)).isTrue();
        assertThat(ids[length - 1]).isEqualTo(IntStream.of(ids).limit(bits).sum() % 2);
    }

    @ParameterizedTest
    @CsvSource({"true, 8", "true, 11", "true, 1", "false, 2", "false, 8", "false, 8193", "true, 2147483647"})
    void otherLengthsAreNone(boolean chain, int length) {
        assertThat(new ParityTask(new ParityTree(8, 1, 2, 3, 4, 5, 6, 7, 8), chain).ofLength(length))
                .isEmpty();
        assertThat(new ParityTask(new ParityTree(9, 1, 2, 3, 4), chain).ofLength(4 + length))
                .isEmpty();
    }
}
