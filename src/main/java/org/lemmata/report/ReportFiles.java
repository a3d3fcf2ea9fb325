package org.lemmata.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResults;
import org.lemmata.file.MalformedFileException;
import org.lemmata.source.Paper;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecords;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonResults;
import org.lemmata.track.Evidence;
import org.lemmata.track.JmhResults;
import org.lemmata.track.RunRecord;

/**
 * The files that a page is made from; null stands for the usual place, where a file may be missing.
 *
 * @param claims what {@code verify --json} wrote
 * @param benchmarks JMH's results
 * @param sweeps directories of sweeps
 * @param evidence of the papers; null for none
 * @param comparison what {@code compare --json} wrote
 */
public record ReportFiles(
        @Nullable Path claims,
        @Nullable Path benchmarks,
        List<Path> sweeps,
        @Nullable Evidence evidence,
        @Nullable Path comparison) {

    /** Where the main job leaves the comparison. */
    private static final Path COMPARISON = Path.of("target", "comparison.json");

    private static final String RESULTS = "results.jsonl";

    public ReportFiles {
        sweeps = List.copyOf(sweeps);
    }

    /** Of claims and benchmarks alone. */
    public ReportFiles(@Nullable Path claims, @Nullable Path benchmarks) {
        this(claims, benchmarks, List.of(), null);
    }

    /** Without a comparison of its own. */
    public ReportFiles(
            @Nullable Path claims, @Nullable Path benchmarks, List<Path> sweeps, @Nullable Evidence evidence) {
        this(claims, benchmarks, sweeps, evidence, null);
    }

    /**
     * Reads them all.
     *
     * @throws IOException if a file that was named is missing, or any file is malformed; the message says where
     */
    public ReportInput read() throws IOException {
        return new ReportInput(
                claims != null || Files.exists(ReportInput.CLAIMS)
                        ? claims(claims == null ? ReportInput.CLAIMS : claims)
                        : null,
                benchmarks != null || Files.exists(ReportInput.BENCHMARKS)
                        ? benchmarks(benchmarks == null ? ReportInput.BENCHMARKS : benchmarks)
                        : null,
                cells(),
                tracking());
    }

    /** Without being named, a comparison is that of the usual benchmarks, and of no others. */
    private Tracking tracking() throws IOException {
        if (comparison == null && (benchmarks != null || !Files.exists(COMPARISON))) {
            return Tracking.NONE;
        }
        Comparison read = ComparisonResults.read(comparison == null ? COMPARISON : comparison);
        return new Tracking(Tracking.Comparison.of(read), Map.of(), Map.of());
    }

    private static ReportInput.Claims claims(Path file) throws IOException {
        return new ReportInput.Claims(file.toString(), ClaimResults.read(file));
    }

    private static ReportInput.Benchmarks benchmarks(Path file) throws IOException {
        Path record = RunRecord.beside(file);
        return new ReportInput.Benchmarks(
                file.toString(), JmhResults.read(file), Files.exists(record) ? RunRecord.read(record) : null);
    }

    /** Sweeps first: who names one wants to see it. */
    private List<ReportInput.Cells> cells() throws IOException {
        var cells = new ArrayList<ReportInput.Cells>();
        for (Path sweep : sweeps) {
            Path file = sweep.resolve(RESULTS);
            if (!Files.exists(file)) {
                throw new MalformedFileException(
                        file, "", "no such file; expected the directory of a sweep (sweep --out), with its results");
            }
            Path name = sweep.normalize().toAbsolutePath().getFileName();
            cells.add(new ReportInput.Cells(
                    "Sweep " + (name == null ? sweep : name), file.toString(), CellRecords.read(file), true));
        }
        if (evidence != null) {
            for (Paper paper : Paper.values()) {
                List<CellRecord> records = List.copyOf(evidence.read(paper.key()).values());
                if (!records.isEmpty()) {
                    cells.add(new ReportInput.Cells(
                            "Evidence for " + paper.key(), shown(evidence.file(paper.key())), records, false));
                }
            }
        }
        return cells;
    }

    /** From here, where that is shorter. */
    private static String shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return (file.toAbsolutePath().startsWith(here) ? here.relativize(file.toAbsolutePath()) : file).toString();
    }
}
