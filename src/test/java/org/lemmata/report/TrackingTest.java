package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.HistoryEntry;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

class TrackingTest {

    @Test
    void drawsTheRunsOfThisMachineAlone() {
        var history = new ArrayList<HistoryEntry>();
        for (int run = 0; run < 220; run++) {
            history.add(HistoryEntry.of(row("vector", 2), record("A", run)).orElseThrow());
            history.add(HistoryEntry.of(row("vector", 9), record("B", run)).orElseThrow());
        }
        Map<String, List<Tracking.Run>> trends =
                Tracking.trends(history, List.of(row("vector", 4), row("new", 1)), record("A", 220));
        assertThat(trends).containsOnlyKeys(row("vector", 4).sortedKey());
        List<Tracking.Run> trend = trends.values().iterator().next();
        assertThat(trend).as("the latest").hasSize(200);
        assertThat(trend.getFirst().commit()).isEqualTo("c20");
        assertThat(trend.getFirst().speed()).as("of a time").isCloseTo(0.5, within(1e-12));
    }

    private static RunRecord record(String cpu, int run) {
        var machine = new MachineIdentity(cpu, 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        Instant time = Instant.parse("2026-11-20T12:34:56Z").plusSeconds(run);
        return new RunRecord("c" + run, time, List.of(), machine, null);
    }

    private static BenchmarkRow row(String method, double time) {
        return DemoInput.row(
                "org.lemmata.A." + method,
                "avgt",
                "ns/op",
                time,
                Map.of("columns", "1024"),
                List.of(List.of(time)),
                Map.of());
    }
}
