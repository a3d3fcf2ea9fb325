package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.DemoInput;

class HistoryTest {

    private static final BenchmarkRow.RunOptions SETTINGS =
            new BenchmarkRow.RunOptions(1, "3 x 100 ms", "5 x 50 ms", List.of("-Xbatch"), "1.37");

    private static final Instant START = Instant.parse("2026-11-20T12:34:56Z");

    @TempDir
    private Path directory;

    @Test
    void readsBackEveryRowOfEveryRun() throws Exception {
        Path file = directory.resolve("made/history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4, 1, 9), row("none", "thrpt")), record("A", 0));
        History.append(file, List.of(row("vector", "thrpt", 5)), record("A", 1));
        List<HistoryEntry> entries = History.read(file);
        assertThat(entries).hasSize(2);
        HistoryEntry first = entries.getFirst();
        assertThat(first.time()).isEqualTo(START);
        assertThat(first.commit()).isEqualTo("c0");
        assertThat(first.forks()).as("medians of forks").containsExactly(4.0, 40.0);
        assertThat(first.row().benchmark()).isEqualTo("org.lemmata.A.vector");
        assertThat(first.row().params()).isEqualTo(Map.of("columns", "1024"));
        assertThat(first.row().settings()).isEqualTo(SETTINGS);
        assertThat(first.row().unit()).isEqualTo("ops/s");
        assertThat(first.row().machine()).isEqualTo(new HistoryEntry.Machine("A", 2, "256 bits", "25"));
        assertThat(entries.getLast().row()).as("one series").isEqualTo(first.row());
        JsonNode line = new ObjectMapper().readTree(Files.readAllLines(file).getFirst());
        assertThat(line.at("/forks/1").doubleValue()).isEqualTo(40);
        assertThat(line.at("/machine/cpu").textValue()).isEqualTo("A");
    }

    @Test
    void duetsAndForksThatRanAloneAreTwoSeries() throws Exception {
        Path file = directory.resolve("history.jsonl");
        List<BenchmarkRow> rows = List.of(row("vector", "thrpt", 4), row("none", "thrpt"));
        RunRecord alone = record("A", 0);
        History.append(file, rows, alone);
        var fork = new ForkRun(rows.getFirst().cell(), 0, START, 1, 1, 0, List.of(new ForkRun.Span(0, 9, 1, 0)));
        var session = new BenchmarkSession("id", "A", "", "", "hash", 0, List.of(fork), "", List.of(), Map.of());
        History.append(file, rows, new RunRecord("c1", START.plusSeconds(3600), List.of(), alone.machine(), session));
        assertThat(Files.readAllLines(file).getFirst()).doesNotContain("duet");
        assertThat(History.read(file)).extracting(entry -> entry.row().duet()).containsExactly(false, true);
        assertThat(History.series(History.read(file))).hasSize(2);
    }

    @Test
    void aTornLineIsDroppedAndTheNextRunBeginsItsOwn() throws Exception {
        Path file = directory.resolve("history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4)), record("A", 0));
        byte[] whole = Files.readAllBytes(file);
        Files.writeString(file, "{\"time\":\"2026-", StandardOpenOption.APPEND);
        assertThat(History.read(file)).hasSize(1);
        History.append(file, List.of(row("vector", "thrpt", 5)), record("A", 1));
        assertThat(History.read(file)).extracting(HistoryEntry::commit).containsExactly("c0", "c1");
        assertThat(Files.readAllBytes(file))
                .as("what was there stays, to the byte")
                .startsWith(whole);
    }

    @Test
    void namesTheLineOfAFault() throws Exception {
        Path file = directory.resolve("history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4), row("scalar", "thrpt", 1)), record("A", 0));
        String text = Files.readString(file);
        Files.writeString(file, text.replace("[1.0,10.0]", "[1.0,-1.0]"));
        assertMalformed(
                () -> History.read(file), file + ": line 2: forks: expected positive finite scores, got an array of 2");
        Files.writeString(file, text.replace("A.scalar", "A.\u00ff"), StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> History.read(file)).hasMessage(file + ": line 2: expected UTF-8, got the byte 0xff");
    }

    private static RunRecord record(String cpu, int run) {
        var machine = new MachineIdentity(cpu, 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        return new RunRecord("c" + run, START.plusSeconds(3600L * run), List.of(), machine, null);
    }

    /** Two forks, the second ten times as fast as the first. */
    private static BenchmarkRow row(String method, String mode, double... samples) {
        var first = new ArrayList<Double>();
        var second = new ArrayList<Double>();
        for (double sample : samples) {
            first.add(sample);
            second.add(10 * sample);
        }
        List<List<Double>> forks = samples.length == 0 ? List.of() : List.of(first, second);
        Map<String, String> params = Map.of("columns", "1024");
        return Rows.with(DemoInput.row("org.lemmata.A." + method, mode, "ops/s", 1, params, forks, Map.of()), SETTINGS);
    }
}
