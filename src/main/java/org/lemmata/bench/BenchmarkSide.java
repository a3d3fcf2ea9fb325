package org.lemmata.bench;

import java.util.List;
import org.lemmata.track.BenchmarkSession;

/**
 * One side of a run.
 *
 * @param name "A", or "B" for what it is compared with
 * @param cells of both sides, the same number: cell i of one runs beside cell i of the other
 * @param lacking of the second side: selected benchmarks that it does not have
 */
public record BenchmarkSide(
        String name, BenchmarkJar jar, List<BenchmarkCell> cells, List<BenchmarkSession.Unmeasured> lacking) {

    public BenchmarkSide {
        cells = List.copyOf(cells);
        lacking = List.copyOf(lacking);
    }

    /** A side that has every benchmark. */
    public BenchmarkSide(String name, BenchmarkJar jar, List<BenchmarkCell> cells) {
        this(name, jar, cells, List.of());
    }

    /** The same with other options of its cells. */
    BenchmarkSide with(List<BenchmarkCell> others) {
        return new BenchmarkSide(name, jar, others, lacking);
    }
}
