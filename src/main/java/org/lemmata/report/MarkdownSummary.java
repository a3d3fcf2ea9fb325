package org.lemmata.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.ClaimResult;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ScalarReference;

/**
 * A summary for a pull request in GitHub's Markdown: the environment, claims, the comparison or else the scores, and
 * SIMD rows with their scalar references. Tables are cut off, with a note, so that a comment stays below GitHub's limit
 * of 65,536 characters.
 */
public final class MarkdownSummary {

    private static final int CLAIMS_END = 20_000;
    private static final int COMPARISON_END = 50_000;
    private static final int END = 65_000;

    private static final int LAST_LINE = 100;

    /** The maximum length of a text from a file, so that a single name cannot fill the summary. */
    private static final int LONGEST_TEXT = 300;

    private final StringBuilder text = new StringBuilder();

    private MarkdownSummary() {}

    /** The summary of the input; it ends with a line break. */
    public static String of(ReportInput input) {
        var summary = new MarkdownSummary();
        summary.line(input.isForeign() ? "## Benchmarks" : "## Lemmata");
        summary.environment(input);
        if (input.claims() != null) {
            summary.claims(input.claims().results());
        }
        if (input.tracking().comparison() != null) {
            summary.comparison(input.tracking().comparison());
        }
        if (input.benchmarks() != null) {
            if (input.tracking().comparison() == null) {
                summary.scores(input.benchmarks().rows());
            }
            summary.vectorRows(input.benchmarks().rows());
        }
        return summary.text.toString();
    }

    /** Writes the environment of the benchmarks; if there is none, of the first claim. */
    private void environment(ReportInput input) {
        Map<String, String> run =
                input.benchmarks() != null && input.benchmarks().run() != null
                        ? input.benchmarks().run().environment()
                        : input.claims() != null && !input.claims().results().isEmpty()
                                ? input.claims().results().getFirst().run().environment()
                                : Map.of();
        String where = Stream.of("commit", "time", "cpu", "cores", "simd", "jdk", "os")
                .filter(run::containsKey)
                .map(name -> name + " " + escaped(run.getOrDefault(name, "")))
                .collect(Collectors.joining(", "));
        line("Ran: " + (where.isEmpty() ? "not recorded" : where) + ".");
    }

