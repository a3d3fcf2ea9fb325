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
 * @param name the name in messages
 * @param record the run record; null if the file has none
 */
public record ComparisonSide(
        String name, List<BenchmarkRow> rows, @Nullable RunRecord record) {

    private static final double DISTURBED = 0.5;

    /**
     * Reads JMH results, and the run record next to them if it exists.
     *
     * @throws IOException if the results are missing, or either file is malformed
     */
    public static ComparisonSide read(String name, Path results) throws IOException {
        Path record = RunRecord.beside(results);
        return new ComparisonSide(name, JmhResults.read(results), Files.exists(record) ? RunRecord.read(record) : null);
    }

    /** This side with only the first {@code forks} forks of each row. Scores still include all forks. */
    ComparisonSide first(int forks) {
        return new ComparisonSide(
                name, rows.stream().map(row -> row.first(forks)).toList(), record);
    }

    /** The title of this side in its run, or the name if the record has no title. */
    String title() {
        BenchmarkSession session = session();
        return session == null || session.title().isEmpty() ? name : session.title();
    }

    /** The circumstances of the forks of a row; empty if unknown. */
    List<ForkRun> runs(int place) {
        BenchmarkSession session = session();
        return session == null ? List.of() : session.runs(rows, place);
    }

    /**
     * Why pinning to one core disturbs the row at index {@code place}: the row starts threads, or is less than half as
     * fast in duets as alone. Empty if neither was found.
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
                // The time in which another program had the core is excluded, because pinning does not cause it.
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

    /** Why the run was ended early, so that it has no verdicts; empty if it is complete. */
    String cut() {
        BenchmarkSession session = session();
        return session == null ? "" : session.cut();
    }

    @Nullable
    BenchmarkSession session() {
        return record == null ? null : record.session();
    }
}
