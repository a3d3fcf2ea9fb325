package org.lemmata.track;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.SharedVariance;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ComparisonRow.Verdict;

/**
 * The {@linkplain PortableRatio portable ratios} of a run beside those of a baseline, perhaps from another machine.
 *
 * @param baseline where the baseline lies; empty if there is none
 * @param refused why nothing was compared; empty if something was
 * @param differences what else differs between the machines, a line each
 * @param sameProcessor whether both ran on one model of processor
 * @param margin up to 1 + margin times as slow, or as fast, counts as the same
 * @param level of each interval, so that all of them hold together at 95%
 * @param sharedFreedom what the {@linkplain SharedVariance variance that the current ratios share} counts for at most,
 *     in degrees of freedom; 0 where each stands alone
 * @param rows the ratios of either side, those of the current one first
 */
public record PortableComparison(
        String baseline,
        String refused,
        List<String> differences,
        boolean sameProcessor,
        double margin,
        double level,
        double sharedFreedom,
        List<Row> rows) {

    /** On the same model of processor: a regression lies below 1 / 1.15 of the baseline's ratio. */
    public static final double NARROW_MARGIN = 0.15;

    /**
     * On another model of the same vector width: a regression lies below half of the baseline's ratio. Ports, caches
     * and clocks under wide vectors move these ratios by tens of percent.
     */
    public static final double WIDE_MARGIN = 1;

    private static final double ALPHA = 0.05;

    /**
     * A ratio of both sides.
     *
     * @param row what is measured: of the current run, or, where that lacks it, of the baseline's
     * @param over what it is held against in the same run: "scalar"
     * @param change the current ratio over the baseline's; NaN where it was not compared
     * @param interval of the change
     * @param current the ratio in the current run; NaN where it has none
     * @param baseline that in the baseline; NaN where it has none
     * @param forks a side that a verdict would take, of an inconclusive one
     * @param reason why it was not compared; empty if it was
     */
    public record Row(
            BenchmarkRow row,
            String over,
            Verdict verdict,
            double change,
            Interval interval,
            double current,
            double baseline,
            OptionalInt forks,
            String reason) {

        /** "org.lemmata.X.vector columns=1024 (thrpt) over scalar". */
        public String name() {
            return row.key() + " over " + over;
        }
    }

    public PortableComparison {
        differences = List.copyOf(differences);
        rows = List.copyOf(rows);
    }

    /** Nothing to compare with, and why. */
    public static PortableComparison refused(String reason) {
        return new PortableComparison("", reason, List.of(), false, WIDE_MARGIN, 1 - ALPHA, 0, List.of());
    }

    /**
     * Compares the ratios that both runs have; forks and iterations may differ, other settings may not.
     *
     * @param name where the baseline lies
     */
    public static PortableComparison of(
            String name,
            List<BenchmarkRow> current,
            RunRecord record,
            List<BenchmarkRow> baseline,
            RunRecord baselineRecord) {
        MachineIdentity machine = record.machine();
        MachineIdentity other = baselineRecord.machine();
        boolean same = machine.cpu().equals(other.cpu());
        double margin = same ? NARROW_MARGIN : WIDE_MARGIN;
        String vectors = PortableBaseline.vectors(machine);
        if (vectors.isEmpty() || !vectors.equals(PortableBaseline.vectors(other))) {
            String refused = "vectors: expected those of the baseline, " + other.simd() + ", got " + machine.simd();
            return refused(refused);
        }
        List<String> differences = differences(machine, other);
        Map<String, PortableRatio> ratios = byName(current, record);
        Map<String, PortableRatio> others = byName(baseline, baselineRecord);
        int comparisons = (int) ratios.values().stream()
                .filter(ratio -> obstacle(ratio, others.get(ratio.name())).isEmpty())
                .count();
        double level = Simultaneous.level(ALPHA, Math.max(1, comparisons));
        SharedVariance shared = shared(ratios);
        SharedVariance otherShared = shared(others);
        var rows = new ArrayList<Row>();
        for (PortableRatio ratio : ratios.values()) {
            rows.add(row(ratio, shared, others.get(ratio.name()), otherShared, margin, level));
        }
        others.values().stream()
                .filter(ratio -> !ratios.containsKey(ratio.name()))
                .map(ratio -> notCompared(ratio, Double.NaN, ratio.estimate().ratio(), "only in the baseline"))
                .forEach(rows::add);
        String refused =
                comparisons > 0 ? "" : "ratios: expected some that both runs have under equal settings, got none";
        return new PortableComparison(name, refused, differences, same, margin, level, shared.degreesOfFreedom(), rows);
    }

    /** That of one run: the two may have been made on machines of unlike noise. */
    private static SharedVariance shared(Map<String, PortableRatio> ratios) {
        return SharedVariance.of(
                ratios.values().stream().map(PortableRatio::estimate).toList());
    }

    private static List<String> differences(MachineIdentity machine, MachineIdentity other) {
        var differences = new ArrayList<String>();
        difference(differences, "processor", other.cpu(), machine.cpu());
        difference(differences, "cores", Integer.toString(other.cores()), Integer.toString(machine.cores()));
        difference(differences, "JDK", other.jdk(), machine.jdk());
        return differences;
    }

    private static void difference(List<String> differences, String what, String baseline, String current) {
        if (!baseline.equals(current)) {
            differences.add(what + ": " + baseline + " in the baseline, " + current + " now");
        }
    }

    private static Map<String, PortableRatio> byName(List<BenchmarkRow> rows, RunRecord record) {
        var ratios = new LinkedHashMap<String, PortableRatio>();
        PortableRatio.of(rows, record.session()).forEach(ratio -> ratios.put(ratio.name(), ratio));
        return ratios;
    }

    /** Why the sides do not compare; empty if they do. */
    private static String obstacle(PortableRatio current, @Nullable PortableRatio baseline) {
        if (baseline == null) {
            return "not in the baseline";
        }
        if (current.isDuet() != baseline.isDuet()) {
            return "row and reference ran " + (baseline.isDuet() ? "at the same time" : "in turn")
                    + " in the baseline, and not so in this run";
        }
        String settings = settings(current.row(), baseline.row());
        return !settings.isEmpty() ? settings : settings(current.reference(), baseline.reference());
    }

    /** But for how long is measured, since warm code is as fast in more iterations or in longer ones. */
    private static String settings(BenchmarkRow currentRow, BenchmarkRow baselineRow) {
        BenchmarkRow.Settings current = currentRow.settings();
        BenchmarkRow.Settings baseline = baselineRow.settings();
        var reasons = new ArrayList<String>();
        differs(reasons, "threads", baseline.threads(), current.threads());
        differs(reasons, "warm-up", baseline.warmup(), current.warmup());
        differs(reasons, "JVM arguments", baseline.jvmArgs(), current.jvmArgs());
        differs(reasons, "JMH", baseline.jmhVersion(), current.jmhVersion());
        return String.join("; ", reasons);
    }

    private static void differs(List<String> reasons, String what, Object baseline, Object current) {
        if (!baseline.equals(current)) {
            reasons.add(what + ": expected " + baseline + ", got " + current);
        }
    }

    private static Row row(
            PortableRatio current,
            SharedVariance shared,
            @Nullable PortableRatio baseline,
            SharedVariance baselineShared,
            double margin,
            double level) {
        RatioEstimate ratio = shared.with(current.estimate());
        String obstacle = obstacle(current, baseline);
        if (!obstacle.isEmpty()) {
            double other = baseline == null ? Double.NaN : baseline.estimate().ratio();
            return notCompared(current, ratio.ratio(), other, obstacle);
        }
        RatioEstimate other =
                baselineShared.with(Objects.requireNonNull(baseline).estimate());
        RatioEstimate change = ratio.over(other);
        Interval interval = change.interval(level);
        Verdict verdict = Verdict.of(interval, margin);
        OptionalInt forks = verdict == Verdict.INCONCLUSIVE
                ? change.forksFor(margin, level, Math.min(current.forks(), baseline.forks()))
                : OptionalInt.empty();
        return new Row(
                current.row(),
                current.over(),
                verdict,
                change.ratio(),
                interval,
                ratio.ratio(),
                other.ratio(),
                forks,
                "");
    }

    private static Row notCompared(PortableRatio ratio, double current, double baseline, String reason) {
        return new Row(
                ratio.row(),
                ratio.over(),
                Verdict.NOT_COMPARED,
                Double.NaN,
                new Interval(Double.NaN, Double.NaN),
                current,
                baseline,
                OptionalInt.empty(),
                reason);
    }

    /** Whether any ratio fell. */
    public boolean regression() {
        return has(Verdict.SLOWER);
    }

    /** Whether every ratio has a verdict. */
    public boolean conclusive() {
        return refused.isEmpty() && !has(Verdict.INCONCLUSIVE) && !has(Verdict.NOT_COMPARED);
    }

    private boolean has(Verdict verdict) {
        return rows.stream().anyMatch(row -> row.verdict == verdict);
    }
}
