package org.lemmata.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.Plot;

/** What page.html shows, in its order; every text is plain and is escaped by the template, except css and svg. */
record Page(
        String css,
        String script,
        String policy,
        List<String> summary,
        List<RunColumn> runs,
        List<RunRow> runRows,
        @Nullable Claims claims,
        String claimsFile,
        GeneralizationSection.@Nullable Generalization generalization,
        List<ExperimentSection.Experiment> experiments,
        ComparisonSection.@Nullable Compared compared,
        PortableSection.@Nullable Portable portable,
        Plot.@Nullable Group noise,
        KernelSection.@Nullable Kernels kernels,
        List<Plot.Group> lengths,
        List<PeerSection.Comparison> peers,
        @Nullable Precision precision,
        @Nullable Benchmarks benchmarks,
        String benchmarksFile) {

    /** A column of the table of what ran where. */
    record RunColumn(String name) {}

    /** A row of it: a property with its value in each column. */
    record RunRow(String property, List<String> values) {}

    /** All claims: the tally, the list, the evidence by paper. */
    record Claims(
            String file, int count, List<Tally> tally, String expectation, boolean surprising, List<Paper> papers) {}

    /** How many claims had a verdict. */
    record Tally(String verdict, String style, String mark, int count) {}

    record Paper(String title, String citation, List<Claim> claims) {}

    /** One claim; {@code style} is the verdict's CSS class, {@code mark} its sign. */
    record Claim(
            String anchor,
            String id,
            String source,
            String statement,
            String form,
            String verdict,
            String style,
            String mark,
            String expected,
            boolean surprising,
            List<Measured> measured,
            String range,
            String budget,
            String precision,
            String seeds,
            String moreSeeds,
            String time,
            String reasonTitle,
            String reason,
            boolean reasonOpen,
            List<Plot> plots) {}

    record Measured(String name, String value, String unit, String interval, String n, String paper) {}

    /** All benchmarks: the plots over several classes, then one table a class. */
    record Benchmarks(String file, int count, List<Plot.Group> groups, List<BenchmarkClass> classes) {}

    /** Attention under rounding: what was measured, and what was not. */
    record Precision(List<Plot.Group> groups, List<Missing> missing) {}

    /** What was not measured, and the command that does. */
    record Missing(String what, String command) {

        /** A line breaks between them alone: within, it would break behind a hyphen. */
        List<String> words() {
            return List.of(command.split(" ", -1));
        }
    }

    record BenchmarkClass(
            String name,
            String packageName,
            List<String> params,
            List<String> counters,
            boolean compared,
            boolean roofed,
            List<Benchmark> rows) {}

    record Benchmark(
            List<String> params,
            String method,
            String score,
            String unit,
            String forks,
            List<String> counters,
            String ratio,
            String ratioRange,
            String share) {}
}
