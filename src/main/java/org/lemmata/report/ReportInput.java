package org.lemmata.report;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.CellRecord;
import org.lemmata.track.RunRecord;

/**
 * The input of the page. For a null component, the page reports that the data are missing.
 *
 * @param claims the results of claims
 * @param benchmarks the results of benchmarks
 * @param cells the cells of sweeps and of the evidence
 * @param tracking data about the benchmarks from earlier runs
 */
public record ReportInput(
        @Nullable Claims claims, @Nullable Benchmarks benchmarks, List<Cells> cells, Tracking tracking) {

    public static final Path CLAIMS = Path.of("target", "claims.json");

    public static final Path BENCHMARKS = Path.of("jmh-results", "latest.json");

    /** Whether the page has only benchmarks of another project; it then omits parts that only this project has. */
    public boolean isForeign() {
        return claims == null && cells.isEmpty() && benchmarks != null && benchmarks.areForeign();
    }

    boolean hasSweeps() {
        return cells.stream().anyMatch(Cells::open);
    }

    /** The content of a file of claims, and the displayed name of the file. */
    public record Claims(String file, List<ClaimResult> results) {}

    /**
     * The content of JMH's file, the displayed name of the file, and the run record in the file's directory, if there
     * is one.
     */
    public record Benchmarks(
            String file, List<BenchmarkRow> rows, @Nullable RunRecord run) {
        boolean areForeign() {
            return !rows.isEmpty()
                    && rows.stream().noneMatch(row -> row.benchmark().startsWith("org.lemmata."));
        }
    }

    /**
     * The cells of a file.
     *
     * @param name the name of the cells on the page
     * @param file the displayed name of the file
     */
    public record Cells(String name, String file, List<CellRecord> records, boolean open) {}
}
