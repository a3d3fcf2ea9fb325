package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.bench.StandInJmh;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.RunRecord;

/** A run that is killed with SIGKILL and repeated writes the same file; no finished fork runs twice. */
class KilledBenchTest {

    private static final String NAME = "killed-bench-test";

    @TempDir
    private Path directory;

    private static List<String> command(StandInJmh jmh, Path results, String filter) {
        return List.of("bench --jar %s --results %s --name %s %s -p n=1 -f 2"
                .formatted(jmh.jar().file(), results, NAME, filter)
                .split(" "));
    }

    private static CommandLineRun run(StandInJmh jmh, Path results) {
        return CommandLineRun.of(command(jmh, results, "fast|sleeps").toArray(String[]::new));
    }

    private static int asleep(StandInJmh jmh) {
        try {
            return Collections.frequency(jmh.calls(), "sleeps");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSecondRunOfTheSameNameIsRejected() throws Exception {
        StandInJmh jmh = StandInJmh.build(directory);
        Path results = directory.resolve("results");
        List<String> fast = command(jmh, results, "fast");
        try (ChildJvm first = ChildJvm.start(directory, command(jmh, results, "fast|sleeps"))) {
            first.await(() -> asleep(jmh) == 1);
            try (ChildJvm second = ChildJvm.start(directory, fast)) {
                assertThat(second.exitCode()).as("%s", second.errorLines()).isEqualTo(ExitCode.USAGE);
                assertThat(second.errorLines())
                        .singleElement()
                        .asString()
                        .endsWith("expected no other run of this name, got one that is still running");
            }
            first.process().descendants().forEach(ProcessHandle::destroyForcibly);
        }
        assertThat(results.resolve(NAME + ".json")).doesNotExist();
    }

    @Test
    @Tag("long")
    void aRunKilledTwiceEndsAsOneThatWasNot() throws Exception {
        StandInJmh jmh = StandInJmh.build(directory);
        StandInJmh undisturbed = jmh.again("undisturbed");
        undisturbed.repair();
        Path expected = directory.resolve("undisturbed");
        run(undisturbed, expected).clean();
        assertThat(undisturbed.calls()).containsExactly("fast1", "sleeps", "fast1", "sleeps");

        Path results = directory.resolve("results");
        for (int life = 1; life <= 2; life++) {
            int sleeps = life;
            try (ChildJvm child = ChildJvm.start(directory, command(jmh, results, "fast|sleeps"))) {
                child.await(() -> asleep(jmh) == sleeps);
                List<ProcessHandle> forks = child.process().descendants().toList();
                assertThat(child.kill()).as("%s", child.errorLines()).isEqualTo(ChildJvm.KILLED);
                assertThat(forks)
                        .isNotEmpty()
                        .allSatisfy(fork -> assertThat(fork.destroyForcibly()).isTrue());
            }
        }
        jmh.repair();
        CommandLineRun last = run(jmh, results).clean();
        assertThat(last.errLines()).element(1).isEqualTo("bench: 1 of 4 forks ran before");
        assertThat(jmh.calls())
                .as("what slept when its run was killed is the only fork that is started again")
                .containsExactly("fast1", "sleeps", "sleeps", "sleeps", "fast1", "sleeps");
        assertThat(results.resolve(NAME + ".json")).hasSameTextualContentAs(expected.resolve(NAME + ".json"));
        assertThat(results.resolve("." + NAME + ".journal")).doesNotExist();
        BenchmarkSession session =
                Objects.requireNonNull(RunRecord.read(RunRecord.beside(results.resolve(NAME + ".json")))
                        .session());
        assertThat(session.forks()).hasSize(4);
        assertThat(Files.readAllLines(results.resolve("history.jsonl"))).hasSize(2);
    }
}
