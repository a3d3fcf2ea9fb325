package org.lemmata.task.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.ParityTree;
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
}
