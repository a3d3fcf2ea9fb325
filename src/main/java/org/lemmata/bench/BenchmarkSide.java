package org.lemmata.bench;

import java.util.List;

/**
 * One side of a run.
 *
 * @param name "A", or "B" for what it is compared with
 * @param cells of both sides, the same number: cell i of one runs beside cell i of the other
 */
public record BenchmarkSide(String name, BenchmarkJar jar, List<BenchmarkCell> cells) {

    public BenchmarkSide {
        cells = List.copyOf(cells);
    }
}
