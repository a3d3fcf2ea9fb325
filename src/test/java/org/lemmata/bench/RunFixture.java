package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.RunRecord;

/** Runs of the stand-in for JMH, with a directory for their results and a listener. */
abstract class RunFixture extends StandInFixture {

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    BenchmarkFiles files;

    final BenchmarkRunnerTest.Heard heard = new BenchmarkRunnerTest.Heard();

    BenchmarkRunner.End run(BenchmarkPlan plan, BooleanSupplier stop, BooleanSupplier over, BenchmarkRunner.Look look)
            throws IOException {
        List<RunRecord> records = List.of(BenchmarkRunnerTest.RECORD, BenchmarkRunnerTest.RECORD);
        return new BenchmarkRunner(plan, records, files, directory.resolve("lock"), look)
                .run(directory.resolve("log"), heard, stop, over);
    }

    @BeforeEach
    void name() {
        files = new BenchmarkFiles(directory.resolve("results"), "latest");
    }
}
