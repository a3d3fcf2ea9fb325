package org.lemmata.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BenchProgressTest {

    @Test
    void aWaitNamesTheLockAndTheOptionThatLimitsIt() {
        var text = new StringWriter();
        try (var progress = new BenchProgress(new PrintWriter(text), false, "", Double.POSITIVE_INFINITY)) {
            progress.waits(Path.of("/tmp/jmh.lock"));
        }
        assertThat(text).hasToString("""
            bench: waiting for another run of JMH on this machine, which has the lock on /tmp/jmh.lock; --limit-minutes limits the wait
            """);
    }
}
