package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.JsonValue;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Median;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.SharedVariance;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.ComparisonRow.Change;

/**
 * A comparison of two benchmark runs: the speed of each row relative to the baseline, and whether the change is
 * significant.
 *
 * @param method how verdicts were reached; null if the runs cannot be compared
 * @param differences permitted differences between the runs, and remarks, one line each
 * @param refused why the runs cannot be compared; empty if they can
 * @param rows the rows that both runs have, then their secondary metrics, then all others
 */
public record Comparison(
        String baseline,
        String current,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Method method,
        List<String> differences,
        String refused,
        List<ComparisonRow> rows) {

    private static final String BYTES = "gigabytes";
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    /** A row that moves at least this share of the memory bandwidth may wait for memory, which both forks share. */
    private static final double CONTENDED = 0.5;

    /**
     * How verdicts were reached.
     *
     * @param center the statistic that represents the scores of a side
     * @param alpha the maximum probability that at least one interval misses the true ratio
     * @param compared the number of rows with an interval
     * @param level the level of each interval, chosen so that all intervals hold together with probability 1 - alpha;
     *     for a run with several looks, the level of the last look
     * @param looks the number of looks (checks for verdicts) of a run that may stop rows early, otherwise 1
     * @param paired whether fork i of one side was measured together with fork i of the other
     * @param duets the number of rows with an interval whose forks ran simultaneously; if no row has an interval, the
     *     number of all rows whose forks ran simultaneously
     * @param itself whether both sides ran the same code, so that all differences are noise
     * @param otherJvms whether the sides ran on different JVMs without permission; the comparison is then inconclusive
     *     unless a row is slower
     * @param sharedFreedom the maximum weight of the {@linkplain SharedVariance variance that rows share}, in degrees
     *     of freedom; 0 if rows share no variance
     */
    public record Method(
            Center center,
            double alpha,
            int compared,
            double level,
            @JsonProperty int looks,
            boolean paired,
            @JsonProperty int duets,
            boolean itself,
            @JsonProperty boolean otherJvms,
            @JsonProperty double sharedFreedom) {

        public Method {
            looks = Math.max(1, looks);
        }
    }

    /**
     * The data over all rows that are needed for the verdicts at one look.
     *
     * @param compared the number of rows with an interval
     * @param level the level of each interval
     */
    private record Look(int compared, double level, SharedVariance shared) {

        static Look of(List<RowPair> pairs, List<RowPair> ofMetrics, ComparisonOptions options, int look, int looks) {
            List<RatioEstimate> estimates = pairs.stream()
                    .filter(pair -> pair.obstacle() == null)
                    .map(pair -> pair.estimate(options.center()))
                    .toList();
            int compared = estimates.size()
                    + (int) ofMetrics.stream()
                            .filter(pair -> pair.obstacle() == null)
                            .count();
            // The theory of shared variances does not hold for medians.
            return new Look(
                    compared,
                    Simultaneous.level(options.alpha(), Math.max(1, compared), look, looks),
                    options.center() == Center.MEDIAN ? SharedVariance.NONE : SharedVariance.of(estimates));
        }

        /** The look for secondary metrics. They share no variance, because they and scores vary differently. */
        Look ofMetrics() {
            return new Look(compared, level, SharedVariance.NONE);
        }
    }

    /**
     * Reads the output of {@code compare --json}.
     *
     * @throws IOException if the file is missing or malformed; the message names file, place and what was expected
     */
    public static Comparison read(Path file) throws IOException {
        return JsonValue.read(file, "a comparison (compare --json)").as(Comparison.class);
    }

    public static Comparison refused(String baseline, String current, String why) {
        return new Comparison(baseline, current, null, List.of(), why, List.of());
    }

    /**
     * Compares two runs. Rows are matched by {@link BenchmarkRow#sortedKey}. The sides of one session are matched row
     * by row and fork by fork, because they may be different benchmarks.
     *
     * @throws IllegalArgumentException if machine, settings or forks differ without permission, rows cannot be matched
     *     one to one, or no row has a selected metric on both sides
     */
    public static Comparison of(ComparisonSide baseline, ComparisonSide current, ComparisonOptions options) {
        boolean paired = areOfOneSession(baseline, current);
        var rest = new ArrayList<ComparisonRow>();
        List<RowPair> pairs = paired ? byPlace(baseline, current, options) : byKey(baseline, current, options, rest);
        var differences = new ComparisonDifferences();
        differences.addMachines(baseline.record(), current.record());
        differences.addSystems(baseline.record(), current.record());
        pairs.forEach(pair -> differences.addRows(pair.baseline(), pair.current()));
        // A session runs on one machine, so a different vector width of one side is a finding, not an error.
        differences.requireOnly((paired ? options.allowing(Allowed.MACHINE) : options).allowed());
        BenchmarkSession session = paired ? current.session() : null;
        int looks = session == null ? 1 : Math.max(1, session.looks());
        List<RowPair> ofMetrics = ofMetrics(pairs, options.metrics());
        Look last = Look.of(pairs, ofMetrics, options, looks, looks);
        // Each row is judged at the look at which it ended, because the later forks of other rows would change the
        // verdict of a row that has stopped.
        var byLook = new HashMap<>(Map.of(looks, last));
        Function<RowPair, Look> lookOf = pair -> byLook.computeIfAbsent(pair.look(looks), look -> {
            int forks = 2 * look + 2;
            List<RowPair> then = byPlace(baseline.first(forks), current.first(forks), options);
            return Look.of(then, ofMetrics(then, options.metrics()), options, look, looks);
        });
        // A run that was cut has no verdict: judging it again after each continuation would raise the false-alarm rate.
        String cut = baseline.cut().isEmpty() ? current.cut() : baseline.cut();
        var rows = new ArrayList<ComparisonRow>();
        double bandwidth = Math.max(bandwidth(baseline.rows()), bandwidth(current.rows()));
        for (RowPair pair : pairs) {
            rows.add(row(pair, lookOf.apply(pair), options, cut)
                    .withNote(contention(pair, bandwidth))
                    .withNote(allocation(pair, options)));
        }
        ofMetrics.forEach(pair -> rows.add(row(pair, lookOf.apply(pair).ofMetrics(), options, cut)));
        rows.addAll(rest);
        int duets = (int) pairs.stream()
                .filter(pair -> pair.together().iterations() > 0)
                .flatMap(pair -> Stream.concat(Stream.of(pair), pair.ofMetrics(options.metrics())))
                .filter(pair -> last.compared == 0 || pair.obstacle() == null)
                .count();
        List<BenchmarkSession.Unmeasured> unmeasured = session == null ? List.of() : session.unmeasured();
        for (BenchmarkSession.Unmeasured each : unmeasured) {
            String key = each.benchmark() + BenchmarkRow.parameters(each.params());
            if (options.include().matcher(key).find()) {
                double margin = options.marginOf(key);
                rows.add(ComparisonRow.without(
                        each.benchmark(), "not measured", each.params(), each.verdict(), margin, 0, each.why(), null));
            }
        }
        return new Comparison(
                paired ? baseline.title() : baseline.name(),
                paired ? current.title() : current.name(),
                new Method(
                        options.center(),
                        options.alpha(),
                        last.compared,
                        last.level,
                        looks,
                        paired,
                        duets,
                        session != null && session.against().equals("itself"),
                        differences.haveOtherJvms() && !options.allowed().contains(Allowed.MACHINE),
                        last.shared.degreesOfFreedom()),
                differences.lines(),
                "",
                rows);
    }

    /**
     * Compares the two sides of one run.
     *
     * @throws IllegalArgumentException as in {@link #of}, or if the sides are from different runs
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

    private static List<RowPair> byPlace(ComparisonSide baseline, ComparisonSide current, ComparisonOptions options) {
        if (baseline.rows().size() != current.rows().size()) {
            throw new IllegalArgumentException(
                    baseline.name() + ": expected " + current.rows().size() + " rows, as many as " + current.name()
                            + " of the same session, got " + baseline.rows().size());
        }
        var pairs = new ArrayList<RowPair>();
        for (int i = 0; i < current.rows().size(); i++) {
            BenchmarkRow before = baseline.rows().get(i);
            BenchmarkRow now = current.rows().get(i);
            if (included(before, options) || included(now, options)) {
                boolean flops = RowPair.byFlops(before, now);
                String pinning = baseline.pinning(i).isEmpty() ? current.pinning(i) : baseline.pinning(i);
                DuetRatios together = DuetRatios.of(duets(current, i, flops), duets(baseline, i, flops));
                pairs.add(new RowPair(before, now, true, together, pinning));
            }
        }
        return pairs;
    }

    private static DuetRatios.Side duets(ComparisonSide side, int place, boolean flops) {
        BenchmarkRow row = side.rows().get(place);
        return new DuetRatios.Side(
                flops ? row.rates(RowPair.FLOPS) : row.speeds(), row.operationMicros(), side.runs(place));
    }

    private static List<RowPair> byKey(
            ComparisonSide baseline, ComparisonSide current, ComparisonOptions options, List<ComparisonRow> rest) {
        Map<String, BenchmarkRow> before = keyed(baseline, options);
        Map<String, BenchmarkRow> now = keyed(current, options);
        var pairs = new ArrayList<RowPair>();
        before.forEach((key, row) -> {
            BenchmarkRow counterpart = now.remove(key);
            if (counterpart == null) {
                rest.add(ComparisonRow.without(
                        row, Change.GONE, options.marginOf(row.key()), "only in " + baseline.name()));
            } else {
                pairs.add(new RowPair(row.inUnitOf(counterpart), counterpart, false, DuetRatios.NONE, ""));
            }
        });
        now.values()
                .forEach(row -> rest.add(ComparisonRow.without(
                        row, Change.NEW, options.marginOf(row.key()), "only in " + current.name())));
        return pairs;
    }

    private static Map<String, BenchmarkRow> keyed(ComparisonSide side, ComparisonOptions options) {
        var rows = new LinkedHashMap<String, BenchmarkRow>();
        for (BenchmarkRow row : side.rows()) {
            if (included(row, options) && rows.put(row.sortedKey(), row) != null) {
                throw new IllegalArgumentException(side.name() + ": expected each row once, got twice " + row.key());
            }
        }
        return rows;
    }

    private static boolean included(BenchmarkRow row, ComparisonOptions options) {
        return options.include().matcher(row.key()).find();
    }

    /**
     * The pairs of metrics that are compared in addition to scores.
     *
     * @throws IllegalArgumentException for a selected metric that no row has on both sides
     */
    private static List<RowPair> ofMetrics(List<RowPair> pairs, List<String> metrics) {
        for (String metric : metrics) {
            Refuse.when(
                    pairs.stream().noneMatch(pair -> pair.hasMetric(metric)),
                    "--metric",
                    "a secondary metric of both sides, as of -prof gc",
                    metric);
        }
        return pairs.stream().flatMap(pair -> pair.ofMetrics(metrics)).toList();
    }

    /** A note if allocation changed by more than the margin and 1 B/op; empty if allocation itself is compared. */
    private static String allocation(RowPair pair, ComparisonOptions options) {
        if (!pair.hasMetric(ALLOCATION) || options.metrics().contains(ALLOCATION)) {
            return "";
        }
        double before = pair.baseline().named(ALLOCATION).score();
        double now = pair.current().named(ALLOCATION).score();
        double difference = Math.abs(now - before);
        return difference > 1 && difference > options.marginOf(pair.current().key()) * before
                ? String.format(Locale.ROOT, "allocates %,.0f B/op, before %,.0f", now, before)
                : "";
    }

    private static ComparisonRow row(RowPair pair, Look look, ComparisonOptions options, String cut) {
        BenchmarkRow current = pair.current();
        double margin = options.marginOf(current.key());
        String obstacle = pair.obstacle();
        if (obstacle != null) {
            boolean histogram =
                    pair.baseline().samples().isEmpty() || current.samples().isEmpty();
            return ComparisonRow.without(
                    current, histogram ? Change.NOT_COMPARED : Change.INCONCLUSIVE, margin, obstacle);
        }
        int forks = pair.together().pairs().isEmpty()
                ? Math.min(pair.baseline().samples().size(), current.samples().size())
                : pair.together().pairs().size();
        double level = look.level;
        RatioEstimate estimate = look.shared.with(pair.estimate(options.center()));
        Change verdict = !cut.isEmpty()
                ? Change.INCONCLUSIVE
                : pair.together().isMostlyLeftOut()
                        ? Change.LEFT_OUT
                        : Change.of(estimate.interval(level), margin).or(estimate.interval(1 - options.alpha()));
        String note = note(pair, forks);
        return ComparisonRow.without(
                        current.benchmark(), current.mode(), current.params(), verdict, margin, forks, note, null)
                .with(estimate, level)
                .withNote(cut);
    }

    private static String note(RowPair pair, int forks) {
        var notes = new ArrayList<String>();
        if (!pair.baseline().key().equals(pair.current().key())) {
            notes.add("against " + pair.baseline().simpleClass() + "."
                    + pair.baseline().method() + (RowPair.byFlops(pair.baseline(), pair.current()) ? " in flops" : ""));
        }
        if (!pair.pinning().isEmpty()) {
            notes.add(pair.pinning());
        }
        if (forks == 1) {
            notes.add("one fork has no spread");
        }
        if (pair.together().leftOut() > 0) {
            notes.add(pair.together().leftOut() + " of " + pair.together().iterations()
                    + " iterations left out, which did not run together");
        }
        return String.join("; ", notes);
    }

    /** The memory bandwidth in GB/s that the benchmark {@code triad} measured on one thread; 0 if it did not run. */
    private static double bandwidth(List<BenchmarkRow> rows) {
        return rows.stream()
                .filter(row -> row.simpleClass().equals("MachineBenchmark")
                        && row.method().equals("triad")
                        && row.threads().equals("1"))
                .mapToDouble(row -> median(row.rates(BYTES)))
                .max()
                .orElse(0);
    }

    /** A note if a row moves so much memory that its two forks may have delayed each other. */
    private static String contention(RowPair pair, double bandwidth) {
        double moved = median(pair.current().rates(BYTES));
        return pair.together().pairs().isEmpty() || !(bandwidth > 0) || !(moved >= CONTENDED * bandwidth)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "moves %.0f GB/s, memory %.0f: both forks may have waited for it or for the last cache;"
                                + " --in-turn runs each fork by itself",
                        moved,
                        bandwidth);
    }

    private static double median(List<List<Double>> forks) {
        List<Double> values = forks.stream().flatMap(List::stream).toList();
        return values.isEmpty() ? 0 : Median.of(values);
    }

    Comparison map(UnaryOperator<ComparisonRow> change) {
        return new Comparison(
                baseline,
                current,
                method,
                differences,
                refused,
                rows.stream().map(change).toList());
    }

    public List<ComparisonRow> with(Change verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).toList();
    }

    /** The rows for which more forks may lead to a verdict. */
    public List<ComparisonRow> open() {
        return rows.stream().filter(row -> row.verdict().isOpen()).toList();
    }

    /** Whether rows are ratios within a run, as in a {@link RatioComparison}. */
    public boolean ofRatios() {
        return rows.stream().anyMatch(row -> row.within() != null);
    }

    /**
     * Whether no row is slower, but nothing was compared, a row is gone, left out or open, a ratio was not compared, or
     * the JVMs differ without permission.
     */
    public boolean inconclusive() {
        return with(Change.SLOWER).isEmpty()
                && (method == null
                        || method.compared() == 0
                        || method.otherJvms()
                        || (ofRatios() && !with(Change.NOT_COMPARED).isEmpty())
                        || !open().isEmpty()
                        || !with(Change.LEFT_OUT).isEmpty()
                        || !with(Change.GONE).isEmpty());
    }
}
