package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

/** Runs of the stand-in for JMH, with a directory for their results and a listener. */
abstract class RunFixture {

    private static final RunRecord RECORD = new RunRecord(
            "ad553f9",
            Instant.parse("2026-11-20T12:34:56Z"),
            List.of(),
            new MachineIdentity("CPU", 2, 1 << 30, "Linux", "25", List.of(), "256 bits", "unknown"),
            null);

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    StandInJmh jmh;

    @SuppressWarnings("NullAway.Init")
    BenchmarkFiles files;

    final Heard heard = new Heard();

    /** The messages of a run. */
    static final class Heard implements BenchmarkRunner.Listener {

        final List<String> lines = new ArrayList<>();
        int before;
        double least;

        @Nullable
        Path aside;

        @Override
        public void begins(int forks, int done, double seconds, @Nullable Path movedTo) {
            before = done;
            least = seconds;
            aside = movedTo;
        }

        @Override
        public void ran(String benchmark, String score, double seconds) {
            lines.add(benchmark + " " + score);
        }

        @Override
        public void say(String line) {
            lines.add(line);
        }
    }

    @BeforeEach
    void build() throws IOException {
        jmh = StandInJmh.build(directory);
        files = new BenchmarkFiles(directory.resolve("results"), "latest");
    }

    /** The cells on two sides of one jar, in turn except for the duets. */
    BenchmarkPlan twoSides(String against, List<BenchmarkCell> cells, Map<Integer, Integer> duets) {
        return new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), cells), new BenchmarkSide("B", jmh.jar(), cells)),
                against,
                new TreeMap<>(duets));
    }

    BenchmarkRunner.End run(BenchmarkPlan plan, BooleanSupplier stop, BooleanSupplier over, BenchmarkRunner.Look look)
            throws IOException {
        return new BenchmarkRunner(plan, List.of(RECORD, RECORD), files, directory.resolve("lock"), look)
                .run(directory.resolve("log"), heard, stop, over);
    }
}
