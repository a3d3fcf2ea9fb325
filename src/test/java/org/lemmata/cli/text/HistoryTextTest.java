package org.lemmata.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.HistoryChanges;
import org.lemmata.track.HistoryEntry;

class HistoryTextTest {

    private static final HistoryEntry RUN = new HistoryEntry(
            Instant.parse("2026-11-20T12:34:56Z"),
            "c0ffee",
            new HistoryEntry.Row(
                    "org.lemmata.A.vector",
                    "thrpt",
                    new LinkedHashMap<>(),
                    BenchmarkRow.Settings.UNKNOWN,
                    "ops/s",
                    new HistoryEntry.Machine("Example CPU", 2, "256 bits", "25")),
            List.of(1.0),
            List.of());

    @Test
    void saysTheCostAndTheNewestChangeFirst() {
        var out = new StringWriter();
        HistoryChanges history = history(
                12,
                new HistoryChanges.Change(4, RUN, 1.25, 6, false),
                new HistoryChanges.Change(9, RUN, 0.8, -5, true));
        HistoryText.print(new PrintWriter(out, true), history);
        assertThat(out.toString().lines().skip(1))
                .containsExactly(
                        "rows: 1, of which 1 have the 10 runs it takes; one without a change shows one with"
                                + " probability 0.010",
                        "A.vector (thrpt) on Example CPU, 12 runs",
                        "    new slower: 0.800 times as fast (-5.0 standard deviations) from 2026-11-20T12:34:56Z on,"
                                + " commit c0ffee, 3 runs ago",
                        "    earlier faster: 1.25 times as fast (+6.0 standard deviations) from 2026-11-20T12:34:56Z"
                                + " on, commit c0ffee, 8 runs ago");
        assertThat(out.toString()).startsWith("change points: minimum sum over stretches of min(((log speed - level)");
        assertThat(HistoryText.exitCode(history)).isEqualTo(1);
        assertThat(Json.line(HistoryText.json(history))).contains("\"exitCode\":1,", "\"ratio\":0.8,");
    }

    @Test
    void tooFewRunsAreNoVerdict() {
        assertThat(HistoryText.exitCode(history(9))).isEqualTo(3);
        assertThat(HistoryText.exitCode(history(10))).isZero();
        var out = new StringWriter();
        HistoryText.print(new PrintWriter(out, true), history(9));
        assertThat(out.toString().lines().toList().getLast()).isEqualTo("too few runs to look for changes");
    }

    @Test
    void aMissingHistoryHasNoVerdict(@TempDir Path directory) throws Exception {
        var out = new StringWriter();
        Path json = directory.resolve("changes.json");
        assertThat(HistoryText.compare(new PrintWriter(out, true), directory.resolve("history.jsonl"), json))
                .isEqualTo(3);
        assertThat(new ObjectMapper()
                        .readTree(Files.readString(json))
                        .at("/exitCode")
                        .intValue())
                .isEqualTo(3);
    }

    private static HistoryChanges history(int runs, HistoryChanges.Change... changes) {
        return new HistoryChanges(
                0.01,
                List.of(new HistoryChanges.Series(RUN.row(), Collections.nCopies(runs, RUN), List.of(changes), true)));
    }
}
