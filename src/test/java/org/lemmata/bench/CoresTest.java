package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoresTest {

    private static final String STATUS = "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t%s\nMems_allowed:\t1\n";

    @TempDir
    private Path cpus;

    private void siblings(int processor, String list) throws IOException {
        Path topology = Files.createDirectories(cpus.resolve("cpu" + processor).resolve("topology"));
        Files.writeString(topology.resolve("thread_siblings_list"), list + "\n");
    }

    @Test
    void siblingsOfOneCoreCountOnce() throws IOException {
        siblings(0, "0,4");
        siblings(4, "0,4");
        siblings(1, "1,5");
        siblings(5, "1,5");
        siblings(7, "6-7");
        assertThat(Cores.physical(STATUS.formatted("0-1,4-5,7"), cpus)).containsExactly(0, 1, 7);
        assertThat(Cores.physical(STATUS.formatted("0,4"), cpus)).containsExactly(0);
        assertThat(Cores.physical(STATUS.formatted("4-5"), cpus)).containsExactly(4, 5);
    }

    @Test
    void aSystemThatDoesNotTellOfSiblingsHasNone() throws IOException {
        assertThat(Cores.physical(STATUS.formatted("2-3"), cpus)).containsExactly(2, 3);
        assertThat(Cores.physical("Name:\tjava\n", cpus)).isEmpty();
    }

    @Test
    void whatIsNotKeptOnACoreHasNoNumber() {
        var free = new Cores(List.of(), 2, false);
        assertThat(free.processor(1)).isEqualTo(-1);
        assertThat(Cores.pinned(-1)).isEmpty();
        assertThat(Cores.pinned(3)).containsExactly("taskset", "-c", "3");
    }

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
