package org.lemmata.claim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.lemmata.kernel.Kernels;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

/** The evidence of the checkout and the results of figures, read and judged once for all tests. */
final class RecordedFigures {

    private static final Map<String, Map<String, CellRecord>> EVIDENCE = new ConcurrentHashMap<>();

    private static final Map<FigureGrid, FigureCells> CELLS = new ConcurrentHashMap<>();

    private static final Map<String, ClaimResult> RESULTS = new ConcurrentHashMap<>();

    private RecordedFigures() {}

    static Map<String, CellRecord> evidence(String paper) {
        return EVIDENCE.computeIfAbsent(paper, key -> {
            try {
                return Evidence.ofCheckout().read(key);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    static FigureCells cells(FigureGrid grid) {
        return CELLS.computeIfAbsent(grid, key -> {
            try {
                return FigureCells.of(key, Budget.QUICK, evidence(key.paper()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    static ClaimResult judge(FigureClaim claim) {
        return RESULTS.computeIfAbsent(
                claim.id(),
                id -> ClaimResult.of(
                        claim,
                        Budget.QUICK,
                        Computation.unrounded(Kernels.scalar()),
                        Map.of(),
                        cells(claim.grid()),
                        "not complete"));
    }
}
