package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.VerdictTable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.CsvText;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.PlotFile;

/**
 * Prints and writes the results of {@code verify}.
 *
 * @param command where to print, and whether as JSON
 * @param markdown the file for a table, or null
 * @param files the directory for numbers and plots, or null
 * @param isOfSome whether the user named claims, for which more details are printed
 */
record VerdictOutput(
        JsonCommand command,
        @Nullable Path markdown,
        @Nullable Path files,
        boolean isOfSome) {

    void requirePlaces() throws IOException {
        command.requireJsonPlace();
        if (markdown != null) {
            OutDirectory.requireWritable("--markdown", markdown, markdown);
        }
        if (files != null) {
            OutDirectory.requireWritable("--out", files.resolve("claim.csv"), files);
        }
    }

    void print(ClaimResult result) {
        ClaimResult.Tested tested = result.tested();
        PrintWriter text = command.text();
        text.printf(
                Locale.ROOT,
                "%-13s%s%s%s%s%s (%.1f s): %s%n",
                result.outcome().label(),
                result.isChanged() ? "[pinned " + pinned(result) + "] " : "",
                tested.beyond().isEmpty() || result.outcome() == Outcome.NOT_TESTED
                        ? ""
                        : "[beyond the paper: " + tested.beyond() + "] ",
                result.id(),
                CatalogueCommand.mark(result.said().plugin()),
                result.rounding().isEmpty() ? "" : " [" + result.rounding() + "]",
                result.run().seconds(),
                result.verdict().shortReason());
        if (!tested.settings().isEmpty()) {
            text.println("    tested: " + tested.range());
            result.measured().forEach(each -> text.println("    " + each.text()));
            // A reason that already has a decimal number gets no further one.
        } else if (isOfSome && !result.verdict().reason().matches(".*[0-9][.][0-9].*")) {
            result.bounded().ifPresent(figure -> text.println("    " + figure));
        }
        text.flush();
    }

    void write(List<ClaimResult> results, Budget judgedAt) throws IOException {
        if (command.isJson()) {
            command.print(to -> {
                to.print(ClaimResults.toJson(results));
                return ExitCode.CLEAN;
            });
        }
        if (markdown != null) {
            AtomicFile.write(markdown, VerdictTable.markdown(judgedAt, results));
        }
        if (files != null) {
            var names = new TreeSet<String>();
            for (ClaimResult result : results) {
                String name = result.id();
                for (int i = 2; !names.add(name); i++) {
                    name = result.id() + "-" + i;
                }
                writeInto(files, name, result);
            }
        }
    }

    /** Writes the numbers as CSV, each plot as SVG, and the points of each plot as CSV. */
    private static void writeInto(Path directory, String name, ClaimResult result) throws IOException {
        AtomicFile.write(
                directory.resolve(name + ".csv"),
                CsvText.of(
                        List.of("name", "value", "unit", "low", "high", "n", "relation", "paper"),
                        result.measured().stream()
                                .map(each -> Arrays.asList(
                                        each.name(),
                                        each.value(),
                                        each.unit(),
                                        each.interval().low(),
                                        each.interval().high(),
                                        each.n(),
                                        each.reference() == null
                                                ? ""
                                                : each.reference().relation().sign(),
                                        each.reference() == null
                                                ? ""
                                                : each.reference().value()))
                                .toList()));
        for (int i = 0; i < result.figures().size(); i++) {
            PlotFile.write(
                    directory, name + "-" + (i + 1), Lines.of(result.figures().get(i)));
        }
    }

    /**
     * 1 if a verdict contradicts the pinned one; otherwise 3 if a verdict is pinned but was not reached; otherwise 0.
     */
    static int exitCode(List<ClaimResult> results) {
        if (results.stream().anyMatch(ClaimResult::isContrary)) {
            return ExitCode.CONTRARY;
        }
        return results.stream().anyMatch(ClaimResult::isLost) ? ExitCode.INCONCLUSIVE : ExitCode.CLEAN;
    }

    static String changed(List<ClaimResult> results) {
        return results.stream()
                .filter(ClaimResult::isChanged)
                .map(result -> result.id() + ": pinned " + pinned(result) + ", got "
                        + result.outcome().label())
                .collect(Collectors.joining("; "));
    }

    private static String pinned(ClaimResult result) {
        return Objects.requireNonNull(result.pinned()).label();
    }
}
