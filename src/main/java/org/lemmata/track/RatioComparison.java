package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.SharedVariance;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.ComparisonRow.Within;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.History.RunRatio;

/**
 * Compares the {@linkplain RunRatio ratios} of a run with two baselines. One is stored for the vector width of the run,
 * perhaps from another machine; the other is the last run of another commit on this machine.
 */
public final class RatioComparison {

    /** On the same processor model, a ratio is a regression if its interval lies below 1 / 1.15 of the baseline's. */
    private static final double NARROW_MARGIN = 0.15;

    /**
     * On another model with the same vector width, a ratio is a regression if its interval lies below half of the
     * baseline's. Ports, caches and clock rates with wide vectors change ratios by tens of percent.
     */
    private static final double WIDE_MARGIN = 1;

    private static final double ALPHA = 0.05;

    private static final int ALL = Integer.MAX_VALUE;

    /** Finds the vector width in "SIMD, 512-bit species (16 lanes)". */
    private static final Pattern BITS = Pattern.compile("(\\d+)[- ]bits?\\b");

    /** The end of a SIMD description with 32 vector registers, if most machines with this width have only 16. */
    private static final String REGISTERS = ", 32 registers";

    /** Matches a hash; its group is the first eight digits. */
    private static final Pattern COMMIT = Pattern.compile("^(\\w{8})\\w+");

    /** A ratio of a run with its estimate. The variance of the estimate also depends on the other ratios of the run. */
    private record Measured(HistoryEntry entry, RunRatio ratio, RatioEstimate estimate) {

        String key() {
            HistoryEntry.Row row = entry.row();
            return String.join(" ", row.benchmark(), row.mode(), ratio.over()) + BenchmarkRow.parameters(row.params());
        }
    }

    /** A ratio of the current run, and a ratio of a baseline with equal settings. */
    private record Pair(Measured now, Measured before, String beside, double margin) {}

    private final SequencedMap<String, Measured> run;
    private final ComparisonDifferences differences = new ComparisonDifferences();
    private final List<Pair> pairs = new ArrayList<>();
    private final List<ComparisonRow> rest = new ArrayList<>();

    private RatioComparison(SequencedMap<String, Measured> run) {
        this.run = run;
    }

    /**
     * Compares the ratios of a run.
     *
     * @param portable the directory of the stored baselines, {@code jmh-results/portable}
     * @param history the file of the {@link History}; may be missing
     * @return the comparison; if there is no baseline, it is refused with the reason
     * @throws IOException if an existing file cannot be read
     */
    public static Comparison of(ComparisonSide current, Path portable, Path history) throws IOException {
        RunRecord record = current.record();
        if (record == null) {
            return Comparison.refused("a baseline", current.name(), "run record: expected one next to the results");
        }
        BenchmarkSession session = record.session();
        // With two sides, the looks of the session belong to the comparison of the sides.
        int looks = session == null || !session.against().isEmpty() ? 1 : Math.max(1, session.looks());
        var comparison = new RatioComparison(measured(HistoryEntry.ofRun(current.rows(), record), looks));
        var names = new ArrayList<String>();
        var lines = new ArrayList<String>();
        String vectors = vectors(record.machine());
        Path file = portable.resolve("simd-" + vectors + ".json");
        if (vectors.isEmpty()) {
            lines.add("vectors: expected those of a baseline, got "
                    + record.machine().simd());
        } else if (!Files.exists(file)) {
            lines.add("portable baseline: expected " + file + ", got none; " + portable.resolve("README.md")
                    + " explains how to make one");
        } else {
            names.add(file.toString());
            comparison.addStored(record, ComparisonSide.read(file.toString(), file), file);
        }
        if (comparison.addEarlier(Files.exists(history) ? History.read(history) : List.of(), record)) {
            names.add("the last run on this machine");
        } else {
            lines.add("no earlier run on this machine; recorded now");
        }
        lines.addAll(0, comparison.differences.lines());
        return names.isEmpty()
                ? Comparison.refused("a baseline", current.name(), String.join("; ", lines))
                : comparison.result(String.join(" and ", names), current, lines, looks);
    }

    /** The vectors that a run used: "512", "256" or "256-32-registers"; empty if it used none. */
    static String vectors(MachineIdentity machine) {
        Matcher bits = BITS.matcher(machine.simd());
        return bits.find() ? bits.group(1) + (machine.simd().endsWith(REGISTERS) ? "-32-registers" : "") : "";
    }

    /**
     * The ratios by key. If several ratios have the same key, the last counts.
     *
     * @param looks the looks of a run that may stop rows early, otherwise 1. A ratio shares the variance of the look at
     *     which it stopped, because ratios that continue would change its verdict
     */
    private static SequencedMap<String, Measured> measured(List<HistoryEntry> entries, int looks) {
        var byKey = new LinkedHashMap<String, Measured>();
        for (HistoryEntry entry : entries) {
            for (RunRatio ratio : entry.ratios()) {
                var measured = new Measured(entry, ratio, ratio.estimate(ALL));
                byKey.put(measured.key(), measured);
            }
        }
        var byForks = new HashMap<Integer, SharedVariance>();
        byKey.replaceAll((key, each) -> {
            int forks = looks == 1 ? ALL : each.ratio.pairs().size();
            SharedVariance shared = byForks.computeIfAbsent(forks, some -> shared(byKey, some));
            return new Measured(each.entry, each.ratio, shared.with(each.estimate));
        });
        return byKey;
    }

