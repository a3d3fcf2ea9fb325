package org.lemmata.bench;

import java.util.List;
import org.lemmata.track.BenchmarkSession;

/**
 * One side of a run.
 *
 * @param name "A", or "B" for the side that A is compared with
 * @param cells the cells; cell i of one side is compared with cell i of the other
 * @param lacking on the second side, the selected benchmarks that the side does not have
 */
public record BenchmarkSide(
        String name, BenchmarkJar jar, List<BenchmarkCell> cells, List<BenchmarkSession.Unmeasured> lacking) {

    public BenchmarkSide(String name, BenchmarkJar jar, List<BenchmarkCell> cells) {
        this(name, jar, cells, List.of());
    }

    BenchmarkSide with(List<BenchmarkCell> others) {
        return new BenchmarkSide(name, jar, others, lacking);
    }
}
