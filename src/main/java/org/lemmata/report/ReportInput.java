package org.lemmata.report;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.CellRecord;
import org.lemmata.track.RunRecord;

/**
 * What the page is made from; whatever is null is absent, and the page says so.
 *
 * @param claims the checked claims
 * @param benchmarks the measured benchmarks
 * @param cells of sweeps and of the evidence
 * @param tracking what earlier runs say of the benchmarks
 */
public record ReportInput(
        @Nullable Claims claims, @Nullable Benchmarks benchmarks, List<Cells> cells, Tracking tracking) {

    /** Where the claims are looked for if no file is named. */
    public static final Path CLAIMS = Path.of("target", "claims.json");

    /** Where JMH's results are looked for if no file is named. */
    public static final Path BENCHMARKS = Path.of("jmh-results", "latest.json");

    public ReportInput {
        cells = List.copyOf(cells);
    }

    /** Whether it shows other people's benchmarks alone: nothing is said then of what only ours have. */
    public boolean isForeign() {
        return claims == null && cells.isEmpty() && benchmarks != null && benchmarks.areForeign();
    }

    /** The content of a file of claims, and the file's name as the page shows it. */
    public record Claims(String file, List<ClaimResult> results) {
        public Claims {
            results = List.copyOf(results);
        }
    }

    /** The content of JMH's file, the file's name, and the run record beside it, if there is one. */
    public record Benchmarks(
            String file, List<BenchmarkRow> rows, @Nullable RunRecord run) {
        public Benchmarks {
            rows = List.copyOf(rows);
        }

        /** Whether they are other people's. */
        boolean areForeign() {
            return !rows.isEmpty()
                    && rows.stream().noneMatch(row -> row.benchmark().startsWith("org.lemmata."));
        }
    }

    /**
     * The cells of a file.
     *
     * @param name what they are called on the page
     * @param file as the page shows it
     * @param open whether their plots are seen at once
     */
    public record Cells(String name, String file, List<CellRecord> records, boolean open) {
        public Cells {
            records = List.copyOf(records);
        }
    }
}