    private void claims(List<ClaimResult> results) {
        var tally = new TreeMap<String, Integer>();
        results.forEach(result -> tally.merge(result.outcome().label(), 1, Integer::sum));
        List<ClaimResult> alarms =
                results.stream().filter(ClaimResult::isChanged).toList();
        line("### Claims");
        line(NumberText.of(results.size()) + " claims"
                + tally.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + escaped(entry.getKey()))
                        .collect(Collectors.joining(", ", ": ", "; "))
                + (alarms.isEmpty() ? "none contrary to the pinned verdict." : alarms.size() + " not as pinned."));
        table(
                List.of("Claim", "Verdict", "Pinned", "Reason"),
                alarms,
                result -> List.of(
                        result.id(),
                        result.outcome().label(),
                        Objects.requireNonNull(result.pinned()).label(),
                        result.verdict().reason()),
                CLAIMS_END);
    }

    private void comparison(Comparison comparison) {
        line("### Comparison with " + escaped(comparison.baseline()));
        if (!comparison.refused().isEmpty()) {
            line("Not compared: " + escaped(comparison.refused()) + ".");
        }
        if (!comparison.differences().isEmpty()) {
            line("Note: " + escaped(String.join("; ", comparison.differences())) + ".");
        }
        if (comparison.method() != null && comparison.method().otherJvms()) {
            line("The JVMs differ, so the code is not judged.");
        }
        line(Badge.tally(comparison.rows()).stream()
                .map(tally -> tally.badge().mark() + " " + tally.count() + " "
                        + tally.badge().word())
                .collect(Collectors.joining(", ", "Rows: ", ".")));
        var head = new ArrayList<>(List.of("Verdict", "Benchmark", "Parameters"));
        if (comparison.ofRatios()) {
            head.addAll(List.of("Over", "Compared with", "Baseline", "Now"));
        }
        head.addAll(List.of("Speed over the baseline's", "Interval", "Margin", "Forks needed", "Note"));
        table(
                head,
                ComparisonSection.rows(comparison.rows(), Tracking.NONE),
                MarkdownSummary::comparedRow,
                COMPARISON_END);
    }

    private static List<String> comparedRow(ComparisonSection.Row row) {
        var cells = new ArrayList<>(
                List.of(row.badge().mark() + " " + row.badge().word(), row.benchmark(), row.parameters()));
        ComparisonRow.Within within = row.row().within();
        if (within != null) {
            cells.addAll(List.of(
                    within.over(),
                    within.beside(),
                    ComparisonSection.ratio(within.before()),
                    ComparisonSection.ratio(within.now())));
        }
        cells.addAll(List.of(
                row.ratio(), row.range(), row.margin(), row.forks(), row.row().note()));
        return cells;
    }

    private void scores(List<BenchmarkRow> rows) {
        line("### Scores");
        table(
                List.of("Benchmark", "Parameters", "Mode", "Forks", "Score", "Unit"),
                rows,
                row -> List.of(
                        ComparisonSection.shortName(row.benchmark()),
                        ComparisonSection.parameters(row.params()),
                        row.mode(),
                        NumberText.of(row.forks()),
                        NumberText.withError(row.score(), row.error()),
                        row.unit()),
                COMPARISON_END);
    }

    private void vectorRows(List<BenchmarkRow> rows) {
        var references = new ScalarReference(rows);
        List<List<String>> compared = rows.stream()
                .flatMap(row -> references.of(row).map(scalar -> vectorRow(row, OverScalar.of(scalar, row))).stream())
                .toList();
        if (compared.isEmpty()) {
            return;
        }
        line("### SIMD kernels, over scalar");
        table(
                List.of("Benchmark", "Parameters", "Score", "Unit", "Speed over scalar", "95% interval"),
                compared,
                row -> row,
                END);
    }

    private static List<String> vectorRow(BenchmarkRow row, OverScalar speed) {
        return List.of(
                ComparisonSection.shortName(row.benchmark()),
                ComparisonSection.parameters(row.params()),
                NumberText.withError(row.score(), row.error()),
                row.unit(),
                speed.text(),
                speed.rangeText());
    }

    private void line(String line) {
        text.append(line).append("\n\n");
    }

    /** Writes a table with as many rows as fit before the position {@code end}; nothing if there are no rows. */
    private <T> void table(List<String> head, List<T> rows, Function<T, List<String>> cells, int end) {
        if (rows.isEmpty()) {
            return;
        }
        text.append(row(head)).append("|---".repeat(head.size())).append("|\n");
        int shown = 0;
        for (T each : rows) {
            String row = row(cells.apply(each));
            if (text.length() + row.length() > end - LAST_LINE) {
                break;
            }
            text.append(row);
            shown++;
        }
        text.append('\n');
        if (shown < rows.size()) {
            line("And " + NumberText.of(rows.size() - shown) + " more rows are on the page.");
        }
    }

    private static String row(List<String> cells) {
        return cells.stream().map(MarkdownSummary::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /**
     * Escapes a text so that it is displayed literally in one line. A word joiner after @ prevents mentions of users.
     */
    private static String escaped(String value) {
        String line = oneLine(value);
        if (line.codePointCount(0, line.length()) > LONGEST_TEXT) {
            line = line.substring(0, line.offsetByCodePoints(0, LONGEST_TEXT)) + "…";
        }
        return line.replaceAll("[\\\\`*_\\[\\]<>|~&#!$]", "\\\\$0").replaceAll("@(?=\\w)", "@\u2060");
    }

    static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ").strip();
    }
}
