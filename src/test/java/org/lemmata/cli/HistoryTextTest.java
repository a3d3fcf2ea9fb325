package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.HistoryComparison;

class HistoryTextTest {

    @Test
    void slowerRowsComeFirstAndAreExitCode1() {
        var history = new ArrayList<>(history("same", 0, 0.01, 0, 0.01, 0, 0.01));
        history.addAll(history("new", 0, 0));
        history.addAll(history("faster", 0, 0.01, 0, -0.01, 0, 1));
        history.addAll(history("slower", 0, 0.01, 0, -0.01, 0.01, -1));
        var out = new StringWriter();
        HistoryComparison comparison = HistoryComparison.of(history);
        CompareCommand.printHistory(new PrintWriter(out, true), comparison);
        assertThat(out.toString().lines())
                .containsExactly(
                        "The latest run (2026-11-20T12:34:56Z, commit c0) against the median of up to 20 earlier runs"
                                + " on Example CPU",
                        "ratio: how many times as fast; expected: the range of unchanged rows; runs: earlier runs, at"
                                + " least 5",
                        "",
                        "verdict   ratio   expected            runs  benchmark",
                        "slower    0.3679  [0.9348, 1.144]     5     A.slower (thrpt)",
                        "faster    2.718   [0.9348, 1.070]     5     A.faster (thrpt)",
                        "too few   1.000   -                   1     A.new (thrpt)",
                        "as usual  1.010   [1.000, 1.144]      5     A.same (thrpt)");
        assertThat(CompareCommand.historyExitCode(comparison)).isEqualTo(1);
        assertThat(Json.line(CompareCommand.historyJson(comparison)))
                .contains("\"exitCode\":1,", "\"verdict\":\"slower\",");
    }

    @Test
    void aTerminalObeysNoName() {
        var out = new StringWriter();
        CompareCommand.printHistory(
                new PrintWriter(out, true), HistoryComparison.of(history("a\u001b[31m", new double[6])));
        assertThat(out.toString()).contains("A.a?[31m (thrpt)").doesNotContain("\u001b");
    }

    @Test
    void tooFewRunsAreNoVerdict() {
        assertThat(CompareCommand.historyExitCode(HistoryComparison.of(history("few", new double[5]))))
                .isEqualTo(3);
        assertThat(CompareCommand.historyExitCode(HistoryComparison.of(history("enough", new double[6]))))
                .isZero();
    }

    @Test
    void anEmptyHistoryHasNoVerdict() {
        var out = new StringWriter();
        HistoryComparison none = HistoryComparison.of(List.of());
        CompareCommand.printHistory(new PrintWriter(out, true), none);
        assertThat(out.toString().strip()).isEqualTo("no runs in the history");
        assertThat(CompareCommand.historyJson(none)).containsEntry("exitCode", 3);
    }

    /** One run per logarithm of a speed; the last run has the same time for every method. */
    private static List<HistoryEntry> history(String method, double... logs) {
        var row = new HistoryEntry.Row(
                new HistoryEntry.Machine("Example CPU", 2, "256 bits", "25"),
                "org.lemmata.A." + method,
                "thrpt",
                new LinkedHashMap<>(),
                BenchmarkRow.RunOptions.UNKNOWN,
                "ops/s",
                false);
        return IntStream.range(0, logs.length)
                .mapToObj(run -> new HistoryEntry(
                        Instant.parse("2026-11-20T12:34:56Z").minusSeconds(logs.length - 1L - run),
                        "c" + (logs.length - 1 - run),
                        row,
                        List.of(Math.exp(logs[run])),
                        List.of()))
                .toList();
    }
}
