package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.ProfileDirectory;

class ProfilerTextTest {

    /** The output of JMH 1.37 for a benchmark with two modes. */
    private static final String OUTPUT = """
        WARNING: Using incubator modules: jdk.incubator.vector
        # JMH version: 1.37
        # Threads: 1 thread, will synchronize iterations
        # Benchmark mode: Throughput, ops/time
        # Benchmark: org.lemmata.X.vector
        Iteration   1: 12.000 ops/s
        Secondary result "org.lemmata.X.vector:asm":
        ....[Hottest Methods (after inlining)]....
          90.00%   c2, level 4  org.lemmata.X::vector

        # JMH version: 1.37
        # Benchmark mode: Single shot invocation time, time/op
        Secondary result "org.lemmata.X.vector:gc.count":
          3 counts

        # Run complete. Total time: 00:00:01
        REMEMBER: The numbers below are just data.
        """;

    @TempDir
    private Path directory;

    private static BenchmarkCell cell(String... options) {
        // Directories name parameters in alphabetical order, like those of JMH's profilers.
        var params = new LinkedHashMap<>(Map.of("threads", "1"));
        params.put("attention", "SOFTMAX:1");
        return new BenchmarkCell("org.lemmata.X.vector", params, List.of(options), 1);
    }

    @Test
    void whatProfilersPrintLiesWithTheirOtherFiles() throws IOException {
        Path file = directory.resolve("org.lemmata.X.vector-Throughput-attention-SOFTMAX_3A1-threads-1/profile.txt");
        Profiling.keepText(directory, cell("-prof", "perfasm"), OUTPUT.replace("90.00%", "10.00%"));
        assertThat(file).content().contains("10.00%   c2");
        Profiling.keepText(directory, cell("-prof", "perfasm"), OUTPUT);
        assertThat(file)
                .content()
                .startsWith("# Benchmark mode: Throughput, ops/time\n# Benchmark: org.lemmata.X.vector\n")
                .endsWith("  90.00%   c2, level 4  org.lemmata.X::vector\n");
        assertThat(directory.resolve("org.lemmata.X.vector-SingleShotTime-attention-SOFTMAX_3A1-threads-1/profile.txt"))
                .hasContent("""
                    # Benchmark mode: Single shot invocation time, time/op
                    Secondary result "org.lemmata.X.vector:gc.count":
                      3 counts
                    """);
    }

    @Test
    void nothingIsKeptOfARunWithoutProfilers() throws IOException {
        Profiling.keepText(directory, cell("-wi", "1"), OUTPUT);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void everyForkOfAProfiledRunKeepsItsText() throws Exception {
        StandInJmh jmh = StandInJmh.build(directory);
        ForkProcess fork = new ForkProcess(
                directory.resolve("log"), () -> false, () -> false, () -> {}, directory.resolve("jmh.lock"), directory);
        // The value is unique, because the directory belongs to the checkout.
        BenchmarkCell cell =
                jmh.cells("fast", "-p", "n=ProfilerTextTest", "-prof", "gc").getFirst();
        Path text = ProfileDirectory.of(ProfileDirectory.ROOT, cell.benchmark(), "avgt", cell.params())
                .resolve(ProfileDirectory.TEXT);
        var launch = List.of(new ForkProcess.Launch(jmh.jar(), cell, 0, -1, -1));
        try {
            fork.run(launch);
            assertThat(text).content().endsWith("Secondary result \"demo.Bench.fast:gc.count\":\n  1 counts\n");
            fork.run(launch);
            assertThat(text).content().endsWith("  2 counts\n");
        } finally {
            Files.deleteIfExists(text);
            Files.deleteIfExists(text.resolveSibling(""));
        }
    }
}
