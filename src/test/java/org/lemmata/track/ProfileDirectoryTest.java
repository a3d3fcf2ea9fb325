package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileDirectoryTest {

    /** Read off what JMH 1.37 made of this row. */
    @Test
    void hasTheNameThatJmhGivesIt() {
        assertThat(ProfileDirectory.of(
                        Path.of("profiles"),
                        "org.lemmata.kernel.attention.AttentionBenchmark.vector",
                        "thrpt",
                        Map.of("threads", "1", "attention", "SOFTMAX:1x8x128x64")))
                .isEqualTo(Path.of("profiles/org.lemmata.kernel.attention.AttentionBenchmark.vector"
                        + "-Throughput-attention-SOFTMAX_3A1x8x128x64-threads-1"));
    }
}
