package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;

/** The sweep files of the papers' figures can be run, and have the stated numbers of cells. */
class SweepFilesTest {

    /** README.md of this directory has a row for each sweep file. */
    private static final Path DIRECTORY = Path.of("docs", "sweeps");

    private static final Path CLAIMS = Path.of("src", "main", "resources", "org", "lemmata", "figure");

    /** A row of README.md: text and target of its link, and the numbers of cells at full and at standard. */
    private static final Pattern ROW = Pattern.compile(
            "^\\| .*\\[([^]]+)]\\(([^)]+\\.yaml)\\) \\| ([0-9,]+) \\| ([0-9,]+) \\|", Pattern.MULTILINE);

    /** The number of cells in the comment at the start of a file. */
    private static final Pattern CELLS = Pattern.compile("^# ([0-9]+) cells at full: ", Pattern.MULTILINE);

    /** The sweep files of the claims of all papers. */
    static List<Path> claims() throws IOException {
        try (Stream<Path> files = Files.walk(CLAIMS)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("claims")
    void hasAsManyCellsAsItsCommentSays(Path file) throws IOException {
        int cells = full(file).cells().size();
        assertThat(CELLS.matcher(Files.readString(file)).results())
                .allSatisfy(said -> assertThat(said.group(1)).isEqualTo(Integer.toString(cells)));
    }

    /** Reading a sweep checks each of its cells. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("claims")
    void ofAClaimHasFiveSeedsOrMoreAndSmallerSizesThatCanBeRun(Path file) throws IOException {
        assertThat(budgets(file)).contains("standard").isSubsetOf("standard", "medium");

        Sweep standard = standard(file);
        if (budgets(file).contains("medium")) {
            Sweep medium = Sweep.read(file, List.of(), "medium");
            assertThat(medium.duplicates()).isZero();
            // `standard` may cost more, if it is another model with more seeds.
            assertThat(cost(medium)).isLessThanOrEqualTo(cost(full(file)));
        }

        for (Sweep sweep : List.of(full(file), standard)) {
            assertThat(sweep.duplicates()).isZero();
            // The claim of parity/figure-4.yaml judges each seed separately, so no interval needs more seeds.
            int fewest = file.endsWith("parity/figure-4.yaml") ? 2 : 5;
            assertThat(sweep.cells().stream().map(Cell::seed).distinct().count())
                    .isGreaterThanOrEqualTo(fewest);
        }
        assertThat(cost(standard)).isLessThan(cost(full(file)));
    }

    @Test
    @Tag("long")
    void areListedWithTheirCells() throws IOException {
        Matcher rows = ROW.matcher(Files.readString(DIRECTORY.resolve("README.md")));
        var listed = new TreeSet<String>();
        while (rows.find()) {
            Path file = DIRECTORY.resolve(rows.group(2)).normalize();
            listed.add(row(file, rows.group(3).replace(",", ""), rows.group(4).replace(",", "")));
            String id = rows.group(1).replace("`", "");
            assertThat(file).content().contains("bin/lemmata sweep " + id + " --dry-run");
        }

        var stored = new TreeSet<String>();
        for (Path file : claims()) {
            int standard = standard(file).cells().size();
            stored.add(row(file, String.valueOf(full(file).cells().size()), String.valueOf(standard)));
        }

        assertThat(listed).isEqualTo(stored);
    }

    private static String row(Path file, String cells, String standard) {
        return file + " " + cells + " " + standard;
    }

    private static Sweep full(Path file) throws IOException {
        return read(file, Sweep.FULL);
    }

    private static Sweep standard(Path file) throws IOException {
        return read(file, "standard");
    }

    /** Reads the sweep of the figure's grid, which is cached for all tests because it may have thousands of cells. */
    private static Sweep read(Path file, String budget) throws IOException {
        return Claims.figures()
                .map(FigureClaim::grid)
                .filter(grid -> file.endsWith(grid.beside().getPackageName().replace('.', '/') + "/" + grid.resource()))
                .findFirst()
                .orElseThrow()
                .sweep(budget, List.of());
    }

    private static List<String> budgets(Path file) throws IOException {
        Node budgets = Configuration.document(file, Sweep.SECTION).entries().get("budgets");
        return budgets instanceof Node.Mapping mapping
                ? List.copyOf(mapping.entries().keySet())
                : List.of();
    }

    private static double cost(Sweep sweep) {
        return sweep.cells().stream().mapToDouble(Cell::cost).sum();
    }
}
