package org.lemmata.track;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.track.ComparisonOptions.Allowed;

/** What else than speed differs between two runs: each thing once, with the number of rows that it concerns. */
final class ComparisonDifferences {

    private record Difference(Allowed kind, String what, String baseline, String current) {}

    /** A difference of the machine concerns no row in particular: 0. */
    private final Map<Difference, Integer> rows = new LinkedHashMap<>();

    /** A machine that is not known differs from any, but for another such. */
    void addMachines(@Nullable RunRecord before, @Nullable RunRecord now) {
        if (before == null || now == null) {
            add(Allowed.MACHINE, "machine", cpu(before), cpu(now), 0);
            return;
        }
        add(Allowed.MACHINE, "cpu", before.machine().cpu(), now.machine().cpu(), 0);
        add(Allowed.MACHINE, "cores", before.machine().cores(), now.machine().cores(), 0);
        add(Allowed.MACHINE, "simd", before.machine().simd(), now.machine().simd(), 0);
        add(Allowed.MACHINE, "jdk", before.machine().jdk(), now.machine().jdk(), 0);
    }

    private static String cpu(@Nullable RunRecord record) {
        return record == null ? "unknown" : record.machine().cpu();
    }

    void addRows(BenchmarkRow baseline, BenchmarkRow current) {
        addSettings(baseline.settings(), current.settings());
        add(
                Allowed.SETTINGS,
                "measurement",
                baseline.settings().measurement(),
                current.settings().measurement(),
                1);
        if (!baseline.samples().isEmpty() && !current.samples().isEmpty()) {
            add(
                    Allowed.FORKS,
                    "forks",
                    baseline.samples().size(),
                    current.samples().size(),
                    1);
        }
    }

    /** Whether anything differs that ratios depend on: warm code is as fast in more, or in longer, iterations. */
    boolean addRatios(HistoryEntry baseline, RunRatio before, HistoryEntry current, RunRatio now) {
        boolean settings = addSettings(baseline.row().settings(), current.row().settings());
        return add(Allowed.SETTINGS, "row and reference", order(before), order(now), 1) || settings;
    }

    private static String order(RunRatio ratio) {
        return ratio.together() ? "at the same time" : "in turn";
    }

    private boolean addSettings(BenchmarkRow.RunOptions before, BenchmarkRow.RunOptions now) {
        boolean differ = add(Allowed.SETTINGS, "threads", before.threads(), now.threads(), 1);
        differ |= add(Allowed.SETTINGS, "warm-up", before.warmup(), now.warmup(), 1);
        differ |= add(Allowed.SETTINGS, "arguments of the JVM", joined(before.jvmArgs()), joined(now.jvmArgs()), 1);
        differ |= add(Allowed.SETTINGS, "JMH", before.jmhVersion(), now.jmhVersion(), 1);
        return differ;
    }

    private static String joined(List<String> arguments) {
        return arguments.isEmpty() ? "none" : String.join(" ", arguments);
    }

    /** Whether they differ. */
    private boolean add(Allowed kind, String what, Object baseline, Object current, int row) {
        boolean differ = !baseline.equals(current);
        if (differ) {
            rows.merge(new Difference(kind, what, baseline.toString(), current.toString()), row, Integer::sum);
        }
        return differ;
    }

    /** A line each: "cores: 2, now 4". */
    List<String> lines() {
        var lines = new ArrayList<String>();
        rows.forEach((difference, count) -> lines.add(line(difference, count)));
        return lines;
    }

    /** @throws IllegalArgumentException if there are others than those; names them all, and what allows each */
    void requireOnly(Set<Allowed> allowed) {
        String others = rows.entrySet().stream()
                .filter(entry -> !allowed.contains(entry.getKey().kind))
                .map(entry -> line(entry.getKey(), entry.getValue()) + " (--allow "
                        + entry.getKey().kind.name().toLowerCase(Locale.ROOT) + ")")
                .collect(Collectors.joining("; "));
        if (!others.isEmpty()) {
            throw new IllegalArgumentException(
                    "compare: expected runs of one machine, settings and forks, got " + others);
        }
    }

    private static String line(Difference difference, int count) {
        return difference.what + ": " + difference.baseline + ", now " + difference.current
                + (count == 0 ? "" : " in " + count + (count == 1 ? " row" : " rows"));
    }
}
