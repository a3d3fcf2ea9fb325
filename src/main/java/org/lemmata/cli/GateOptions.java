package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.track.AcceptedRegressions;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonRow.Change;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of commands that compare: margins, metrics, and the verdicts that fail a build. */
final class GateOptions {

    private static final String MARGIN = "--margin";

    private static final List<String> NAMES = List.of(MARGIN, "--metric", "--fail-on", "--accept");

    private static final Map<String, Change> KINDS =
            Map.of("probably", Change.PROBABLY_SLOWER, "left-out", Change.LEFT_OUT);

    @Option(
            names = MARGIN,
            paramLabel = "[REGEX=]MARGIN",
            description = "The change that still counts as the same (default: 2%%). With REGEX=, only for rows that "
                    + "match. You can repeat this option; the last match counts.")
    private List<String> margins = List.of();

    @Option(
            names = "--metric",
            paramLabel = "NAME",
            description = "Also compare a secondary metric, such as gc.alloc.rate.norm (with -prof gc), which has "
                    + "almost no noise. You can repeat this option.")
    private List<String> metrics = List.of();

    @Option(
            names = "--fail-on",
            split = ",",
            paramLabel = "WHAT",
            description = "Also exit with 1 if a benchmark is `probably` slower, or if most of its iterations are "
                    + "`left-out`.")
    private List<String> kinds = List.of();

    @Option(
            names = "--accept",
            paramLabel = "FILE",
            description = "A file of accepted slow-downs, one per line: 2026-12-31  NAME (MODE)  # WHY.")
    private @Nullable Path accepted;

    /**
     * {@code options} with these margins and metrics.
     *
     * @throws IllegalArgumentException if a margin is malformed or a metric has no name
     */
    ComparisonOptions in(ComparisonOptions options) {
        Refuse.when(
                metrics.stream().anyMatch(String::isBlank), "--metric", "the name of a secondary metric", "nothing");
        double margin = options.margin();
        var ofRows = new ArrayList<ComparisonOptions.Margin>();
        for (String text : margins) {
            int equals = text.lastIndexOf('=');
            double value = margin(text, text.substring(equals + 1));
            if (equals < 0) {
                margin = value;
            } else {
                ofRows.add(new ComparisonOptions.Margin(pattern(MARGIN, text.substring(0, equals)), value));
            }
        }
        return new ComparisonOptions(
                options.center(), options.alpha(), margin, ofRows, options.allowed(), options.include(), metrics);
    }

    /**
     * Parses "2%" or "0.02". Rejects numbers such as 5: the user probably means 5%, but 5 would count a sixth of the
     * speed as the same.
     */
    private static double margin(String option, String text) {
        boolean percent = text.endsWith("%");
        try {
            double value = Refuse.number(percent ? text.substring(0, text.length() - 1) : text);
            Refuse.when(!percent && value >= 1, MARGIN, "a share such as 2% or 0.02", option);
            return percent ? value / 100 : value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(MARGIN + ": expected a share such as 2% or 0.02, got " + option, e);
        }
    }

    static Pattern pattern(String option, String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    option + ": expected a regular expression, got " + Refuse.quoted(text), e);
        }
    }

    /**
     * Checks the options before anything is measured.
     *
     * @throws IllegalArgumentException if {@code --fail-on} has an unknown word
     * @throws IOException if the file of {@code --accept} is missing or malformed
     */
    void refuseOthers() throws IOException {
        if (accepted != null) {
            AcceptedRegressions.read(accepted);
        }
        for (String kind : kinds) {
            Refuse.when(!KINDS.containsKey(kind), "--fail-on", "probably or left-out", kind);
        }
    }

    /** Rejects these options and {@code others}, if the command line has them. */
    static void refuse(CommandLine command, List<String> others, String expected, String got) {
        Stream.concat(others.stream(), NAMES.stream())
                .filter(command.getParseResult()::hasMatchedOption)
                .forEach(option -> Refuse.when(true, option, expected, got));
    }

    Set<Change> failures() {
        return KINDS.entrySet().stream()
                .filter(kind -> kinds.contains(kind.getKey()))
                .map(Map.Entry::getValue)
                .collect(Collectors.toSet());
    }

    /**
     * The comparison, in which slower rows that the file of {@code --accept} names are accepted until their dates.
     *
     * @param err receives a line for each name in the file that matches no row
     */
    Comparison accepted(Comparison comparison, PrintWriter err) throws IOException {
        if (accepted == null) {
            return comparison;
        }
        AcceptedRegressions entries = AcceptedRegressions.read(accepted);
        entries.unmatched(comparison)
                .forEach(name ->
                        err.println("note: " + accepted + ": no benchmark of this comparison is named " + name));
        return entries.applyTo(comparison, LocalDate.now(ZoneOffset.UTC));
    }
}
