package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.ProfileDirectory;

class ProfilingTest {

    @TempDir
    private Path directory;

    /** A jar of benchmarks whose manifest names a library with these files. */
    private BenchmarkJar jar(String... files) throws IOException {
        Path lib = Files.createDirectories(directory.resolve("lib"));
        try (var library = new JarOutputStream(Files.newOutputStream(lib.resolve("async-profiler.jar")))) {
            for (String file : files) {
                library.putNextEntry(new JarEntry(file));
                library.write(file.getBytes(StandardCharsets.UTF_8));
            }
        }
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/async-profiler.jar");
        Path file = directory.resolve("benchmarks.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new JarEntry(BenchmarkList.FILE));
        }
        return BenchmarkJar.open(file);
    }

    private List<String> options(BenchmarkJar jar, String text) throws IOException {
        return Profiling.withLocations(JmhArguments.parse(JmhArguments.words(text)), jar, directory.resolve("unpacked"))
                .options();
    }

    @Test
    void profilersBetweenCommasAreSeveral() throws IOException {
        assertThat(options(
                        jar("linux-x64/libasyncProfiler.so", "linux-arm64/libasyncProfiler.so"), "-prof jfr,gc -wi 1"))
                .containsExactly("-prof", "jfr:dir=target/profiles", "-prof", "gc", "-wi", "1");
        assertThat(options(jar(), "-prof perfasm:events=cycles,instructions"))
                .as("commas among the settings of one")
                .containsExactly("-prof", "perfasm:events=cycles,instructions");
    }

    @Test
    void asyncProfilerIsUnpackedFromItsJar() throws IOException {
        BenchmarkJar jar =
                jar("linux-x64/libasyncProfiler.so", "linux-arm64/libasyncProfiler.so", "macos/libasyncProfiler.so");
        Path library = directory.resolve("unpacked/libasyncProfiler.so");
        for (int run = 0; run < 2; run++) {
            assertThat(options(jar, "Softmax -prof async -wi 1"))
                    .containsExactly(
                            "-prof", "async:libPath=" + library + ";output=flamegraph;dir=target/profiles", "-wi", "1");
            String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
            String linux = "linux-" + cpu + "/libasyncProfiler.so";
            assertThat(library)
                    .hasContent(System.getProperty("os.name").contains("Mac") ? "macos/libasyncProfiler.so" : linux);
        }
    }

    @Test
    void profilersWithSettingsAndOthersStayAsTheyAre() throws IOException {
        assertThat(options(
                        jar(), "-prof jfr -prof gc -prof perfasm -prof async:output=text -prof jfr:dir=x -p prof=jfr"))
                .containsExactly(("-prof jfr:dir=target/profiles -prof gc -prof perfasm:events=cpu-clock -prof "
                                + "async:output=text -prof jfr:dir=x -p prof=jfr")
                        .split(" ", -1));
        assertThat(directory.resolve("unpacked")).doesNotExist();
    }

