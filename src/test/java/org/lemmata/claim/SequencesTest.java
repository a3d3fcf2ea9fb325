package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SequencesTest {

    @Test
    void everySequenceIsListedOnceTheFirstTokenChangingFastest() {
        assertThat(Sequences.every(3, 2))
                .containsExactly(
                        new int[] {0, 0},
                        new int[] {1, 0},
                        new int[] {2, 0},
                        new int[] {0, 1},
                        new int[] {1, 1},
                        new int[] {2, 1},
                        new int[] {0, 2},
                        new int[] {1, 2},
                        new int[] {2, 2});
        assertThat(Sequences.every(2048, 2)).hasSize(1 << 22);
        assertRefused(() -> Sequences.every(2, 23), "length: expected a length with at most 4194304 sequences, got 23");
    }

    @Test
    void drawnSequencesHaveTheirLengthAndAllTokens() {
        assertThat(Sequences.draw(50, 3, 4, new SplittableRandom(1)))
                .hasSize(50)
                .allSatisfy(sequence -> assertThat(sequence).hasSize(4))
                .flatExtracting(sequence -> Arrays.stream(sequence).boxed().toList())
                .containsOnly(0, 1, 2);
    }
}
