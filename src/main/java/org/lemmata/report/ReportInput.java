package org.lemmata.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;
import org.lemmata.track.RunRecord;

/**
 * What the page is made from; whatever is null is absent, and the page says so.
 *
 * @param claims the checked claims
 * @param benchmarks the measured benchmarks
 */
public record ReportInput(@Nullable Claims claims, @Nullable Benchmarks benchmarks) {

    /** Where the claims are looked for if no file is named. */
    public static final Path CLAIMS = Path.of("target", "claims.json");

    /** Where JMH's results are looked for if no file is named. */
    public static final Path BENCHMARKS = Path.of("jmh-results", "latest.json");

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
    }

    /**
     * Reads the files named; null stands for the usual place, where a file may be missing.
     *
     * @throws IOException if a file that was named is missing, or any file is malformed; the message says where
     */
    public static ReportInput read(@Nullable Path claims, @Nullable Path benchmarks) throws IOException {
        return new ReportInput(
                claims != null || Files.exists(CLAIMS) ? claims(claims == null ? CLAIMS : claims) : null,
                benchmarks != null || Files.exists(BENCHMARKS)
                        ? benchmarks(benchmarks == null ? BENCHMARKS : benchmarks)
                        : null);
    }

    private static Claims claims(Path file) throws IOException {
        return new Claims(file.toString(), ClaimResults.read(file));
    }

    private static Benchmarks benchmarks(Path file) throws IOException {
        Path record = RunRecord.beside(file);
        return new Benchmarks(
                file.toString(), JmhResults.read(file), Files.exists(record) ? RunRecord.read(record) : null);
    }
}
