package org.lemmata.track;

import java.util.List;
import java.util.Optional;

/** Which row a row on lanes is held against. */
public final class ScalarReference {

    /** How the methods of rows on lanes begin. */
    public static final String VECTOR = "vector";

    private static final String SCALAR = "scalar";

    private ScalarReference() {}

    /**
     * The qualified name of the method that is the reference of another: {@code X.scalarBackward} of
     * {@code X.vectorBackward}.
     */
    public static Optional<String> of(String benchmark) {
        int method = benchmark.lastIndexOf('.') + 1;
        return benchmark.startsWith(VECTOR, method)
                ? Optional.of(benchmark.substring(0, method) + SCALAR + benchmark.substring(method + VECTOR.length()))
                : Optional.empty();
    }

    /**
     * The reference of a row on lanes, {@code scalarBackward} of {@code vectorBackward}: at the same parameters, or,
     * since references run on the calling thread, at those but for one thread.
     */
    public static Optional<BenchmarkRow> of(BenchmarkRow row, List<BenchmarkRow> rows) {
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
