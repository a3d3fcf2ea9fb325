package org.lemmata.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;

class ExampleTest {

    @Test
    void nextTokenScoresEveryPositionButTheLast() {
        var example = Example.nextToken(3, 1, 2);
        assertThat(example.inputs()).containsExactly(3, 1, 2);
        assertThat(example.targets()).containsExactly(1, 2);
        assertThat(example.scoredPositions()).containsExactly(0, 1);
        assertThat(example.length()).isEqualTo(3);
        assertThat(Example.nextToken(3).targets()).isEmpty();
        assertThat(Example.nextToken().length()).isZero();
    }

    @Test
    void arraysAreCopiedInAndOut() {
        int[] inputs = {1, 2};
        var example = Example.nextToken(inputs);
        inputs[0] = 9;
        example.inputs()[0] = 8;
        example.targets()[0] = 8;
        example.scoredPositions()[0] = 8;
        assertThat(example).isEqualTo(Example.nextToken(1, 2)).hasSameHashCodeAs(Example.nextToken(1, 2));
        assertThat(example).isNotEqualTo(Example.nextToken(1, 3)).isNotEqualTo(Example.nextToken(1));
        assertThat(example).hasToString("Example[inputs=[1, 2], targets=[2], values=[], scoredPositions=[0]]");
    }

    @Test
    void regressionExpectsANumberAtTheLastPosition() {
        var example = Example.regression(new int[] {4, 5, 6}, 0.5f);
        assertThat(example.values()).containsExactly(0.5f);
        assertThat(example.targets()).isEmpty();
        assertThat(example.scoredPositions()).containsExactly(2);
        assertThat(example)
                .isEqualTo(Example.regression(new int[] {4, 5, 6}, 0.5f))
                .isNotEqualTo(Example.regression(new int[] {4, 5, 6}, 0.25f));
        assertRefused(() -> Example.regression(new int[0], 1), "inputs: expected at least one token, got none");
        assertRefused(
                () -> new Example(new int[2], new int[1], new float[1], new int[] {0, 1}),
                "targets, values: expected one of them, got 1 and 1");
    }

    @Test
    void inconsistentPartsAreRefused() {
        assertRefused(
                () -> new Example(new int[] {1, 2}, new int[] {1}, new int[] {}),
                "targets: expected one per scored position, 0, got 1");
        assertRefused(
                () -> new Example(new int[] {1, 2}, new int[] {1}, new int[] {2}),
                "scoredPositions: expected strictly ascending positions below 2, got [2]");
        assertThatThrownBy(() -> new Example(new int[] {1, 2}, new int[] {1, 1}, new int[] {1, 1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertRefused(
                () -> new Example(new int[] {1, -2}, new int[] {1}, new int[] {0}),
                "inputs: expected ids from 0, got -2 at position 1");
        assertRefused(
                () -> new Example(new int[] {1}, new int[] {-1}, new int[] {0}),
                "targets: expected ids from 0, got -1 at position 0");
    }
}
