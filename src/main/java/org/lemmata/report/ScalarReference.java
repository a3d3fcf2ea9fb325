package org.lemmata.report;

import java.util.List;
import java.util.Optional;
import org.lemmata.track.BenchmarkRow;

/** Which row a row on lanes is held against. */
final class ScalarReference {

    /** How the methods of rows on lanes begin. */
    static final String VECTOR = "vector";

    private static final String SCALAR = "scalar";

    private ScalarReference() {}

    /**
     * The reference of a row on lanes, {@code scalarBackward} of {@code vectorBackward}: at the same parameters, or, since
     * references run on the calling thread, at those but for one thread.
     */
    static Optional<BenchmarkRow> of(BenchmarkRow row, List<BenchmarkRow> rows) {
        if (!row.method().startsWith(VECTOR)) {
            return Optional.empty();
        }
        String scalar = SCALAR + row.method().substring(VECTOR.length());
        List<BenchmarkRow> references =
                rows.stream().filter(other -> other.method().equals(scalar)).toList();
        return references.stream()
                .filter(row::comparableWith)
                .findFirst()
                .or(() -> references.stream()
                        .filter(row.onOneThread()::comparableWith)
                        .findFirst());
    }
}
