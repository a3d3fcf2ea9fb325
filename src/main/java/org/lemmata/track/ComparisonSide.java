package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Nullable
    BenchmarkSession session() {
        return record == null ? null : record.session();
    }
}