    private static SharedVariance shared(SequencedMap<String, Measured> ratios, int forks) {
        return SharedVariance.of(
                ratios.values().stream().map(each -> each.ratio.estimate(forks)).toList());
    }

    private void addStored(RunRecord current, ComparisonSide stored, Path file) throws IOException {
        RunRecord record = stored.record();
        if (record == null) {
            throw new MalformedFileException(file, "", "expected a run record next to it, got none");
        }
        differences.addMachines(record, current);
        double margin = record.machine().cpu().equals(current.machine().cpu()) ? NARROW_MARGIN : WIDE_MARGIN;
        String beside = String.valueOf(file.getFileName());
        SequencedMap<String, Measured> before = measured(HistoryEntry.ofRun(stored.rows(), record), 1);
        run.forEach((key, now) -> {
            Measured match = before.remove(key);
            if (match == null) {
                var within = new Within(now.ratio.over(), beside, Double.NaN, now.estimate.ratio());
                rest.add(without(now, Change.NEW, margin, within, "not in " + beside));
            } else if (differences.addRatios(match.entry, match.ratio, now.entry, now.ratio)) {
                rest.add(without(now, Change.NOT_COMPARED, margin, within(match, now, beside), "other settings"));
            } else {
                pairs.add(new Pair(now, match, beside, margin));
            }
        });
        before.values().forEach(gone -> {
            var within = new Within(gone.ratio.over(), beside, gone.estimate.ratio(), Double.NaN);
            rest.add(without(gone, Change.GONE, margin, within, "only in " + beside));
        });
    }

    /**
     * Pairs each ratio with the newest ratio of another commit if both have equal settings. Returns whether there are
     * such pairs.
     */
    private boolean addEarlier(List<HistoryEntry> history, RunRecord record) {
        HistoryEntry.Machine machine = HistoryEntry.Machine.of(record);
        SequencedMap<String, Measured> before = measured(
                history.stream()
                        .filter(entry -> entry.row().machine().equals(machine)
                                && !entry.commit().equals(record.commit())
                                && entry.time().isBefore(record.time()))
                        // A resumed run is appended late, with the time of its first fork.
                        .sorted(Comparator.comparing(HistoryEntry::time))
                        .toList(),
                1);
        int others = pairs.size();
        run.forEach((key, now) -> {
            Measured match = before.get(key);
            if (match != null
                    && !new ComparisonDifferences().addRatios(match.entry, match.ratio, now.entry, now.ratio)) {
                String commit = COMMIT.matcher(match.entry.commit()).replaceFirst("$1");
                pairs.add(new Pair(now, match, commit + " here", NARROW_MARGIN));
            }
        });
        return pairs.size() > others;
    }

    private Comparison result(String baseline, ComparisonSide current, List<String> lines, int looks) {
        var rows = new ArrayList<ComparisonRow>();
        pairs.forEach(pair -> rows.add(row(pair, level(pair.now.ratio.pairs().size(), looks), current.cut())));
        rows.addAll(rest);
        int duets =
                (int) pairs.stream().filter(pair -> pair.now.ratio.together()).count();
        double freedom = shared(run, ALL).degreesOfFreedom();
        var method = new Comparison.Method(
                Center.MEAN_OF_MEDIANS,
                ALPHA,
                pairs.size(),
                level(looks + 1, looks),
                looks,
                false,
                duets,
                false,
                false,
                freedom);
        return new Comparison(baseline, current.name(), method, lines, "", rows);
    }

    /** The level of the look after this number of forks. The first look follows the second fork. */
    private double level(int forks, int looks) {
        return Simultaneous.level(ALPHA, Math.max(1, pairs.size()), Math.clamp(forks - 1, 1, looks), looks);
    }

    private static ComparisonRow row(Pair pair, double level, String cut) {
        RatioEstimate change = pair.now.estimate.over(pair.before.estimate);
        Change verdict = cut.isEmpty() ? Change.of(change.interval(level), pair.margin) : Change.INCONCLUSIVE;
        int forks = Math.min(
                pair.now.ratio.pairs().size(), pair.before.ratio.pairs().size());
        return row(pair.now, verdict, pair.margin, forks, within(pair.before, pair.now, pair.beside), cut)
                .with(change, level);
    }

    private static Within within(Measured before, Measured now, String beside) {
        return new Within(now.ratio.over(), beside, before.estimate.ratio(), now.estimate.ratio());
    }

    private static ComparisonRow without(Measured measured, Change verdict, double margin, Within within, String note) {
        return row(measured, verdict, margin, measured.ratio.pairs().size(), within, note);
    }

    private static ComparisonRow row(
            Measured measured, Change verdict, double margin, int forks, Within within, String note) {
        HistoryEntry.Row row = measured.entry.row();
        return ComparisonRow.without(row.benchmark(), row.mode(), row.params(), verdict, margin, forks, note, within);
    }
}
