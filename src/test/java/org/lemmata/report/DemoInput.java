package org.lemmata.report;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Form;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.claim.Verdict;
import org.lemmata.report.ReportInput.ReportFiles;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.Evidence;
import org.lemmata.track.JmhResults;
import org.lemmata.track.RunRecord;

/** A page with something in every section. */
public final class DemoInput {

    private DemoInput() {}

    public static ReportInput everything() throws Exception {
        var rows = new ArrayList<BenchmarkRow>();
        for (String file : List.of("jmh.json", "roofline.json", "peers.json", "precision.json")) {
            rows.addAll(JmhResults.read(resource(file)));
        }
        for (int length = 32; length <= 1024; length *= 2) {
            rows.add(generation("vectorWithCache", length, 1e6 / length));
            rows.add(generation("vectorWithoutCache", length, 1e7 / length / length));
        }
        return new ReportInput(
                new ReportInput.Claims("claims.json", claims()),
                new ReportInput.Benchmarks("jmh.json", rows, RunRecord.read(resource("jmh.run.json"))),
                List.of(
                        new ReportInput.Cells("Sweep demo", "demo/results.jsonl", cells(), true),
                        new ReportInput.Cells("Evidence for demo", "evidence/results.jsonl", cells(), false)),
                tracking(rows));
    }

    /** The claims of the file, and a comparison of two tasks. */
    private static List<ClaimResult> claims() throws Exception {
        var claims = new ArrayList<>(ClaimResults.read(resource("claims.json")));
        List<String> small = List.of("closed form", "1 layer");
        claims.add(comparison("demo.comparison.counting", "Counting", Outcome.SUPPORTED, small, 0.02));
        claims.add(comparison(
                "demo.comparison.copying", "Copying", Outcome.REFUTED, List.of("1 layer", "2 layers"), 0.15));
        return claims;
    }

    /**
     * Shares of correct answers that decrease by {@code fall} each time the length doubles, and faster for later
     * models.
     */
    static ClaimResult comparison(String id, String task, Outcome verdict, List<String> models, double fall) {
        var series = new ArrayList<Figure.Series>();
        for (int model = 0; model < models.size(); model++) {
            double each = fall * model;
            List<Double> x = IntStream.rangeClosed(0, 6 - models.size())
                    .mapToObj(i -> (double) i)
                    .toList();
            List<Double> y = x.stream().map(at -> 1 - each * at).toList();
            series.add(new Figure.Series(
                    models.get(model),
                    x,
                    y,
                    y.stream().map(share -> share - each / 2).toList(),
                    y));
        }
        return new ClaimResult(
                new ClaimResult.Said(
                        id,
                        "The share of right answers does not fall with the length.",
                        "a demonstration",
                        Form.AS_STATED,
                        "nothing: beyond the papers",
                        ""),
                new ClaimResult.Tested(
                        "two models", "reduced: two models", Budget.QUICK, Computation.UNROUNDED, new TreeMap<>()),
                new Verdict(verdict, "the intervals are apart"),
                Outcome.SUPPORTED,
                List.of(new TrivialAnswer("always 0", 0.25)),
                List.of(),
                new ClaimResult.Run(List.of(1L, 2L), 0.1, Map.of("commit", "c0ffee")),
                List.of(new Figure(task, "Shares by length.", "log2 of T / N", "share of right answers", series)));
    }

