package org.lemmata.track;

import static org.lemmata.track.BenchmarkRow.RunOptions.NOT_RECORDED;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.History.RunRatio;

/** The differences between two runs other than speed, each with the number of rows that it affects. */
final class ComparisonDifferences {

    private static final String JVM = "JVM";
    private static final int LONGEST_TEXT = 120;

    /** @param kind the permission that the difference needs; null if it is only reported */
    private record Difference(@Nullable Allowed kind, String what, String baseline, String current) {}

    /** The number of affected rows; 0 for a difference between machines. */
    private final Map<Difference, Integer> rows = new LinkedHashMap<>();

    private final Set<String> unrecorded = new LinkedHashSet<>();

    /** Adds differences between the machines. An unknown machine differs from every known machine. */
    void addMachines(@Nullable RunRecord before, @Nullable RunRecord now) {
        if (before == null || now == null) {
            add(Allowed.MACHINE, "machine", cpu(before), cpu(now), 0);
            return;
        }
        MachineIdentity old = before.machine();
        MachineIdentity machine = now.machine();
        add(Allowed.MACHINE, "cpu", old.cpu(), machine.cpu(), 0);
        add(Allowed.MACHINE, "cores", old.cores(), machine.cores(), 0);
        add(Allowed.MACHINE, "simd", old.simd(), machine.simd(), 0);
        add(Allowed.MACHINE, "jdk", old.jdk(), machine.jdk(), 0);
    }

    /** Adds different operating systems, which need no permission because systems are updated every week. */
    void addSystems(@Nullable RunRecord before, @Nullable RunRecord now) {
        if (before != null && now != null) {
            add(null, "operating system", before.machine().os(), now.machine().os(), 0);
        }
    }

    private static String cpu(@Nullable RunRecord record) {
        return record == null ? "unknown" : record.machine().cpu();
    }

    void addRows(BenchmarkRow baseline, BenchmarkRow current) {
        BenchmarkRow.RunOptions before = baseline.settings();
        BenchmarkRow.RunOptions now = current.settings();
        addSettings(before, now);
        if (!baseline.jvm().isEmpty() || !current.jvm().isEmpty()) {
            add(null, JVM, jvm(baseline), jvm(current), 1);
        }
        add(Allowed.SETTINGS, "measurement", before.measurement(), now.measurement(), 1);
        int forks = baseline.samples().size();
        int forksNow = current.samples().size();
        if (forks > 0 && forksNow > 0) {
            add(Allowed.FORKS, "forks", forks, forksNow, 1);
        }
    }

    /**
     * Adds differences that affect ratios; returns whether there are any. Numbers of measured iterations may differ.
     */
    boolean addRatios(HistoryEntry baseline, RunRatio before, HistoryEntry current, RunRatio now) {
        boolean settings = addSettings(baseline.row().settings(), current.row().settings());
        return add(Allowed.SETTINGS, "row and reference", order(before), order(now), 1) || settings;
    }

    private static String order(RunRatio ratio) {
        return ratio.together() ? "at the same time" : "in turn";
    }

    private boolean addSettings(BenchmarkRow.RunOptions before, BenchmarkRow.RunOptions now) {
        boolean differ = add(Allowed.SETTINGS, "threads", threads(before), threads(now), 1);
        differ |= add(Allowed.SETTINGS, "warm-up", before.warmup(), now.warmup(), 1);
        differ |= add(
                Allowed.JVM_ARGUMENTS,
                "JVM arguments",
                without(before.jvmArgs(), now.jvmArgs()),
                without(now.jvmArgs(), before.jvmArgs()),
                1);
        differ |= add(Allowed.SETTINGS, "JMH", before.jmhVersion(), now.jmhVersion(), 1);
        return differ;
    }

    private static String jvm(BenchmarkRow row) {
        return row.jvm().isEmpty() ? NOT_RECORDED : row.jvm();
    }

    private static String threads(BenchmarkRow.RunOptions settings) {
        return settings.threads() == 0 ? NOT_RECORDED : Integer.toString(settings.threads());
    }

    /** The arguments that are not in {@code others}; all arguments if only the order differs. */
    private static String without(List<String> arguments, List<String> others) {
        boolean reordered = Set.copyOf(arguments).equals(Set.copyOf(others));
        String line = arguments.stream()
                .filter(argument -> reordered || !others.contains(argument))
                .collect(Collectors.joining(" "));
        return line.isEmpty() ? "none" : line;
    }

    /**
     * Adds a difference if two values differ; returns whether both were recorded and differ. If only one was recorded,
     * the difference is reported but needs no permission.
     */
    private boolean add(@Nullable Allowed kind, String what, Object baseline, Object current, int row) {
        boolean unknown = baseline.equals(NOT_RECORDED) || current.equals(NOT_RECORDED);
        boolean differ = !baseline.equals(current);
        if (differ) {
            rows.merge(
                    new Difference(unknown ? null : kind, what, baseline.toString(), current.toString()),
                    row,
                    Integer::sum);
        } else if (unknown) {
            unrecorded.add(what);
        }
        return differ && !unknown;
    }

    boolean haveOtherJvms() {
        return rows.keySet().stream()
                .anyMatch(difference -> difference.what.equals(JVM)
                        && !difference.baseline.equals(NOT_RECORDED)
                        && !difference.current.equals(NOT_RECORDED));
    }

    /** One line per difference, such as "cores: 2, now 4". */
    List<String> lines() {
        var lines = new ArrayList<String>();
        rows.forEach((difference, count) -> lines.add(line(difference, count)));
        if (!unrecorded.isEmpty()) {
            lines.add(NOT_RECORDED + ": " + String.join(", ", unrecorded));
        }
        return lines;
    }

    /** @throws IllegalArgumentException if a difference is not allowed; the message names the options that allow it */
    void requireOnly(Set<Allowed> allowed) {
        var refused = new ArrayList<String>();
        rows.forEach((difference, count) -> {
            Allowed kind = difference.kind;
            if (kind != null && !allowed.contains(kind)) {
                refused.add(line(difference, count) + " (--allow " + kind.word() + ")");
            }
        });
        String others = String.join("; ", refused);
        Refuse.when(!others.isEmpty(), "compare", "runs of one machine, settings and forks", others);
    }

    private static String line(Difference difference, int count) {
        return difference.what + ": " + shortened(difference.baseline) + ", now " + shortened(difference.current)
                + (count == 0 ? "" : " in " + count + (count == 1 ? " row" : " rows"));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
