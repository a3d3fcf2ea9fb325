package org.lemmata.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.CsvText;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;

/**
 * Writes the runs of the history for Apache Otava: a CSV file per benchmark, and a configuration that names all files.
 * A file has only the runs that include its benchmark: a common file would need NaN for missing values, and with a
 * single NaN, Otava finds no change point.
 */
public final class OtavaExport {

    /** The group of all tests, for {@code otava analyze benchmarks}. */
    private static final String GROUP = "benchmarks";

    private static final String SPEED = "speed";

    private OtavaExport() {}

    /**
     * Writes {@code otava.yaml} and one file per benchmark, including the current run.
     *
     * @throws IllegalArgumentException if there are no benchmarks, or the time of their run is not recorded
     */
    public static void write(Path directory, ReportInput input) throws IOException {
        Map<String, Map<String, List<Object>>> benchmarks = runs(input);
        var tests = new LinkedHashMap<String, Object>();
        for (Map.Entry<String, Map<String, List<Object>>> benchmark : benchmarks.entrySet()) {
            Path file = directory.resolve(tests.size() + 1 + ".csv");
            AtomicFile.write(
                    file,
                    CsvText.of(
                            List.of("time", "commit", SPEED),
                            List.copyOf(benchmark.getValue().values())));
            tests.put(
                    benchmark.getKey(),
                    Json.object(
                            "type", "csv",
                            "file", file.toString(),
                            "time_column", "time",
                            "attributes", List.of("commit"),
                            "metrics", List.of(SPEED)));
        }
        // JSON is also YAML, and its strings may contain any quotes.
        Map<String, Object> config =
                Json.object("tests", tests, "test_groups", Map.of(GROUP, List.copyOf(tests.keySet())));
        AtomicFile.write(directory.resolve("otava.yaml"), Json.indented(config) + "\n");
    }

    /** For each benchmark, the time, commit and speed of each run, in the order of time and commit. */
    private static Map<String, Map<String, List<Object>>> runs(ReportInput input) {
        var benchmarks = new TreeMap<String, Map<String, List<Object>>>();
        input.tracking().trends().forEach((key, trend) -> trend.forEach(run -> add(benchmarks, key, run)));
        ReportInput.Benchmarks present = input.benchmarks();
        if (present != null && present.run() != null) {
            for (BenchmarkRow row : present.rows()) {
                double speed = row.higherIsFaster() ? row.score() : 1 / row.score();
                add(
                        benchmarks,
                        row.sortedKey(),
                        new Tracking.Run(
                                present.run().commit(), present.run().time().toString(), speed));
            }
        }
        if (benchmarks.isEmpty()) {
            throw new IllegalArgumentException(
                    "otava: expected benchmarks with a run record (NAME.run.json), got none");
        }
        return benchmarks;
    }

    private static void add(Map<String, Map<String, List<Object>>> benchmarks, String key, Tracking.Run run) {
        if (Double.isFinite(run.speed())) {
            benchmarks
                    .computeIfAbsent(key, each -> new TreeMap<>())
                    .putIfAbsent(
                            run.time() + " " + run.commit(),
                            new ArrayList<>(List.of(run.time(), run.commit(), run.speed())));
        }
    }
}