    /** Four rows: one slower row with profiles, and one row for each other verdict. */
    private static Tracking tracking(List<BenchmarkRow> rows) {
        List<BenchmarkRow> keys = rows.stream()
                .filter(row -> row.method().startsWith("vector"))
                .limit(4)
                .toList();
        List<Tracking.Run> runs = IntStream.range(0, 12)
                .mapToObj(i -> new Tracking.Run(
                        "c0ffee" + i, "2026-11-" + (10 + i) + "T04:00:00Z", (i < 7 ? 100 : 80) + i % 3))
                .toList();
        return new Tracking(
                new Comparison(
                        "main",
                        "now",
                        null,
                        List.of("cpu: AMD EPYC 7763, now AMD EPYC 9654"),
                        "",
                        List.of(
                                compared(keys.get(3), ComparisonRow.Change.SAME, 1.001, null),
                                compared(keys.get(1), ComparisonRow.Change.INCONCLUSIVE, 0.97, 14),
                                compared(keys.get(2), ComparisonRow.Change.FASTER, 1.4, null),
                                compared(keys.get(0), ComparisonRow.Change.SLOWER, 0.8, null))),
                new LinkedHashMap<>(),
                Map.of(keys.get(0).sortedKey(), runs, keys.get(1).sortedKey(), runs),
                Map.of(
                        keys.get(0).sortedKey(),
                        new Tracking.Profile("../profiles/one/flame.html", "../profiles/one/profile.txt"),
                        keys.get(2).sortedKey(),
                        new Tracking.Profile("../profiles/two/flame.html", "")));
    }

    /**
     * Ratios within one run: slower than in the stored baseline, inconclusive compared with the last run, and missing.
     */
    public static Comparison ratios() {
        var method = new Comparison.Method(Center.MEAN_OF_MEDIANS, 0.05, 2, 0.975, 1, false, 2, false, false, 0);
        return new Comparison(
                "simd-512.json and the last run here",
                "now",
                method,
                List.of("cpu: A, now B"),
                "",
                List.of(
                        ratio(ComparisonRow.Change.INCONCLUSIVE, 0.95, 0.15, "", "c0ffee12 here", 8),
                        ratio(ComparisonRow.Change.GONE, Double.NaN, 1, "only in simd-512.json", "simd-512.json", 0.25),
                        ratio(ComparisonRow.Change.SLOWER, 0.25, 1, "", "simd-512.json", 12)));
    }

    private static ComparisonRow ratio(
            ComparisonRow.Change verdict, double change, double margin, String note, String beside, double before) {
        return new ComparisonRow(
                "org.lemmata.A.vector",
                "thrpt",
                new LinkedHashMap<>(Map.of("length", "128")),
                verdict,
                change,
                new Interval(change * 0.9, change * 1.1),
                Double.NaN,
                margin,
                4,
                verdict == ComparisonRow.Change.INCONCLUSIVE ? 12 : null,
                note,
                new ComparisonRow.Within("scalar", beside, before, before * change));
    }

    private static ComparisonRow compared(
            BenchmarkRow row, ComparisonRow.Change verdict, double ratio, @Nullable Integer forks) {
        return compared(
                row.benchmark(),
                row.mode(),
                row.params(),
                verdict,
                new Interval(ratio * 0.98, ratio * 1.02),
                ratio,
                forks,
                "");
    }

    /** The comparison of a row. */
    public static ComparisonRow compared(
            String benchmark,
            String mode,
            Map<String, String> params,
            ComparisonRow.Change verdict,
            Interval interval,
            double ratio,
            @Nullable Integer forks,
            String note) {
        return new ComparisonRow(
                benchmark,
                mode,
                new LinkedHashMap<>(params),
                verdict,
                ratio,
                interval,
                Double.NaN,
                0.05,
                10,
                forks,
                note,
                null);
    }

    /** A comparison without noise, history and profiles. */
    public static Tracking tracking(@Nullable Comparison comparison) {
        return new Tracking(comparison, new LinkedHashMap<>(), Map.of(), Map.of());
    }

    /** An input with only benchmarks, without the record of their run. */
    public static ReportInput of(List<BenchmarkRow> rows) {
        return of(null, new ReportInput.Benchmarks("rows.json", rows, null));
    }

    /** An input with only claims and benchmarks. */
    public static ReportInput of(ReportInput.@Nullable Claims claims, ReportInput.@Nullable Benchmarks benchmarks) {
        return new ReportInput(claims, benchmarks, List.of(), Tracking.NONE);
    }

    /** An input from the files of claims and benchmarks. */
    static ReportInput read(@Nullable Path claims, @Nullable Path benchmarks) throws IOException {
        return read(claims, benchmarks, List.of(), null);
    }