    @Test
    void refusesAMachineThatAsyncProfilerHasNoLibraryFor() throws IOException {
        BenchmarkJar jar = jar("plan9/libasyncProfiler.so");
        assertThatThrownBy(() -> options(jar, "-prof async"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("-prof async: expected ")
                .hasMessageEndingWith(" on " + System.getProperty("os.arch"));
    }

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
                jmh.cells("fast", "-p", "n=ProfilingTest", "-prof", "gc").getFirst();
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

    private static final String WRAPPER = """
        Benchmark had encountered error, and fail on error was requested
        ERROR: org.openjdk.jmh.runner.RunnerException: Benchmark caught the exception
        \tat org.openjdk.jmh.runner.Runner.runBenchmarks(Runner.java:572)
        Caused by: org.openjdk.jmh.runner.BenchmarkException: Benchmark error
        """;

    private static String cause(String printed) {
        return ForkProcess.failureCause("# Fork: 1 of 1\n" + printed + WRAPPER, 1);
    }

    private static String forkFailed(int code, String stdout, String stderr) {
        return stdout + stderr + "<forked VM failed with exit code " + code + ">\n<stdout last='20 lines'>\n" + stdout
                + "</stdout>\n<stderr last='20 lines'>\n" + stderr + "</stderr>\n\n";
    }

    @Test
    void anExceptionOfTheBenchmarkOrOfItsSetup() {
        String thrown = "java.lang.OutOfMemoryError: Java heap space\n\tat example.Odd.oom(Odd.java:19)\n\n";
        assertThat(cause("Iteration   1: <failure>\n\n" + thrown))
                .isEqualTo("java.lang.OutOfMemoryError: Java heap space");
        assertThat(cause("<failure>\n\njava.lang.IllegalStateException: bad: 7\n\tat example\n\n"))
                .isEqualTo("java.lang.IllegalStateException: bad: 7");
    }

    @Test
    void aBenchmarkThatEndsItsJvm() {
        String said = "Iteration   1: <failure: VM prematurely exited before JMH had finished with it, explicit"
                + " System.exit was called?>\n";
        assertThat(cause(said + forkFailed(3, "", "")))
                .isEqualTo("its JVM ended before JMH had finished, with exit code 3: was System.exit called?");
        assertThat(cause(said)).isEqualTo("its JVM ended before JMH had finished: was System.exit called?");
    }

    @Test
    void aJvmThatEndsAtAnError() {
        String unsafe = "WARNING: A terminally deprecated method in sun.misc.Unsafe has been called\n";
        assertThat(cause(forkFailed(3, "Terminating due to java.lang.OutOfMemoryError: Java heap space\n", unsafe)))
                .isEqualTo("Terminating due to java.lang.OutOfMemoryError: Java heap space");
        assertThat(cause(forkFailed(
                        1, "", unsafe + "Unrecognized VM option 'Nonsense'\nError: Could not create the Java Virtual")))
                .isEqualTo("Unrecognized VM option 'Nonsense'");
        assertThat(cause(forkFailed(137, "", unsafe) + "\tSuppressed: java.lang.IllegalStateException: Forked VM"
                        + " failed with exit code 137\n"))
                .isEqualTo("java.lang.IllegalStateException: Forked VM failed with exit code 137");
    }

    @Test
    void aCrash() {
        String said = """
            #
            # A fatal error has been detected by the Java Runtime Environment:
            #
            #  SIGSEGV (0xb) at pc=0x00007f93ad4d2f94, pid=5021, tid=5053
            #
            # JRE version: OpenJDK Runtime Environment (17.0.15+6)
            # Problematic frame:
            # V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124
            #
            """;
        assertThat(cause(forkFailed(134, said, "")))
                .isEqualTo("SIGSEGV: V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124");
    }

    @Test
    void aProfilerThatDoesNotRunHere() {
        assertThat(ForkProcess.failureCause("Profilers failed to initialize, exiting.\nNo supported events.\n", 1))
                .isEqualTo("Profilers failed to initialize: No supported events.");
    }

    @Test
    void withoutAWordTheExitCode() {
        assertThat(ForkProcess.failureCause("Picked up JAVA_TOOL_OPTIONS: -Dtext=Exception\n", 9))
                .isEqualTo("JMH ended with exit code 9");
    }

    @Test
    void logsOfCrashesAreKeptBesideTheText(@TempDir Path directory) throws IOException {
        Path left = Files.writeString(directory.resolve("hs_err_pid12.log"), "SIGILL");
        Path kept = Files.createDirectories(directory.resolve("kept"));
        String output = "# An error report file with more information is saved as:\n# " + left + "\n# another\n";
        assertThat(ForkProcess.keepCrashLogs(output, kept)).containsExactly(kept.resolve("hs_err_pid12.log"));
        assertThat(left).doesNotExist();
        assertThat(kept.resolve("hs_err_pid12.log")).hasContent("SIGILL");
    }
}
