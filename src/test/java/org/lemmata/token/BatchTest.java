package org.lemmata.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lemmata.index.RaggedOffsets;

class BatchTest {

    @Test
    void examplesLieOneAfterTheOtherWithTheirTargets() {
        var batch = Batch.ofExamples(List.of(
                Example.nextToken(4, 5, 6),
                Example.nextToken(),
                new Example(new int[] {7, 8}, new int[] {9}, new int[] {1}),
                Example.nextToken(3, 2)));
        assertThat(batch.ids()).containsExactly(4, 5, 6, 7, 8, 3, 2);
        assertThat(batch.sequences()).isEqualTo(RaggedOffsets.ofLengths(3, 0, 2, 2));
        assertThat(batch.targets()).containsExactly(5, 6, 9, 2);
        assertThat(batch.scoredRows()).containsExactly(0, 1, 4, 5);
    }

    @Test
    void sequencesHaveNoTargets() {
        var batch = Batch.of(List.of(new int[] {1}, new int[0], new int[] {2, 0}));
        assertThat(batch.ids()).containsExactly(1, 2, 0);
        assertThat(batch.sequences()).isEqualTo(RaggedOffsets.ofLengths(1, 0, 2));
        assertThat(batch.targets()).isEmpty();
        assertThat(batch.scoredRows()).isEmpty();
    }

    @Test
    void laterWritesIntoTheArgumentDoNotReachTheBatch() {
        int[] sequence = {1, 2};
        var batch = Batch.of(List.of(sequence));
        sequence[0] = 9;
        assertThat(batch.ids()).containsExactly(1, 2);
    }

    @Test
    void negativeIdsAreRefused() {
        assertRefused(
                () -> Batch.of(List.of(new int[] {1}, new int[] {0, -1})),
                "sequence 1: expected ids from 0, got -1 at position 1");
    }

    @Test
    void numbersAreExpectedAtTheLastRowOfEachSequence() {
        Batch batch = Batch.ofExamples(
                List.of(Example.regression(new int[] {1, 2}, 0.5f), Example.regression(new int[] {3}, -2)));
        assertThat(batch.values()).containsExactly(0.5f, -2);
        assertThat(batch.targets()).isEmpty();
        assertThat(batch.scoredRows()).containsExactly(1, 2);
        assertRefused(
                () -> Batch.ofExamples(List.of(Example.regression(new int[] {1}, 0), Example.nextToken(1, 2))),
                "examples: expected targets or values in all of them, got both");
    }
}
