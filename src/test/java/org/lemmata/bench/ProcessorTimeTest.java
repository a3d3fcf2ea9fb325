package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

    @Test
    void dividesTicks() {
        ProcessorTime before = ProcessorTime.of("cpu  10 20 30 400 50 6 7 8 10 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
        assertThat(before).isEqualTo(new ProcessorTime(531, 73, 8));
        ProcessorTime after = ProcessorTime.of("cpu 40 20 40 440 60 6 7 18 10 0");
        assertThat(after.busyShare(before)).isEqualTo(0.4);
        assertThat(after.stolenShare(before)).isEqualTo(0.1);
        // Half of the 100 ticks were busy or stolen, 20 of them by this process (200 ms).
        assertThat(after.othersShare(before, Duration.ofMillis(200))).isCloseTo(0.3, within(1e-12));
        assertThat(before.busyShare(before)).isNaN();
        assertThat(ProcessorTime.of("cpu 1 2 3 4")).isEqualTo(ProcessorTime.of(""));
    }
}