    static ReportInput read(
            @Nullable Path claims, @Nullable Path benchmarks, List<Path> sweeps, @Nullable Evidence evidence)
            throws IOException {
        return new ReportFiles(claims, benchmarks, sweeps, evidence, null).read(Path.of("target", "report"));
    }

    public static BenchmarkRow generation(String method, int length, double score) {
        List<List<Double>> samples = IntStream.range(0, 3)
                .mapToObj(fork -> List.of(score * (1 + 0.05 * fork), score * (1 + 0.06 * fork)))
                .toList();
        var params = new LinkedHashMap<>(Map.of("length", Integer.toString(length)));
        var counters = new LinkedHashMap<String, BenchmarkRow.Metric>();
        counters.put("tokens", new BenchmarkRow.Metric(score * length, 0, "ops/s", List.of()));
        return row(
                "org.lemmata.model.GenerationBenchmark." + method, "thrpt", "ops/s", score, params, samples, counters);
    }

    /** A row of a qualified method; without samples it has one fork. */
    public static BenchmarkRow row(
            String benchmark,
            String mode,
            String unit,
            double score,
            Map<String, String> params,
            List<List<Double>> samples,
            Map<String, BenchmarkRow.Metric> counters) {
        int method = benchmark.lastIndexOf('.') + 1;
        return new BenchmarkRow(
                benchmark.substring(0, method - 1),
                benchmark.substring(method),
                mode,
                new LinkedHashMap<>(params),
                BenchmarkRow.RunOptions.UNKNOWN,
                score,
                0,
                unit,
                Math.max(1, samples.size()),
                samples,
                new LinkedHashMap<>(counters),
                "");
    }

    /** The mean of all samples. */
    public static double mean(List<List<Double>> samples) {
        return samples.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /** Three widths, two depths, two activations, three seeds; one cell failed. */
    static List<CellRecord> cells() {
        var random = new SplittableRandom(7);
        var cells = new ArrayList<CellRecord>();
        for (String width : List.of("2", "16", "128")) {
            for (String layers : List.of("1", "4")) {
                for (String activation : List.of("gelu", "relu")) {
                    for (long seed = 1; seed <= 3; seed++) {
                        var axes = new LinkedHashMap<String, String>();
                        axes.put("model.width", width);
                        axes.put("model.hidden", width + "0");
                        axes.put("model.layers", layers);
                        axes.put("model.activation", activation);
                        double share = Math.round(64 * Math.min(1, 0.2 + 0.1 * random.nextInt(8))) / 64.0;
                        cells.add(cell(
                                axes,
                                seed,
                                List.of(
                                        measured("steps", 500, "steps", 1),
                                        measured("loss", random.nextDouble(0.1, 2), "nats", 1),
                                        measured("completed", share, "probability", 64))));
                    }
                }
            }
        }
        CellRecord last = cells.removeLast();
        cells.add(new CellRecord(
                last.cell(),
                last.trial(),
                last.axes(),
                last.seed(),
                last.settings(),
                CellRecord.Status.FAILED,
                "memory: expected 64 MiB, got 1 GiB",
                List.of(),
                last.run()));
        return cells;
    }

    static CellRecord cell(SequencedMap<String, String> axes, long seed, List<Measurement> measurements) {
        var settings = new LinkedHashMap<>(axes);
        settings.put("seed", Long.toString(seed));
        return new CellRecord(
                CellRecord.id("train", settings),
                "train",
                axes,
                seed,
                settings,
                CellRecord.Status.DONE,
                null,
                measurements,
                new CellRecord.Run(1, 1.5, Map.of()));
    }

    static Measurement measured(String name, double value, String unit, long n) {
        return new Measurement(name, value, unit, Interval.exact(value), n, null);
    }

    static Path resource(String name) throws IOException {
        try {
            return Path.of(
                    Objects.requireNonNull(DemoInput.class.getResource(name)).toURI());
        } catch (URISyntaxException e) {
            throw new IOException(name, e);
        }
    }
}
