package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * docs/figures.md agrees with the evidence: for each figure, the paper's size and ours, a trivial baseline, the models
 * and the verdict. {@code mvn test -Dtest=FigureTableTest -Dlemmata.figures.record=true} updates it.
 */
class FigureTableTest {

    private static final Path TABLE = Path.of("docs/figures.md");

    private static final String HEAD = """
        # The papers' figures, at a glance

        The page lists the papers' sentences about figures. Each is judged from trained models, at the largest size for which all cells are recorded.

        - *Without learning* lists trivial baselines. They use at most the frequency of each answer, by position. Values without an interval are exact.
        - *The models* must be significantly better than the baselines: the 95% intervals over seeds and test cases must not overlap. Otherwise, the
          verdict is NotLearned, and the sentence stays open.
        - If the authors' numbers can be read from their figures, a second table compares them with ours. Our numbers are means with 95% intervals.
          The authors' numbers are means with one standard error. *Apart* means that Welch's test rejects equality at 95%. These tests are not corrected
          for their number, so about one in twenty equal points appears apart.

        `FigureTableTest` writes this page from the evidence, and fails if the page differs from the evidence.
        """;

    private static final String LEARNED = "learned: ";

    private static final String AUTHORS = "; the authors' mean is ";

    /** Whether the figure is not in the paper, so that its size is our choice. */
    private static boolean isOurs(FigureClaim figure) {
        return figure.statement().text().startsWith("Beyond the paper");
    }

    /** Whether the evidence has all cells of some size; an unfinished campaign leaves grids with only some cells. */
    private static boolean isRecorded(FigureClaim figure) {
        return RecordedFigures.cells(figure.grid()).isComplete();
    }

    private static String number(double value, Interval interval) {
        if (value == 0) {
            return "0";
        }
        return interval.low() < interval.high()
                ? String.format(Locale.ROOT, "%.3g [%.3g, %.3g]", value, interval.low(), interval.high())
                : String.format(Locale.ROOT, "%.3g", value);
    }

    private static String row(ClaimResult result) {
        String trivial = result.trivial().stream()
                .map(answer -> answer.name() + " " + number(answer.value(), answer.interval()))
                .collect(Collectors.joining("; "));
        String models = result.measured().stream()
                .filter(each -> each.name().startsWith(LEARNED))
                .map(each -> each.name().substring(LEARNED.length()) + " " + number(each.value(), each.interval()))
                .collect(Collectors.joining("; "));
        return "| `" + result.id() + "` | " + result.said().text() + " | " + trivial + " | " + models + " | "
                + result.outcome().label() + " |";
    }

    /** The points that our curves and the authors' have in common, and whether they differ significantly. */
    private static List<String> besideAuthors(ClaimResult result) {
        return result.measured().stream()
                .filter(each -> each.name().contains(AUTHORS))
                .map(each -> {
                    String[] parts = each.name().split(AUTHORS, 2);
                    String[] theirs = parts[1].split(", ", 2);
                    return "| " + parts[0] + " " + number(each.value(), each.interval()) + " | " + theirs[0] + " | "
                            + theirs[1] + " |";
                })
                .toList();
    }

    /** The name of the figure, which may share its grid with another. */
    private static String heading(FigureClaim figure) {
        return (figure.id() + ".").startsWith(figure.grid().id() + ".")
                ? figure.grid().id()
                : figure.id().substring(0, figure.id().lastIndexOf('.'));
    }

    private static List<String> lines() throws IOException {
        var lines = new ArrayList<String>(HEAD.lines().toList());
        var beside = new LinkedHashSet<String>();
        String last = "";
        for (FigureClaim figure : Claims.figures().toList()) {
            if (isRecorded(figure)) {
                String heading = heading(figure);
                ClaimResult result = RecordedFigures.judge(figure);
                if (!heading.equals(last)) {
                    Sizes sizes = figure.sizes();
                    lines.addAll(List.of(
                            "",
                            "## `" + heading + "`",
                            "",
                            (isOurs(figure) ? "The full size (ours): " : "The paper's size: ") + sizes.paper() + ".",
                            "",
                            "Ours: "
                                    + result.tested()
                                            .size()
                                            .replace("reduced: ", "")
                                            .replaceFirst("^" + Sizes.PAPER + "$", "the same")
                                    + ".",
                            "",
                            "| claim | what is said | without learning | the models | verdict |",
                            "|---|---|---|---|---|"));
                    last = heading;
                }
                lines.add(row(result));
                beside.addAll(besideAuthors(result));
                if (isLast(figure)) {
                    if (!beside.isEmpty()) {
                        lines.addAll(List.of("", "| ours | the authors' | |", "|---|---|---|"));
                        lines.addAll(beside);
                        beside.clear();
                    }
                    lines.addAll(unjudged(figure.grid()));
                }
            }
        }
        return lines;
    }

