package org.lemmata.bench;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the stand-in for JMH, with a directory for their results and a listener. */
abstract class RunFixture extends StandInFixture {

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    BenchmarkFiles files;

    final BenchmarkRunnerTest.Heard heard = new BenchmarkRunnerTest.Heard();

    @BeforeEach
    void name() {
        files = new BenchmarkFiles(directory.resolve("results"), "latest");
    }
}
