package org.lemmata.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;

class RaggedOffsetsTest {

    @Test
    void sequencesLieOneAfterTheOther() {
        var offsets = RaggedOffsets.ofLengths(3, 0, 5, 1);
        assertThat(offsets.count()).isEqualTo(4);
        assertThat(offsets.total()).isEqualTo(9);
        int next = 0;
        int[] lengths = {3, 0, 5, 1};
        for (int i = 0; i < 4; i++) {
            assertThat(offsets.start(i)).isEqualTo(next);
            assertThat(offsets.length(i)).isEqualTo(lengths[i]);
            next += lengths[i];
            assertThat(offsets.end(i)).isEqualTo(next);
        }
    }

    @Test
    void noSequenceIsLegal() {
        var offsets = RaggedOffsets.ofLengths();
        assertThat(offsets.count()).isZero();
        assertThat(offsets.total()).isZero();
    }

    @Test
    void equalityIsThatOfTheLengths() {
        assertThat(RaggedOffsets.ofLengths(2, 3))
                .isEqualTo(RaggedOffsets.ofLengths(2, 3))
                .hasSameHashCodeAs(RaggedOffsets.ofLengths(2, 3))
                .isNotEqualTo(RaggedOffsets.ofLengths(3, 2))
                .isNotEqualTo(RaggedOffsets.ofLengths(2, 3, 0))
                .hasToString("RaggedOffsets[0, 2, 5]");
    }

    @Test
    void badLengthsAreRefused() {
        assertRefused(() -> RaggedOffsets.ofLengths(4, -1), "lengths: expected no negative length, got -1 at 1");
        assertThatThrownBy(() -> RaggedOffsets.ofLengths(Integer.MAX_VALUE, 1)).isInstanceOf(ArithmeticException.class);
    }
}
