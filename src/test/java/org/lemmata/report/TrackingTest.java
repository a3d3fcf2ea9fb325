package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.HistoryChanges;
import org.lemmata.track.HistoryEntry;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

class TrackingTest {

    @Test
    void drawsTheRunsOfThisMachineAlone() {
        var history = new ArrayList<HistoryEntry>();
        for (int run = 0; run < 20; run++) {
            // Twice the time from run 15 on; runs differ by 1% in turn.
            double time = (run < 15 ? 2 : 4) * (run % 2 == 0 ? 1 : 1.01);
            history.add(HistoryEntry.of(row("vector", time), record("A", run)).orElseThrow());
            history.add(HistoryEntry.of(row("vector", 9), record("B", run)).orElseThrow());
        }
        Map<Tracking.RowKey, Tracking.Trend> trends =
                Tracking.trends(HistoryChanges.of(history), List.of(row("vector", 4), row("new", 1)), record("A", 20));
        assertThat(trends).containsOnlyKeys(Tracking.RowKey.of(row("vector", 4)));
        Tracking.Trend trend = trends.values().iterator().next();
        assertThat(trend.runs()).hasSize(20);
        assertThat(trend.changes()).containsExactly(15);
        assertThat(trend.runs().getFirst().commit()).isEqualTo("c0");
        assertThat(trend.runs().getFirst().speed()).as("of a time").isCloseTo(0.5, within(1e-12));
    }

    private static RunRecord record(String cpu, int run) {
        var machine = new MachineIdentity(cpu, 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        Instant time = Instant.parse("2026-11-20T12:34:56Z").plusSeconds(run);
        return new RunRecord("c" + run, time, List.of(), machine, null);
    }

    private static BenchmarkRow row(String method, double time) {
        return new BenchmarkRow(
                "org.lemmata.A",
                method,
                "avgt",
                new LinkedHashMap<>(Map.of("columns", "1024")),
                BenchmarkRow.Settings.UNKNOWN,
                new BenchmarkRow.Score(time, Double.NaN, "ns/op"),
                1,
                List.of(List.of(time)),
                new LinkedHashMap<>());
    }
}
