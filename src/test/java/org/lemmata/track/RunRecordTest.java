package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.MalformedFileException;

class RunRecordTest {

    private static final MachineIdentity MACHINE = new MachineIdentity(
            "Example CPU \"9\"",
            2,
            24L << 30,
            "Linux 6 amd64",
            "Vendor 25.0.3+9",
            List.of("-Xmx2g", "-XX:UseAVX=2"),
            "256 bits",
            "performance");

    private static final RunRecord RECORD = new RunRecord(
            "ad553f9-dirty", Instant.parse("2026-11-20T12:34:56Z"), List.of(7L, Long.MIN_VALUE), MACHINE, null);

    @TempDir
    private Path directory;

    @Test
    void readsBackWhatItWrote() throws Exception {
        Path file = directory.resolve("made/latest.run.json");
        RECORD.write(file);
        assertThat(RunRecord.read(file)).isEqualTo(RECORD);

        RunRecord session = RECORD.withSession(new BenchmarkSession(
                "3f",
                "B",
                "the working tree (ad553f9)",
                "itself",
                "0a1b",
                3,
                List.of(new ForkRun(
                        "a.B.c n=1",
                        3,
                        Instant.parse("2026-11-20T12:34:57.125Z"),
                        1.75,
                        0.5,
                        Double.NaN,
                        List.of(new ForkRun.Span(1e9, 1e9 + 50_000.125, 0.5, 1), new ForkRun.Span(2e9, 3e9, 0, -1)))),
                "cut by --limit-minutes after 2 of 4 forks",
                List.of(new BenchmarkSession.Unmeasured(
                        "a.B.d", new TreeMap<>(Map.of("n", "1")), ComparisonRow.Change.GONE, "why")),
                Map.of()));
        assertThat(session.time()).as("that of the first fork").isEqualTo(Instant.parse("2026-11-20T12:34:57Z"));
        session.write(file);
        assertThat(RunRecord.read(file)).isEqualTo(session);
    }

    @Test
    void liesBesideTheResults() {
        assertThat(RunRecord.beside(Path.of("jmh-results/latest.json")))
                .isEqualTo(Path.of("jmh-results/latest.run.json"));
        assertThat(RunRecord.beside(Path.of("results"))).isEqualTo(Path.of("results.run.json"));
    }

    @Test
    void environmentSaysEverythingInWords() {
        assertThat(RECORD.environment())
                .containsEntry("commit", "ad553f9-dirty")
                .containsEntry("cpu", "Example CPU \"9\"")
                .containsEntry("cores", "2")
                .containsEntry("memory", "24 GiB")
                .containsEntry("flags", "-Xmx2g -XX:UseAVX=2")
                .containsEntry("simd", "256 bits")
                .containsEntry("time", "2026-11-20T12:34:56Z")
                .containsEntry("governor", "performance")
                .containsKeys("os", "jdk")
                .hasSize(10);
    }

    @Test
    void nowRecordsTheCheckout() {
        RunRecord now = RunRecord.now(directory.getRoot(), MACHINE, List.of());
        assertThat(now.commit()).isEqualTo("unknown");
        assertThat(now.time()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    @Test
    void namesThePlaceOfAFault() throws Exception {
        Path file = directory.resolve("latest.run.json");
        RECORD.write(file);
        Files.writeString(file, Files.readString(file).replace("2026-11-20T12", "yesterday"));
        assertThatThrownBy(() -> RunRecord.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": time: expected a time such as 2026-01-31T12:00:00Z, got ");
    }
}
