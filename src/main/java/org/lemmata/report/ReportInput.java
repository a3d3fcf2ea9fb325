package org.lemmata.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureGrid;
import org.lemmata.file.FileTree;
import org.lemmata.file.MalformedFileException;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.Evidence;
import org.lemmata.track.History;
import org.lemmata.track.JmhResults;
import org.lemmata.track.ProfileDirectory;
import org.lemmata.track.RatioComparison;
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

    /**
     * The input files of a page. Null means the default file, which may be missing.
     *
     * @param claims output of {@code verify --json}
     * @param benchmarks results of JMH
     * @param sweeps directories of sweeps
     * @param evidence the evidence of the papers; null to omit it
     * @param comparison output of {@code compare --json}
     */
    public record ReportFiles(
            @Nullable Path claims,
            @Nullable Path benchmarks,
            List<Path> sweeps,
            @Nullable Evidence evidence,
            @Nullable Path comparison) {

        private static final Path COMPARISON = Path.of("target", "comparison.json");

        private static final Path PORTABLE = Path.of("jmh-results", "portable");

        private static final Path NOISE = Path.of("jmh-results", "noise");

        private static final Path HISTORY = Path.of("jmh-results", "history.jsonl");

        private static final String AGAINST = ".against.json";

        private static final String RESULTS = "results.jsonl";

        /**
         * Reads all files.
         *
         * @param page the directory of the page; links are relative to it
         * @throws IOException if a named file is missing, or any file is malformed; the message names the place
         */
        public ReportInput read(Path page) throws IOException {
            // If a sweep is named, claims and benchmarks are included only if they are named too.
            boolean isUsual = benchmarks == null && sweeps.isEmpty() && Files.exists(ReportInput.BENCHMARKS);
            Path results = isUsual ? ReportInput.BENCHMARKS : benchmarks;
            ReportInput.Benchmarks measured = results == null ? null : benchmarks(results);
            // Claims are about this project. If the benchmarks belong to another project, claims are included only if
            // they
            // are named.
            boolean others = !sweeps.isEmpty() || (measured != null && measured.areForeign());
            Path verdicts = claims == null && !others && Files.exists(ReportInput.CLAIMS) ? ReportInput.CLAIMS : claims;
            return new ReportInput(
                    verdicts == null ? null : new ReportInput.Claims(verdicts.toString(), ClaimResults.read(verdicts)),
                    measured,
                    cells(),
                    new Tracking(compared(measured), noise(), trends(measured), profiles(measured, page)));
        }

        /**
         * The named comparison. Otherwise, for the default benchmarks, the last comparison if it is recent enough, or
         * else, for this project, a comparison of the ratios within the run. Otherwise null.
         */
        private @Nullable Comparison compared(ReportInput.@Nullable Benchmarks measured) throws IOException {
            if (comparison != null) {
                return Comparison.read(comparison);
            }
            if (benchmarks != null || measured == null) {
                return null;
            }
            if (isOfUsualBenchmarks()) {
                return Comparison.read(COMPARISON);
            }
            return measured.areForeign()
                    ? null
                    : RatioComparison.of(
                            new ComparisonSide(measured.file(), measured.rows(), measured.run()), PORTABLE, HISTORY);
        }

        /** Whether a comparison exists that is not older than the default benchmarks. */
        private static boolean isOfUsualBenchmarks() throws IOException {
            return Files.exists(COMPARISON)
                    && Files.getLastModifiedTime(COMPARISON)
                                    .compareTo(Files.getLastModifiedTime(ReportInput.BENCHMARKS))
                            >= 0;
        }

        /** The runs of {@code bench --aa}; empty if benchmarks or sweeps are named. */
        private SequencedMap<String, Comparison> noise() throws IOException {
            var runs = new LinkedHashMap<String, Comparison>();
            if (benchmarks != null || !sweeps.isEmpty() || !Files.isDirectory(NOISE)) {
                return runs;
            }
            try (Stream<Path> files = Files.list(NOISE)) {
                // Each run has a second file, for its second side.
                for (Path against : files.sorted()
                        .filter(file -> file.toString().endsWith(AGAINST))
                        .toList()) {
                    String name = against.getFileName().toString().replace(AGAINST, "");
                    runs.put(
                            name.replace('-', ' '),
                            Comparison.ofSides(
                                    ComparisonSide.read(name + AGAINST, against),
                                    ComparisonSide.read(name, against.resolveSibling(name + ".json")),
                                    ComparisonOptions.DEFAULT));
                }
            }
            return runs;
        }

        /** The trends over the history; empty unless the benchmarks are the default ones. */
        private Map<String, List<Tracking.Run>> trends(ReportInput.@Nullable Benchmarks measured) throws IOException {
            if (benchmarks != null || measured == null || measured.run() == null || !Files.exists(HISTORY)) {
                return Map.of();
            }
            return Tracking.trends(History.read(HISTORY), measured.rows(), measured.run());
        }

        private static Map<String, Tracking.Profile> profiles(ReportInput.@Nullable Benchmarks measured, Path page) {
            var profiles = new HashMap<String, Tracking.Profile>();
            for (BenchmarkRow row : measured == null ? List.<BenchmarkRow>of() : measured.rows()) {
                Path directory = ProfileDirectory.of(ProfileDirectory.ROOT, row.benchmark(), row.mode(), row.params());
                if (Files.isDirectory(directory)) {
                    profiles.put(
                            row.sortedKey(),
                            new Tracking.Profile(
                                    link(page, directory.resolve(ProfileDirectory.FLAME_GRAPH)),
                                    link(page, directory.resolve(ProfileDirectory.TEXT))));
                }
            }
            return profiles;
        }

        private static String link(Path page, Path file) {
            if (!Files.exists(file)) {
                return "";
            }
            Path link = page.toAbsolutePath().normalize().relativize(file.toAbsolutePath());
            return link.toString().replace(File.separatorChar, '/');
        }

        private static ReportInput.Benchmarks benchmarks(Path file) throws IOException {
            Path record = RunRecord.beside(file);
            return new ReportInput.Benchmarks(
                    file.toString(), JmhResults.read(file), Files.exists(record) ? RunRecord.read(record) : null);
        }

        /** All cells; the cells of named sweeps come first. */
        private List<ReportInput.Cells> cells() throws IOException {
            var cells = new ArrayList<ReportInput.Cells>();
            for (Path sweep : sweeps) {
                Path file = sweep.resolve(RESULTS);
                if (!Files.exists(file)) {
                    throw new MalformedFileException(
                            file,
                            "",
                            "no such file; expected the directory of a sweep (sweep --out), with its results");
                }
                Path name = sweep.normalize().toAbsolutePath().getFileName();
                cells.add(new ReportInput.Cells(
                        "Sweep " + (name == null ? sweep : name), file.toString(), CellRecord.readAll(file), true));
            }
            if (evidence != null) {
                for (String paper : org.lemmata.claim.Claims.papers()) {
                    addEvidence(cells, evidence, paper);
                }
            }
            return cells;
        }

        /**
         * Adds the cells of each figure separately, because figures have different axes. The remaining cells follow.
         */
        private static void addEvidence(List<ReportInput.Cells> cells, Evidence evidence, String paper)
                throws IOException {
            var left = new LinkedHashMap<>(evidence.read(paper));
            if (left.isEmpty()) {
                // Without cells, the grids are not read, because this takes a second.
                return;
            }
            for (FigureGrid grid : org.lemmata.claim.Claims.grids(paper)) {
                for (Budget sizes : grid.sizes().reversed()) {
                    List<CellRecord> records = FigureCells.of(grid, sizes, left).records();
                    records.forEach(record -> left.remove(record.cell()));
                    addEvidence(cells, grid.id() + ", " + sizes.label() + " sizes", evidence.file(paper), records);
                }
            }
            addEvidence(cells, paper, evidence.file(paper), List.copyOf(left.values()));
        }

        private static void addEvidence(
                List<ReportInput.Cells> cells, String name, Path file, List<CellRecord> records) {
            if (!records.isEmpty()) {
                cells.add(new ReportInput.Cells(
                        "Evidence for " + name, FileTree.shown(file).toString(), records, false));
            }
        }
    }
}
