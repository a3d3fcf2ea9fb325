package org.lemmata.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
        @Nullable Group noise,
        KernelSection.@Nullable Kernels kernels,
        List<Group> lengths,
        List<PeerSection.Comparison> peers,
        @Nullable Precision precision,
        @Nullable Benchmarks benchmarks,
        String benchmarksFile) {

    /** A column of the table of what ran where. */
    record RunColumn(String name) {}

    /** A row of it: a property with its value in each column. */
    record RunRow(String property, List<String> values) {}

    /** All claims: the tally, the list, the evidence by paper. */
    record Claims(String file, int count, List<Tally> tally, String change, boolean alarm, List<Paper> papers) {}

    /** How many claims had a verdict. */
    record Tally(String verdict, String style, String mark, int count) {}

    record Paper(String title, String citation, List<Claim> claims) {}

    /**
     * One claim.
     *
     * @param pinned the verdict that is pinned, or ""
     * @param alarm whether the verdict is a change that somebody has to look at
     */
    record Claim(
            String anchor,
            Said said,
            Badge verdict,
            String pinned,
            boolean alarm,
            List<Measured> measured,
            Tested tested,
            Reason reason,
            List<Plot> plots) {}

    /** What is claimed, and what the paper says of it. */
    record Said(String id, String statement, String source, String form, String paper) {}

    /** A verdict with its CSS class and its sign. */
    record Badge(String name, String style, String mark) {}

    /** Where and how a claim was tested. */
    record Tested(
            String range,
            String size,
            String budget,
            String precision,
            String trivial,
            String seeds,
            String moreSeeds,
            String time) {}

    record Reason(String title, String text, boolean open) {}

    record Measured(String name, String value, String unit, String interval, String n, String paper) {}

    /** A plot in both widths, with its numbers; one that is as narrow as a telephone has the one width. */
    record Plot(String title, String caption, String wideSvg, String narrowSvg, List<Key> legend, Table data) {}

    /** What a mark stands for, and the mark. */
    record Key(String name, String svg) {}

    /** A table of numbers; every row has as many cells as there are columns. */
    record Table(List<String> columns, List<Row> rows, CsvFile csv) {

        /** Of a plot whose numbers stand elsewhere. */
        static final Table NONE = new Table(List.of(), List.of(), new CsvFile("", ""));
    }

    /** The same numbers with all their digits: the name and the address of a download. */
    record CsvFile(String name, String uri) {

        static CsvFile of(String title, List<String> columns, List<? extends List<?>> rows) {
            String name =
                    title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
            return new CsvFile((name.isEmpty() ? "numbers" : name) + ".csv", CsvText.uri(CsvText.of(columns, rows)));
        }
    }

    record Row(List<String> cells) {}

    /** All benchmarks: the plots over several classes, then one table a class. */
    record Benchmarks(String file, int count, List<Group> groups, List<BenchmarkClass> classes) {}

    /** Attention under rounding: what was measured, and what was not. */
    record Precision(List<Group> groups, List<Missing> missing) {}

    /** What was not measured, and the command that does. */
    record Missing(String what, String command) {

        /** A line breaks between them alone: within, it would break behind a hyphen. */
        List<String> words() {
            return List.of(command.split(" ", -1));
        }
    }

    /** Plots that belong side by side, with the legend that they share. */
    record Group(String title, String caption, List<Plot> plots, List<Key> legend, Table data) {}

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
