package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
