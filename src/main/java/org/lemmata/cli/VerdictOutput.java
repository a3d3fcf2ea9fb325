package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.VerdictTable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.AtomicFile;
import org.lemmata.report.plot.CsvText;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.PlotFile;

/**
 * What {@code verify} prints and writes of results.
 *
 * @param json where the results go as JSON
 * @param markdown for a table, or null
 * @param files the directory for numbers and pictures, or null
 * @param isOfSome whether claims were named, of which more is told
 */
record VerdictOutput(
        PrintWriter out,
        JsonOption json,
        @Nullable Path markdown,
        @Nullable Path files,
        boolean isOfSome) {

    /**
     * Refuses files that cannot be written.
     *
     * @throws IllegalArgumentException if there is one; it is named
     */
    void requirePlaces() throws IOException {
        requirePlaceFor(JsonOption.NAME, json.file());
        requirePlaceFor("--markdown", markdown);
    }

    /** Before the first claim: a mistyped name must not cost what a large budget computed. */
    private static void requirePlaceFor(String option, @Nullable Path file) throws IOException {
        if (file != null) {
            Refuse.when(Files.isDirectory(file), option, "a file", "the directory " + file);
            OutDirectory.requireWritable(option, file, file);
        }
    }

    /** What a reader of the terminal is told. */
    void print(ClaimResult result) {
        ClaimResult.Tested tested = result.tested();
        PrintWriter text = json.text(out);
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
                result.verdict().reason());
        if (!tested.settings().isEmpty()) {
            text.println("    tested: " + tested.range());
            result.measured().forEach(each -> text.println("    " + each.text()));
            // A reason with a figure of its own says enough.
        } else if (isOfSome && !result.verdict().reason().matches(".*[0-9][.][0-9].*")) {
            result.bounded().ifPresent(figure -> text.println("    " + figure));
        }
        text.flush();
    }

    /** The files that are asked for. */
    void write(List<ClaimResult> results, Budget judgedAt) throws IOException {
        if (json.isGiven()) {
            json.print(out, to -> {
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

    /** The numbers as CSV, each picture as SVG, and its points as CSV. */
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
            Figure figure = result.figures().get(i);
            Path file = directory.resolve(name + "-" + (i + 1) + ".svg");
            AtomicFile.write(file, PlotFile.svg(Lines.of(figure)));
            AtomicFile.write(directory.resolve(name + "-" + (i + 1) + ".csv"), PlotFile.csv(Lines.of(figure)));
        }
    }

    /** 1 if a verdict is contrary to the pinned one, else 3 if a decision is pinned and none was reached, else 0. */
    static int exitCode(List<ClaimResult> results) {
        if (results.stream().anyMatch(ClaimResult::isContrary)) {
            return ExitCode.CONTRARY;
        }
        return results.stream().anyMatch(ClaimResult::isLost) ? ExitCode.INCONCLUSIVE : ExitCode.CLEAN;
    }

    /** The claims whose verdict is not the pinned one, in one line. */
    static String changed(List<ClaimResult> results) {
        return results.stream()
                .filter(ClaimResult::isChanged)
                .map(result -> result.id() + ": pinned " + pinned(result) + ", got "
                        + result.outcome().label())
                .collect(Collectors.joining("; "));
    }

    /** The word of the pinned verdict. */
    private static String pinned(ClaimResult result) {
        return Objects.requireNonNull(result.pinned()).label();
    }
}
