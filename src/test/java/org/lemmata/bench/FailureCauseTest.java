package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shortened output of JMH 1.37 for benchmarks that fail in different ways. */
class FailureCauseTest {

    private static final String WRAPPER = """
        Benchmark had encountered error, and fail on error was requested
        ERROR: org.openjdk.jmh.runner.RunnerException: Benchmark caught the exception
        \tat org.openjdk.jmh.runner.Runner.runBenchmarks(Runner.java:572)
        Caused by: org.openjdk.jmh.runner.BenchmarkException: Benchmark error
        """;

    private static String cause(String printed) {
        return FailureCause.of("# Fork: 1 of 1\n" + printed + WRAPPER, 1);
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
        assertThat(FailureCause.of("Profilers failed to initialize, exiting.\nNo supported events.\n", 1))
                .isEqualTo("Profilers failed to initialize: No supported events.");
    }

    @Test
    void withoutAWordTheExitCode() {
        assertThat(FailureCause.of("Picked up JAVA_TOOL_OPTIONS: -Dtext=Exception\n", 9))
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
