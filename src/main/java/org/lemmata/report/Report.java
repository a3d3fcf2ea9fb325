package org.lemmata.report;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.lemmata.claim.ClaimResult;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Sha256;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.PlotFile;
import org.lemmata.statistic.Interval;

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
                NoiseSection.of(tracking.noise()),
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
}
