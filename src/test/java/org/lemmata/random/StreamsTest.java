package org.lemmata.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StreamsTest {

    @Test
    void noTwoStreamsHaveOneNumberButTheRecordedPair() {
        Map<Integer, Long> counts = Arrays.stream(Streams.class.getFields())
                .collect(Collectors.groupingBy(StreamsTest::number, Collectors.counting()));
        assertThat(counts).hasSizeGreaterThan(10).containsEntry(Streams.LAW, 2L);
        counts.remove(Streams.LAW);
        assertThat(counts.values()).containsOnly(1L);
        assertThat(counts.keySet()).allMatch(number -> number < 0 && number >= Streams.QUESTIONS);
    }

    /** Both streams have the same number, but the indices of one begin at 2^31: words have at least one bracket. */
    @Test
    void theRecordedPairDrawsOtherNumbers() {
        assertThat(new PhiloxGenerator(1, Streams.COMPLETION_LENGTHS, 1L << 31).nextLong())
                .isNotEqualTo(new PhiloxGenerator(1, Streams.LAW, 0).nextLong());
    }

    private static int number(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
