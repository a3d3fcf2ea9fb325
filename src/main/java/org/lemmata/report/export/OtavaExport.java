package org.lemmata.report.export;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.lemmata.report.ReportInput;
import org.lemmata.report.Tracking;
import org.lemmata.report.plot.CsvText;
import org.lemmata.track.BenchmarkRow;

/**
 * Writes the runs of the history as CSV for Apache Otava: time, commit, and one column per benchmark row, in which
 * higher is faster. A missing value is NaN, because Otava rejects empty fields.
 */
public final class OtavaExport {

    /** A line; lines are ordered by time. */
    private record Run(String time, String commit) implements Comparable<Run> {
        private static final Comparator<Run> ORDER =
                Comparator.comparing(Run::time).thenComparing(Run::commit);

        @Override
        public int compareTo(Run other) {
            return ORDER.compare(this, other);
        }
    }

    private OtavaExport() {}

    /**
     * The runs, including the current one.
     *
     * @throws IllegalArgumentException if there are no benchmarks, or the time of their run is not recorded
     */
    public static String of(ReportInput input) {
        var runs = new TreeMap<Run, Map<String, Double>>();
        input.tracking().trends().forEach((key, trend) -> {
            for (Tracking.Run run : trend) {
                runs.computeIfAbsent(new Run(run.time(), run.commit()), each -> new HashMap<>())
                        .put(key.metric(), run.speed());
            }
        });
        addPresent(input, runs);
        var metrics = new TreeSet<String>();
        runs.values().forEach(run -> metrics.addAll(run.keySet()));
        var columns = new ArrayList<>(List.of("time", "commit"));
        columns.addAll(metrics);
        var lines = new ArrayList<List<Object>>();
        runs.forEach((run, speeds) -> {
            var line = new ArrayList<Object>(List.of(run.time, run.commit));
            metrics.forEach(metric -> line.add(speeds.getOrDefault(metric, Double.NaN)));
            lines.add(line);
        });
        return CsvText.of(columns, lines);
    }

    private static void addPresent(ReportInput input, Map<Run, Map<String, Double>> runs) {
        ReportInput.Benchmarks benchmarks = input.benchmarks();
        if (benchmarks == null || benchmarks.run() == null) {
            if (runs.isEmpty()) {
                throw new IllegalArgumentException(
                        "otava: expected benchmarks with a run record (NAME.run.json), got none");
            }
            return;
        }
        Run present =
                new Run(benchmarks.run().time().toString(), benchmarks.run().commit());
        Map<String, Double> speeds = runs.computeIfAbsent(present, each -> new HashMap<>());
        for (BenchmarkRow row : benchmarks.rows()) {
            speeds.putIfAbsent(Tracking.RowKey.of(row).metric(), row.higherIsFaster() ? row.score() : 1 / row.score());
        }
    }
}
