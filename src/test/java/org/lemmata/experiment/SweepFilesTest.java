package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;

/** The grids of the papers' figures under docs/sweeps can be run, and are as large as they say. */
class SweepFilesTest {

    /** Of all but example.yaml, which docs/sweeps.md explains, there is a row in README.md. */
    private static final Path DIRECTORY = Path.of("docs", "sweeps");

    /** In the comment at the head of each file. */
    private static final Pattern CELLS = Pattern.compile("^# ([0-9]+) cells at full: ", Pattern.MULTILINE);

    /** The whole grids: thousands of cells, read once. */
    private static final Map<Path, Sweep> FULL = new HashMap<>();

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".yaml") && !file.endsWith("example.yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void hasAsManyCellsAsItsCommentSays(Path file) throws IOException {
        Matcher cells = CELLS.matcher(Files.readString(file));
        assertThat(cells.find()).as("a line of cells").isTrue();

        Sweep full = full(file);

        assertThat(full.cells()).hasSize(Integer.parseInt(cells.group(1)));
        assertThat(full.duplicates()).isZero();
    }

    /** Reading a sweep checks each of its cells. */
    @ParameterizedTest
    @MethodSource("files")
    void hasSmallerSizesThatCanBeRun(Path file) throws IOException {
        assertThat(budgets(file)).containsExactlyInAnyOrder("standard", "quick");

        Sweep standard = Sweep.read(file, List.of(), "standard");
        Sweep quick = Sweep.read(file, List.of(), "quick");

        assertThat(standard.duplicates()).isZero();
        assertThat(quick.duplicates()).isZero();
        assertThat(cost(quick)).isLessThan(cost(standard));
        assertThat(cost(standard)).isLessThan(cost(full(file)));
    }

    @Test
    void areListedWithTheirCells() throws IOException {
        Matcher rows = Pattern.compile("^\\| .*\\[([a-z0-9-]+)]\\(\\1\\.yaml\\) \\| ([0-9,]+) \\|", Pattern.MULTILINE)
                .matcher(Files.readString(DIRECTORY.resolve("README.md")));
        var listed = new TreeSet<String>();
        while (rows.find()) {
            listed.add(rows.group(1) + " " + rows.group(2).replace(",", ""));
        }

        var stored = new TreeSet<String>();
        for (Path file : files()) {
            String name = file.getFileName().toString().replace(".yaml", "");
            stored.add(name + " " + full(file).cells().size());
        }

        assertThat(listed).isEqualTo(stored);
    }

    private static Sweep full(Path file) throws IOException {
        Sweep known = FULL.get(file);
        if (known == null) {
            known = Sweep.read(file, List.of(), Sweep.FULL);
            FULL.put(file, known);
        }
        return known;
    }

    private static Iterable<String> budgets(Path file) throws IOException {
        Node budgets = Configuration.document(file, Sweep.SECTION).entries().get("budgets");
        return budgets instanceof Node.Mapping mapping ? mapping.entries().keySet() : List.of();
    }

    private static double cost(Sweep sweep) {
        return sweep.cells().stream().mapToDouble(Cell::cost).sum();
    }
}
