package org.lemmata.track;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the scalar row with which a vector row is compared. */
public final class ScalarReference {

    public static final String VECTOR = "vector";

    private static final String SCALAR = "scalar";

    private final Map<List<Object>, BenchmarkRow> references = new HashMap<>();

    /** The references in one file. If several references have the same key, the first counts. */
    public ScalarReference(List<BenchmarkRow> rows) {
        for (BenchmarkRow row : rows) {
            if (row.method().startsWith(SCALAR)) {
                references.putIfAbsent(key(row, row.benchmark()), row);
            }
        }
    }

    /** The name {@code benchmark} of a reference, and the properties that it shares with a row. */
    private static List<Object> key(BenchmarkRow row, String benchmark) {
        return List.of(benchmark, row.mode(), row.unit(), Map.copyOf(row.params()));
    }

    /** The qualified name of a method's reference, such as {@code X.scalarBackward} for {@code X.vectorBackward}. */
    public static Optional<String> of(String benchmark) {
        int method = benchmark.lastIndexOf('.') + 1;
        return benchmark.startsWith(VECTOR, method)
                ? Optional.of(benchmark.substring(0, method) + SCALAR + benchmark.substring(method + VECTOR.length()))
                : Optional.empty();
    }

    /**
     * The reference of a vector row. It has the same parameters, or the same except that {@code threads} is 1, because
     * references run on the calling thread.
     */
    public Optional<BenchmarkRow> of(BenchmarkRow row) {
        return of(row.benchmark())
                .flatMap(scalar -> Optional.ofNullable(references.get(key(row, scalar)))
                        .or(() -> Optional.ofNullable(references.get(key(row.onOneThread(), scalar)))));
    }
}
