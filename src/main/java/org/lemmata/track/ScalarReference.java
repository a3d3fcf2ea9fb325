package org.lemmata.track;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which of some rows a row on lanes is compared with. */
public final class ScalarReference {

    /** How the methods of rows on lanes begin. */
    public static final String VECTOR = "vector";

    private static final String SCALAR = "scalar";

    private final Map<List<Object>, BenchmarkRow> references = new HashMap<>();

    /** Of rows of one file; of equal ones, the first counts. */
    public ScalarReference(List<BenchmarkRow> rows) {
        for (BenchmarkRow row : rows) {
            if (row.method().startsWith(SCALAR)) {
                references.putIfAbsent(key(row, row.method()), row);
            }
        }
    }

    /** What a row and its reference have in common: they measure one thing at one size. */
    private static List<Object> key(BenchmarkRow row, String method) {
        return List.of(row.benchmarkClass(), method, row.mode(), row.unit(), Map.copyOf(row.params()));
    }

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
    public Optional<BenchmarkRow> of(BenchmarkRow row) {
        if (!row.method().startsWith(VECTOR)) {
            return Optional.empty();
        }
        String scalar = SCALAR + row.method().substring(VECTOR.length());
        return Optional.ofNullable(references.get(key(row, scalar)))
                .or(() -> Optional.ofNullable(references.get(key(row.onOneThread(), scalar))));
    }
}
