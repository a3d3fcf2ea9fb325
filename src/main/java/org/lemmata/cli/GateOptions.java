package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.track.AcceptedRegressions;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow.Change;
import picocli.CommandLine.Option;

/** Options that select the compared metrics and the verdicts that fail a build. */
final class GateOptions {

    /** The names of these options, for commands that accept them only with two sides. */
    static final List<String> NAMES = List.of("--metric", "--fail-on", "--accept");

    private static final Map<String, Change> KINDS =
            Map.of("probably", Change.PROBABLY_SLOWER, "left-out", Change.LEFT_OUT);

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

    List<String> metrics() {
        return metrics;
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

    Set<Change> failures() {
        return KINDS.entrySet().stream()
                .filter(kind -> kinds.contains(kind.getKey()))
                .map(Map.Entry::getValue)
                .collect(Collectors.toSet());
    }

    /**
     * The comparison, in which slower rows that the file of {@code --accept} names are accepted.
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
