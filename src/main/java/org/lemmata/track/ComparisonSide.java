package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of the two runs of a comparison.
 *
 * @param name for people
 * @param rows in the order of the file
 * @param record null of a file without one
 */
public record ComparisonSide(
        String name, List<BenchmarkRow> rows, @Nullable RunRecord record) {

    private static final double DISTURBED = 0.5;

    public ComparisonSide {
        rows = List.copyOf(rows);
    }

    /**
     * Reads results of JMH and the record beside them, if there is one.
     *
     * @throws IOException if the results are missing, or either file is malformed
     */
    public static ComparisonSide read(String name, Path results) throws IOException {
        Path record = RunRecord.beside(results);
        return new ComparisonSide(name, JmhResults.read(results), Files.exists(record) ? RunRecord.read(record) : null);
    }

    /** What it is called in a comparison with the other side of its run; its name, if the record does not say. */
    String title() {
        BenchmarkSession session = session();
        return session == null || session.title().isEmpty() ? name : session.title();
    }

    /** The circumstances of the forks of the row at a place; empty if they are not known. */
    List<ForkRun> runs(int place) {
        BenchmarkSession session = session();
        return session == null ? List.of() : session.runs(rows, place);
    }

    /**
     * Why the score of a row on one core would not be, or is not, that of the row alone: it has threads of its own, or
     * it is less than half as fast as a fork alone was. Empty if neither is known.
     */
    String pinning(int place) {
        BenchmarkSession session = session();
        BenchmarkRow row = rows.get(place);
        BenchmarkSession.Trial trial = session == null ? null : session.trials().get(row.cell());
        List<List<Double>> forks = row.speeds();
        List<ForkRun> runs = runs(place);
        var speeds = new ArrayList<Double>();
        for (int i = 0; i < forks.size(); i++) {
            List<ForkRun.Span> spans = i < runs.size() ? runs.get(i).iterations() : List.of();
            for (int j = 0; j < forks.get(i).size(); j++) {
                // Another program beside it on its core is none of pinning's.
                speeds.add(
                        forks.get(i).get(j) / (j < spans.size() ? spans.get(j).share() : 1));
            }
        }
        if (trial == null || speeds.isEmpty()) {
            return "";
        }
        if (trial.hasThreads()) {
            return "in turn: its other threads have " + trial.percent() + " of the processor time";
        }
        double factor = DuetRatios.fastest(speeds) / (row.higherIsFaster() ? trial.score() : 1 / trial.score());
        return factor >= DISTURBED
                ? ""
                : String.format(
                        Locale.ROOT,
                        "disturbed by pinning: %.3g times as fast in duets as alone, less than 0.5; --in-turn measures"
                                + " it",
                        factor);
    }

    /** Why no verdict can be had of this run; empty if it is whole, or its record does not say. */
    String cut() {
        BenchmarkSession session = session();
        return session == null ? "" : session.cut();
    }

    @Nullable
    BenchmarkSession session() {
        return record == null ? null : record.session();
    }
}
