package org.lemmata.track;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.ComparisonRow.Verdict;

/**
 * A run of benchmarks beside another one: how many times as fast each row is now, and whether that is more than noise.
 *
 * @param baseline its name
 * @param current its name
 * @param method how verdicts were reached; null where the two may not be compared
 * @param differences of machine, settings or forks that were allowed, a line each
 * @param refused why the two may not be compared; empty if they were
 * @param rows in the order of the baseline, then those that only the current run has
 */
public record Comparison(
        String baseline,
        String current,
        @Nullable Method method,
        List<String> differences,
        String refused,
        List<ComparisonRow> rows) {

    /**
     * How verdicts were reached.
     *
     * @param center what stands for a side's scores
     * @param alpha the chance that any interval misses
     * @param compared rows that have an interval
     * @param level of each interval, so that all hold together with probability 1 - alpha
     * @param paired whether fork i of one side ran beside fork i of the other
     * @param itself whether both sides ran the same: what differs is noise
     */
    public record Method(Center center, double alpha, int compared, double level, boolean paired, boolean itself) {}

    /** A row on both sides. */
    private record Pair(BenchmarkRow baseline, BenchmarkRow current) {}

    public Comparison {
        differences = List.copyOf(differences);
        rows = List.copyOf(rows);
    }

    /** Of two runs that may not be compared. */
    public static Comparison refused(String baseline, String current, String why) {
        return new Comparison(baseline, current, null, List.of(), why, List.of());
    }

    /**
     * Compares two runs. Rows go together by their key ({@link BenchmarkRow#key}); those of one session by their place,
     * since they may be different benchmarks, and their forks in pairs.
     *
     * @throws IllegalArgumentException if machine, settings or forks differ and that is not allowed, or if a side has a
     *     row twice
     */
    public static Comparison of(ComparisonSide baseline, ComparisonSide current, ComparisonOptions options) {
        boolean paired = areOfOneSession(baseline, current);
        var rest = new ArrayList<ComparisonRow>();
        List<Pair> pairs = paired ? byPlace(baseline, current, options) : byKey(baseline, current, options, rest);
        var differences = new ComparisonDifferences();
        differences.addMachines(baseline, current);
        pairs.forEach(pair -> differences.addRows(pair.baseline, pair.current));
        // One session is one machine, whatever its sides could tell of it; that one of them lost its lanes is a
        // finding.
        differences.requireOnly((paired ? options.allowing(Allowed.MACHINE) : options).allowed());
        int compared =
                (int) pairs.stream().filter(pair -> obstacle(pair) == null).count();
        double level = Simultaneous.level(options.alpha(), Math.max(1, compared));
        var rows = new ArrayList<ComparisonRow>();
        pairs.forEach(pair -> rows.add(row(pair, paired, level, options)));
        rows.addAll(rest);
        BenchmarkSession session = current.session();
        boolean itself = paired && session != null && session.against().equals("itself");
        return new Comparison(
                baseline.name(),
                current.name(),
                new Method(options.center(), options.alpha(), compared, level, paired, itself),
                differences.lines(),
                "",
                rows);
    }

    /**
     * Compares the two sides of one run.
     *
     * @throws IllegalArgumentException also if their records do not say that it was one
     */
    public static Comparison ofSides(ComparisonSide baseline, ComparisonSide current, ComparisonOptions options) {
        if (!areOfOneSession(baseline, current)) {
            throw new IllegalArgumentException(
                    baseline.name() + ": expected the other side of " + current.name() + ", got one of another run");
        }
        return of(baseline, current, options);
    }

    private static boolean areOfOneSession(ComparisonSide baseline, ComparisonSide current) {
        BenchmarkSession before = baseline.session();
        BenchmarkSession now = current.session();
        return before != null && now != null && before.id().equals(now.id());
    }

    private static List<Pair> byPlace(ComparisonSide baseline, ComparisonSide current, ComparisonOptions options) {
        if (baseline.rows().size() != current.rows().size()) {
            throw new IllegalArgumentException(
                    baseline.name() + ": expected " + current.rows().size() + " rows, as many as " + current.name()
                            + " of the same session, got " + baseline.rows().size());
        }
        var pairs = new ArrayList<Pair>();
        for (int i = 0; i < current.rows().size(); i++) {
            var pair = new Pair(baseline.rows().get(i), current.rows().get(i));
            if (included(pair.baseline, options) || included(pair.current, options)) {
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private static List<Pair> byKey(
            ComparisonSide baseline, ComparisonSide current, ComparisonOptions options, List<ComparisonRow> rest) {
        Map<String, BenchmarkRow> before = keyed(baseline, options);
        Map<String, BenchmarkRow> now = keyed(current, options);
        var pairs = new ArrayList<Pair>();
        before.forEach((key, row) -> {
            BenchmarkRow counterpart = now.remove(key);
            if (counterpart == null) {
                rest.add(ComparisonRow.without(row, Verdict.GONE, options.marginOf(key), "only in " + baseline.name()));
            } else {
                pairs.add(new Pair(row, counterpart));
            }
        });
        now.forEach((key, row) ->
                rest.add(ComparisonRow.without(row, Verdict.NEW, options.marginOf(key), "only in " + current.name())));
        return pairs;
    }

    private static Map<String, BenchmarkRow> keyed(ComparisonSide side, ComparisonOptions options) {
        var rows = new LinkedHashMap<String, BenchmarkRow>();
        for (BenchmarkRow row : side.rows()) {
            if (included(row, options) && rows.put(row.key(), row) != null) {
                throw new IllegalArgumentException(side.name() + ": expected each row once, got twice " + row.key());
            }
        }
        return rows;
    }

    private static boolean included(BenchmarkRow row, ComparisonOptions options) {
        return options.include().matcher(row.key()).find();
    }

    /** Why a pair gives no ratio; null if it does. */
    private static @Nullable String obstacle(Pair pair) {
        if (pair.baseline.samples().isEmpty() || pair.current.samples().isEmpty()) {
            return "no samples: JMH keeps a histogram alone in mode sample";
        }
        if (!pair.baseline.mode().equals(pair.current.mode())
                || !pair.baseline.unit().equals(pair.current.unit())) {
            return "in " + pair.baseline.unit() + " (" + pair.baseline.mode() + "), now " + pair.current.unit() + " ("
                    + pair.current.mode() + ")";
        }
        return sound(pair.baseline) && sound(pair.current) ? null : "a fork without scores, or one that is not above 0";
    }

    private static boolean sound(BenchmarkRow row) {
        return row.samples().stream()
                .allMatch(fork ->
                        !fork.isEmpty() && fork.stream().allMatch(score -> score > 0 && Double.isFinite(score)));
    }

    private static ComparisonRow row(Pair pair, boolean paired, double level, ComparisonOptions options) {
        BenchmarkRow current = pair.current;
        double margin = options.marginOf(current.key());
        String obstacle = obstacle(pair);
        if (obstacle != null) {
            boolean histogram =
                    pair.baseline.samples().isEmpty() || current.samples().isEmpty();
            return ComparisonRow.without(
                    current, histogram ? Verdict.NOT_COMPARED : Verdict.INCONCLUSIVE, margin, obstacle);
        }
        int forks = Math.min(pair.baseline.samples().size(), current.samples().size());
        RatioEstimate estimate = estimate(pair, paired, options.center());
        Interval interval = estimate.interval(level);
        Verdict verdict = Verdict.of(interval, margin);
        return new ComparisonRow(
                current.benchmarkClass() + "." + current.method(),
                current.mode(),
                current.params(),
                verdict,
                estimate.ratio(),
                interval,
                estimate.noiseFloor(level),
                margin,
                forks,
                verdict == Verdict.INCONCLUSIVE ? estimate.forksFor(margin, level, forks) : OptionalInt.empty(),
                note(pair, forks));
    }

    /** Of speeds: where less is faster, the baseline's scores over the current ones. */
    private static RatioEstimate estimate(Pair pair, boolean paired, Center center) {
        boolean higher = pair.current.higherIsFaster();
        List<List<Double>> over = higher ? pair.current.samples() : pair.baseline.samples();
        List<List<Double>> under = higher ? pair.baseline.samples() : pair.current.samples();
        return paired && over.size() == under.size()
                ? RatioBootstrap.paired(over, under, center)
                : RatioBootstrap.unpaired(over, under, center);
    }

    private static String note(Pair pair, int forks) {
        if (!pair.baseline.key().equals(pair.current.key())) {
            return "against " + pair.baseline.simpleClass() + "." + pair.baseline.method();
        }
        return forks == 1 ? "one fork tells nothing of the spread" : "";
    }

    /** The rows with a verdict. */
    public List<ComparisonRow> with(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).toList();
    }

    /** Whether no row is slower, and yet a verdict is missing: of a row, or of all. */
    public boolean inconclusive() {
        return with(Verdict.SLOWER).isEmpty()
                && (method == null
                        || method.compared() == 0
                        || !with(Verdict.INCONCLUSIVE).isEmpty()
                        || !with(Verdict.GONE).isEmpty());
    }
}