    /** Whether no other claim of the same figure follows. */
    private static boolean isLast(FigureClaim figure) {
        return Claims.figures()
                .filter(other -> heading(other).equals(heading(figure)))
                .reduce((before, after) -> after)
                .orElseThrow()
                .equals(figure);
    }

    /** The recorded cells of sizes larger than the judged one; of these sizes, some cells are missing. */
    private static List<String> unjudged(FigureGrid grid) throws IOException {
        Map<String, CellRecord> evidence = RecordedFigures.evidence(grid.paper());
        FigureCells judged = RecordedFigures.cells(grid);
        // A cell may belong to several sizes.
        var groups = new TreeMap<String, Set<CellRecord>>();
        for (Budget size : grid.sizes().subList(0, grid.sizes().indexOf(judged.sizes()))) {
            grid.sweep(size).cells().stream()
                    .map(cell -> evidence.get(cell.id()))
                    .filter(record -> record != null && !judged.records().contains(record))
                    .forEach(record -> groups.computeIfAbsent(group(record), key -> new LinkedHashSet<>())
                            .add(record));
        }
        if (groups.isEmpty()) {
            return List.of();
        }
        var lines = new ArrayList<>(List.of(
                "",
                "Recorded at larger sizes, too few cells to be judged:",
                "",
                "| cells | seeds | means |",
                "|---|---|---|"));
        groups.forEach((group, records) ->
                lines.add("| " + group + " | " + records.size() + " | " + means(List.copyOf(records)) + " |"));
        return lines;
    }

    private static String group(CellRecord record) {
        return record.axes().entrySet().stream()
                .filter(axis -> !axis.getValue().equals("~"))
                .map(axis -> axis.getKey().substring(axis.getKey().lastIndexOf('.') + 1) + " " + axis.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String means(List<CellRecord> records) {
        return records.getFirst().measurements().stream()
                .map(Measurement::name)
                .filter(name -> name.matches(
                        "law[.](closing|variation)[.][0-9]+|testLoss|lengths[.][0-9]+|completions[.]deeper"))
                .map(name -> name
                        + String.format(
                                Locale.ROOT,
                                " %.3g",
                                records.stream()
                                        .mapToDouble(record -> FigureCells.value(record, name, Double.NaN))
                                        .average()
                                        .orElseThrow()))
                .collect(Collectors.joining("; "));
    }

    @Test
    void thePageIsWhatTheEvidenceSays() throws IOException {
        List<String> lines = lines();
        if (Boolean.getBoolean("lemmata.figures.record")) {
            Files.write(TABLE, lines);
        }
        assertThat(Files.readAllLines(TABLE)).containsExactlyElementsOf(lines);
    }

    /** The comparison with a generated page would also accept an empty table. */
    @Test
    void everyFigureHasItsRowAndNoRowIsEmpty() throws IOException {
        List<String> rows = Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows)
                .hasSize((int)
                        Claims.figures().filter(FigureTableTest::isRecorded).count())
                .allSatisfy(row -> assertThat(row.split("[|]", -1))
                        .hasSize(7)
                        .as(row)
                        .filteredOn(String::isBlank)
                        .hasSize(2));
    }

    /** Numbers with an interval are followed by it. */
    @Test
    void intervalsAreShown() {
        assertThat(number(0.2, new Interval(0.1, 0.3))).isEqualTo("0.200 [0.100, 0.300]");
        assertThat(number(0.2, Interval.exact(0.2))).isEqualTo("0.200");
    }
}
