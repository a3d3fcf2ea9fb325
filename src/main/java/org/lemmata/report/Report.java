package org.lemmata.report;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Outcome;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Sha256;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.PlotFile;
import org.lemmata.source.Paper;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/**
 * Writes claims, experiments and benchmarks as one HTML page, which can be opened from disk and loads no other files.
 */
public final class Report {

    private static final String PAGE = "index.html";

    /** The first properties in the table of environments; all others follow. */
    private static final List<String> PROPERTIES =
            List.of("commit", "time", "cpu", "cores", "memory", "os", "jdk", "simd", "flags", "governor");

    /** The properties in the head of the page, with their formats. */
    private static final List<Map.Entry<String, String>> SUMMARY = List.of(
            Map.entry("commit", "commit %.10s"),
            Map.entry("time", "%s"),
            Map.entry("cpu", "%s"),
            Map.entry("cores", "%s cores"),
            Map.entry("simd", "%s"),
            Map.entry("jdk", "JDK %s"));

    /** The characters that are escaped in texts; all attributes are in double quotes. */
    private static final String[][] MARKUP = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}};

    private Report() {}

    /** Writes {@code directory/index.html} atomically. */
    public static Path write(Path directory, ReportInput input) throws IOException {
        Path page = directory.resolve(PAGE);
        AtomicFile.write(page, html(input));
        return page;
    }

    /**
     * Writes each plot of the sweeps as SVG, and its points as CSV.
     *
     * @return the number of plots
     */
    public static int writePlots(Path directory, ReportInput input) throws IOException {
        int plots = 0;
        var names = new TreeSet<String>();
        for (ExperimentSection.Experiment experiment : ExperimentSection.of(input.cells())) {
            for (Lines lines : experiment.open() ? experiment.lines() : List.<Lines>of()) {
                String name = (experiment.title() + " " + lines.title())
                        .replaceFirst("^Sweep ", "")
                        .replaceAll("[^A-Za-z0-9.]+", "-");
                PlotFile.write(directory, names.add(name) ? name : name + "-" + plots, lines);
                plots++;
            }
        }
        return plots;
    }

    /** The HTML of the page; equal input gives equal text. */
    static String html(ReportInput input) throws IOException {
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withEscaper(Escapers.simple(MARKUP))
                .withFormatter(Report::text)
                .withLoader(name -> new StringReader(resource(name + ".html")))
                .compile(new StringReader(resource("page.html")))
                .execute(page(input));
    }

    /**
     * Formats a measured value (double, long or interval). Values of type int are counts of the page and are not
     * formatted.
     */
    private static String text(Object value) {
        return switch (value) {
            case Double number -> NumberText.of(number);
            case Long count -> NumberText.of(count);
            case Interval interval -> text(interval);
            default -> String.valueOf(value);
        };
    }

    private static String text(Interval interval) {
        if (Double.isNaN(interval.low()) || Double.isNaN(interval.high())) {
            return "none";
        }
        return interval.low() == interval.high() ? "exact" : NumberText.interval(interval.low(), interval.high());
    }

    private static Page page(ReportInput input) throws IOException {
        ReportInput.Claims claims = input.claims();
        ReportInput.Benchmarks benchmarks = input.benchmarks();
        var runs = new LinkedHashMap<String, Map<String, String>>();
        if (claims != null && !claims.results().isEmpty()) {
            runs.put("Claims", environment(claims.results()));
        }
        if (benchmarks != null && benchmarks.run() != null) {
            runs.put("Benchmarks", benchmarks.run().environment());
        }
        String css = '\n' + resource("page.css");
        String script = '\n' + resource("tables.js") + resource("plots.js") + resource("print.js");
        Tracking tracking = input.tracking();
        Page.Claims shown = claims == null ? null : Page.Claims.of(claims);
        return new Page(
                new Page.Head(
                        css,
                        script,
                        policy(css, script),
                        summary(runs),
                        input.isForeign(),
                        input.hasSweeps(),
                        input.hasSweeps() && claims == null && benchmarks == null && tracking.comparison() == null),
                shown,
                claims == null ? ReportInput.CLAIMS.toString() : claims.file(),
                ExperimentSection.of(input.cells()),
                Page.Changes.of(shown, tracking),
                ComparisonSection.of(tracking),
                ComparisonSection.noise(tracking.noise()),
                Page.Speed.of(benchmarks, tracking),
                new Page.Runs(List.copyOf(runs.keySet()), properties(runs)));
    }

    /**
     * The content security policy. It allows the page's own style and script (by their hashes), inline colours of
     * plots, and an empty icon. Nothing can be loaded from elsewhere.
     */
    private static String policy(String css, String script) {
        return "default-src 'none'; script-src '" + hash(script) + "'; style-src-elem '" + hash(css)
                + "'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String text) {
        byte[] digest = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    /**
     * The environment of the last run in a few words, for the head of the page; benchmarks take precedence over claims.
     */
    private static List<String> summary(SequencedMap<String, Map<String, String>> runs) {
        if (runs.isEmpty()) {
            return List.of();
        }
        Map<String, String> run = runs.lastEntry().getValue();
        return SUMMARY.stream()
                .filter(property -> run.containsKey(property.getKey()))
                .map(property -> String.format(Locale.ROOT, property.getValue(), run.get(property.getKey())))
                .toList();
    }

    /**
     * The environment of all claims. A property may have several values, because evidence may come from several
     * machines.
     */
    private static Map<String, String> environment(List<ClaimResult> results) {
        var values = new TreeMap<String, Set<String>>();
        results.forEach(result -> result.run()
                .environment()
                .forEach((name, value) ->
                        values.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(value)));
        var environment = new TreeMap<String, String>();
        values.forEach((name, distinct) -> environment.put(
                name,
                name.equals("time") && distinct.size() > 1
                        ? Collections.min(distinct) + " to " + Collections.max(distinct)
                        : String.join("; ", distinct)));
        return environment;
    }

    private static Map<String, List<String>> properties(Map<String, Map<String, String>> runs) {
        var properties = new LinkedHashMap<String, List<String>>();
        Stream.concat(PROPERTIES.stream(), runs.values().stream().flatMap(run -> run.keySet().stream()))
                .filter(name -> runs.values().stream().anyMatch(run -> run.containsKey(name)))
                .forEach(name -> properties.putIfAbsent(
                        name,
                        runs.values().stream()
                                .map(run -> run.getOrDefault(name, "not recorded"))
                                .toList()));
        return properties;
    }

    /** Reads a resource without its indentation, because a page repeats lines thousands of times. */
    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(Report.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\n +", "\n");
        }
    }

    /**
     * The data of page.html, in the order of the page. All texts are plain and escaped by the template, except CSS,
     * script, policy and SVG.
     *
     * @param claimsFile the file in which claims were looked for
     */
    record Page(
            Head head,
            @Nullable Claims claims,
            String claimsFile,
            List<ExperimentSection.Experiment> experiments,
            Changes changes,
            ComparisonSection.@Nullable Compared compared,
            Plot.@Nullable Group noise,
            Speed speed,
            Runs ran) {

        /**
         * The head of the page: style, script, content security policy, and the environment of the last run.
         *
         * @param foreign whether the benchmarks belong to another project
         * @param sweeps whether the page begins with sweeps
         * @param alone whether the page has only sweeps
         */
        record Head(
                String css,
                String script,
                String policy,
                List<String> summary,
                boolean foreign,
                boolean sweeps,
                boolean alone) {}

        /**
         * Changes: verdicts that differ from the pinned ones, and rows that are slower or faster than a baseline.
         *
         * @param same descriptions of what did not change, or was not compared
         */
        record Changes(List<Claim> verdicts, List<ComparisonSection.Row> rows, List<String> same) {

            static Changes of(@Nullable Claims claims, Tracking tracking) {
                List<Claim> pinned = (claims == null ? Stream.<PaperClaims>empty() : claims.papers.stream())
                        .flatMap(paper -> paper.claims.stream())
                        .filter(claim -> claim.result.pinned() != null)
                        .toList();
                List<Claim> verdicts = pinned.stream()
                        .filter(claim -> claim.result.isChanged())
                        .toList();
                var same = new ArrayList<String>();
                if (pinned.size() > verdicts.size()) {
                    same.add(pinned.size() - verdicts.size() + " verdicts are the pinned ones");
                }
                var rows = new ArrayList<ComparisonSection.Row>();
                Comparison comparison = tracking.comparison();
                if (comparison != null && !comparison.refused().isEmpty()) {
                    same.add("Benchmarks are not compared: " + comparison.refused());
                } else if (comparison != null) {
                    int others = 0;
                    for (ComparisonRow row : comparison.rows()) {
                        switch (row.verdict()) {
                            case SLOWER, FASTER, ACCEPTED ->
                                rows.add(new ComparisonSection.Row(row, Tracking.Profile.NONE));
                            case GONE, NEW, NOT_COMPARED -> others++;
                            default -> {}
                        }
                    }
                    same.add(comparison.rows().size() - rows.size() - others
                            + " rows are neither slower nor faster than in " + comparison.baseline()
                            + ", as far as the forks show");
                    if (others > 0) {
                        same.add("Rows that are not compared: " + others);
                    }
                }
                return new Changes(verdicts, rows, same);
            }
        }

        /**
         * The benchmark results of one run; the comparison with a baseline has its own section.
         *
         * @param benchmarksFile the file in which results were looked for
         */
        record Speed(
                Plot.@Nullable Group roofline,
                KernelSection.@Nullable Kernels kernels,
                List<Plot.Group> lengths,
                List<PeerRatios> peers,
                List<Plot.Group> precision,
                @Nullable BenchmarkSection benchmarks,
                String benchmarksFile) {

            static Speed of(ReportInput.@Nullable Benchmarks input, Tracking tracking) {
                if (input == null) {
                    String file = ReportInput.BENCHMARKS.toString();
                    return new Speed(null, null, List.of(), List.of(), List.of(), null, file);
                }
                List<BenchmarkRow> rows = input.rows();
                Optional<Plot.Group> roofline = new Roofline(rows).group();
                return new Speed(
                        roofline.map(group -> group.part(0, 1)).orElse(null),
                        KernelSection.of(input, tracking),
                        LengthSection.of(rows),
                        PeerRatios.of(rows),
                        PrecisionSection.of(input),
                        BenchmarkSection.of(
                                input,
                                roofline.map(group ->
                                                group.part(1, group.plots().size()))
                                        .filter(group -> !group.plots().isEmpty())),
                        input.file());
            }
        }

        /**
         * The environments of runs.
         *
         * @param properties for each property, its value in each run
         */
        record Runs(List<String> runs, Map<String, List<String>> properties) {}

        /** All claims: the number of claims per verdict, and the claims by paper. */
        record Claims(String file, List<Badge.Tally> tally, String change, boolean alarm, List<PaperClaims> papers) {

            static Claims of(ReportInput.Claims input) {
                List<ClaimResult> results = input.results();
                long alarms = results.stream().filter(ClaimResult::isChanged).count();
                List<Outcome> outcomes =
                        results.stream().map(ClaimResult::outcome).toList();
                List<Badge.Tally> tally = Arrays.stream(Outcome.values())
                        .map(outcome -> new Badge.Tally(Badge.of(outcome), Collections.frequency(outcomes, outcome)))
                        .toList();
                String change = alarms == 0
                        ? "No verdict differs from the pinned one."
                        : alarms + " of " + results.size() + (alarms == 1 ? " verdict is" : " verdicts are")
                                + " not the pinned one.";
                return new Claims(input.file(), tally, change, alarms > 0, papers(results));
            }

            private static List<PaperClaims> papers(List<ClaimResult> results) {
                var byKey = new LinkedHashMap<String, List<Claim>>();
                Paper.ALL.forEach(paper -> byKey.put(paper.key(), new ArrayList<>()));
                var anchors = new HashSet<String>();
                results.forEach(result -> byKey.computeIfAbsent(result.paperKey(), key -> new ArrayList<>())
                        .add(Claim.of(result, anchor(result.id(), anchors))));
                byKey.values().removeIf(List::isEmpty);
                return byKey.entrySet().stream()
                        .map(paper -> PaperClaims.of(paper.getKey(), paper.getValue()))
                        .toList();
            }

            private static String anchor(String id, Set<String> taken) {
                String base = "claim-" + id.replaceAll("[^A-Za-z0-9._-]", "-");
                String anchor = base;
                for (int i = 2; !taken.add(anchor); i++) {
                    anchor = base + "-" + i;
                }
                return anchor;
            }
        }

        record PaperClaims(String title, String citation, String notation, List<Claim> claims) {

            private static PaperClaims of(String key, List<Claim> claims) {
                return Paper.ALL.stream()
                        .filter(paper -> paper.key().equals(key))
                        .map(paper -> new PaperClaims(
                                paper.title(), paper.authors() + ", " + paper.year(), paper.notation(), claims))
                        .findFirst()
                        .orElseGet(() -> new PaperClaims(key, "", "", claims));
            }

            List<Claim> proved() {
                return claims.stream().filter(claim -> !claim.isOfModels()).toList();
            }

            List<Claim> trained() {
                return claims.stream().filter(Claim::isOfModels).toList();
            }

            List<Claim> pictured() {
                return claims.stream().filter(claim -> !claim.plots.isEmpty()).toList();
            }
        }

        record Claim(String anchor, ClaimResult result, Badge verdict, String reasonTitle, List<Plot> plots) {

            private static final int SEEDS_SHOWN = 8;

            private static Claim of(ClaimResult result, String anchor) {
                return new Claim(
                        anchor,
                        result,
                        Badge.of(result.outcome()),
                        reasonTitle(result.outcome()),
                        result.figures().stream()
                                .map(figure -> Lines.of(figure).plot(figure.caption()))
                                .toList());
            }

            private static String reasonTitle(Outcome outcome) {
                return switch (outcome) {
                    case SUPPORTED -> "What held";
                    case REFUTED -> "The counterexample";
                    case INCONCLUSIVE -> "What is missing";
                    case NOT_LEARNED -> "What was not learned";
                    case NOT_TESTED -> "Why it is not tested";
                };
            }

            boolean isOfModels() {
                return !result.trivial().isEmpty() || result.verdict().reason().startsWith(NotTested.RUN.label());
            }

            boolean isReasonOpen() {
                return result.isChanged() || result.outcome() != Outcome.SUPPORTED;
            }

            /** The size; empty if the range also names it, as it does for figures of a reduced size. */
            String size() {
                String size = result.tested().size();
                return result.tested().range().contains("; " + size) ? "" : size;
            }

            String time() {
                return NumberText.seconds(result.run().seconds());
            }

            String seeds() {
                return result.run().seeds().isEmpty() ? "none: nothing was drawn" : seeds(0, SEEDS_SHOWN);
            }

            String moreSeeds() {
                return seeds(SEEDS_SHOWN, Integer.MAX_VALUE);
            }

            private String seeds(int from, int to) {
                return result.run().seeds().stream()
                        .skip(from)
                        .limit(to)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
            }
        }
    }
}
