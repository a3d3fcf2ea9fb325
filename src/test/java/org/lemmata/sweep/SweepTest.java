package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.config.Configuration;

class SweepTest {

    private static final String TRAIN = """
        steps: 3
        batch: 2
        task: {name: dyck-words, settings: {N: 2}}
        data: {train: 6, validation: 2, test: 2}
        model: {width: 8, layers: 1}
        """;

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("grid.yaml");
    }

    private Sweep read(String yaml, String... overrides) throws IOException {
        return budgeted(Sweep.FULL, yaml, overrides);
    }

    private Sweep budgeted(String budget, String yaml, String... overrides) throws IOException {
        return Sweep.read(Files.writeString(file(), yaml), List.of(overrides), budget);
    }

    private Sweep train(String base, String... overrides) throws IOException {
        return read("base:\n" + (TRAIN + base).indent(2), overrides);
    }

    private static List<String> ids(Sweep sweep) {
        return sweep.cells().stream().map(Cell::id).toList();
    }

    private static List<Map<String, String>> axes(Sweep sweep) {
        return sweep.cells().stream().map(cell -> Map.copyOf(cell.axes())).toList();
    }

    private static List<Long> seeds(Sweep sweep) {
        return sweep.cells().stream().map(Cell::seed).toList();
    }

    @Test
    void anOverrideThatAnAxisWouldHideIsRefused() throws IOException {
        String yaml = "{trial: probe, base: {size: 7, parts: 1}, zip: [{size: [1, 2]}]}";
        assertThat(read(yaml, "base.parts=3").cells())
                .hasSize(2)
                .allMatch(cell -> "3".equals(cell.settings().get("parts")));
        assertRefused(
                () -> read(yaml, "base.size=9"),
                "command line: base.size: expected a key that no axis changes, got one that does; change the"
                        + " axis");
        assertRefused(
                () -> train(
                        "optimizer.groups: [{match: '*'}]",
                        "axes.optimizer.groups.0.learning-rate=[1, 2]",
                        "base.optimizer.groups.0.learning-rate=3"),
                "command line: base.optimizer.groups.0.learning-rate: expected a key that no axis changes, got one that"
                        + " does; change the axis");
    }

    @Test
    void cellsAreInTheOrderOfTheAxesWithTheSeedsLast() throws IOException {
        Sweep sweep = read("""
            trial: probe
            base: {behaviour: work}
            axes: {parts: [1, 2]}
            zip:
              - {size: [3, 4], pause: [0, 1]}
            where:
              - parts < 2 or size == 4
            seeds: 2
            """);
        assertThat(axes(sweep))
                .containsExactly(
                        Map.of("parts", "1", "size", "3", "pause", "0"),
                        Map.of("parts", "1", "size", "3", "pause", "0"),
                        Map.of("parts", "1", "size", "4", "pause", "1"),
                        Map.of("parts", "1", "size", "4", "pause", "1"),
                        Map.of("parts", "2", "size", "4", "pause", "1"),
                        Map.of("parts", "2", "size", "4", "pause", "1"));
        assertThat(seeds(sweep)).containsExactly(1L, 2L, 1L, 2L, 1L, 2L);
        assertThat(ids(sweep)).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f]{16}"));
        assertThat(sweep.duplicates()).isZero();
        assertThat(sweep.cells().getFirst().settings())
                .containsEntry("size", "3")
                .containsEntry("failures", "1")
                .doesNotContainKey("threads");
    }

    /** Grids whose cells do not all have the same keys. */
    @Test
    void nothingOnAnAxisLeavesTheKeyToTheBaseOrItsDefault() throws IOException {
        Sweep sweep = train("", """
            zip=[{model.layers: [~, 2], optimizer.groups: [~, [{match: '*', learning-rate: 0.1}]]}]\
            """);
        assertThat(ids(sweep)).first().isEqualTo(ids(train("")).getFirst());
        assertThat(sweep.cells().getFirst().settings())
                .containsEntry("model.layers", "1")
                .doesNotContainKey("optimizer.groups.0.match");
        assertThat(sweep.cells().getLast().axes())
                .containsEntry("model.layers", "2")
                .containsEntry("optimizer.groups", "[{match: *, learning-rate: 0.1}]");
    }

    @Test
    void aConditionReadsTheBaseIfTheAxisHasNothing() throws IOException {
        String yaml = "{trial: probe, base: {size: 7}, axes: {size: [~, 1], parts: [~, 2]}, where: %s}";
        assertThat(axes(read(yaml.formatted("[size > 1]")))).hasSize(2).allMatch(axes -> "7".equals(axes.get("size")));
        assertThat(axes(read(yaml.formatted("[parts != 2]"))))
                .as("no value differs from any value")
                .hasSize(2)
                .allMatch(axes -> "0".equals(axes.get("parts")));
    }

    @Test
    void withoutAxesThereIsOneCell() throws IOException {
        Sweep sweep = read("{trial: probe, base: {seed: 5}}");
        assertThat(axes(sweep)).containsExactly(Map.of());
        assertThat(seeds(sweep)).containsExactly(5L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        3; 1 2 3
        [7, -2]; 7 -2
        4..6; 4 5 6
        [1, 10..30 by 10]; 1 10 20 30
        1; 1
        [3, 1_000]; 3 1000
        """)
    void seedsAreACountOrAListOrARange(String seeds, String expected) throws IOException {
        Sweep sweep = read("{trial: probe, seeds: " + seeds + "}");
        assertThat(seeds(sweep).stream().map(Object::toString)).containsExactly(expected.split(" ", -1));
        assertThat(axes(sweep)).containsOnly(Map.of());
        assertThat(ids(sweep)).doesNotHaveDuplicates();
        // Only the first one is checked.
        for (Cell cell : sweep.cells()) {
            assertThat(read("{trial: probe, seeds: [" + cell.seed() + "]}").cells())
                    .containsExactly(cell);
        }
    }

    @Test
    void theBaseMayBeAFileRelativeToTheSweep() throws IOException {
        Files.createDirectories(directory.resolve("below"));
        Files.writeString(directory.resolve("base.yaml"), TRAIN);
        Path below = Files.writeString(
                directory.resolve("below/grid.yaml"),
                "{base: ../base.yaml, with: {steps: 2, model.layers: 2}, axes: {model.width: [4, 8]}}");
        Sweep sweep = Sweep.read(below, List.of(), Sweep.FULL);
        assertThat(sweep.cells())
                .extracting(cell -> cell.settings().get("steps"))
                .containsExactly("2", "2");
        assertThat(sweep.cells())
                .extracting(cell -> cell.settings().get("model.layers"))
                .containsExactly("2", "2");
        assertThat(sweep.cells())
                .extracting(cell -> cell.settings().get("model.width"))
                .containsExactly("4", "8");
        Sweep inline = read("axes: {model.width: [4, 8]}\nbase:\n"
                + TRAIN.replace("steps: 3", "steps: 2")
                        .replace("layers: 1", "layers: 2")
                        .indent(2));
        assertThat(ids(inline)).isEqualTo(ids(sweep));
    }

    @Test
    void aBudgetChangesWhatItNames() throws IOException {
        String yaml = """
            trial: probe
            base: {parts: 100}
            axes:
              size: [1, 2, 3]
            seeds: 5
            budgets:
              quick: {base.parts: 1, axes.size: [2], seeds: 1, where: [size > 1]}
            """;
        Sweep quick = budgeted("quick", yaml);
        assertThat(quick.cells()).hasSize(1);
        assertThat(quick.cells().getFirst().settings())
                .containsEntry("parts", "1")
                .containsEntry("size", "2");
        assertThat(read(yaml).cells()).hasSize(15);
        // Overrides on the command line take precedence over the budget.
        assertThat(budgeted("quick", yaml, "seeds=2").cells()).hasSize(2);
        assertRefused(
                () -> budgeted("quik", yaml),
                file() + ": line 7: budgets: expected the budget full or quick, got quik" + " (did you mean quick?)");
        assertRefused(
                () -> budgeted("quick", "trial: probe"), file() + ": budgets: expected the budget full, got quick");
    }

    @Test
    void overridesReachEveryKey() throws IOException {
        String yaml = "axes: {model.width: [4, 8, 16]}\nzip:\n  - {seed: [1, 2]}\nbase:\n" + TRAIN.indent(2);
        assertThat(axes(read(yaml, "axes.model.width=[32]", "zip.0.seed=[5]")))
                .containsExactly(Map.of("model.width", "32"));
        assertThat(axes(read(yaml, "axes.model.layers=1..2")))
                .hasSize(12)
                .contains(Map.of("model.width", "4", "model.layers", "2"));
        Sweep sweep = read(yaml, "base.steps=2", "threads=2", "retries=0", "keep=weights", "memory=3 MiB");
        assertThat(sweep.cells().getFirst().settings()).containsEntry("steps", "2");
        assertThat(sweep.threads()).isEqualTo(2);
        assertThat(sweep.retries()).isZero();
        assertThat(sweep.keep()).isEqualTo(Keep.WEIGHTS);
        assertThat(sweep.memoryBytes()).isEqualTo(3 << 20);
    }

    @Test
    void whatTheFileDoesNotSayHasItsDefault() throws IOException {
        Sweep sweep = read("base:\n" + TRAIN.indent(2));
        assertThat(sweep.trial()).isEqualTo("train");
        assertThat(sweep.threads()).isEqualTo(1);
        assertThat(sweep.retries()).isEqualTo(2);
        assertThat(sweep.keep()).isEqualTo(Keep.RESULTS);
        assertThat(sweep.memoryBytes()).isZero();
    }

    @Test
    void theIdDoesNotDependOnOrderSpellingOrDefaultsGiven() throws IOException {
        String id = ids(train("optimizer: {learning-rate: 1e-3, weight-decay: 0.1}"))
                .getFirst();
        assertThat(ids(train("optimizer: {weight-decay: 0.10, learning-rate: 0.001}")))
                .containsExactly(id);
        assertThat(ids(train("optimizer: {weight-decay: 1e-1, kind: adamw, betas: [0.9, 0.9990]}")))
                .containsExactly(id);
        assertThat(ids(train("optimizer.weight-decay: 0.1\nseed: 1\nevaluation.every: 1_00")))
                .containsExactly(id);
        assertThat(ids(read(
                        "seeds: [1]\naxes: {optimizer.weight-decay: [0.1]}\nthreads: 2\nbase:\n" + TRAIN.indent(2))))
                .containsExactly(id);
        assertThat(ids(train("optimizer: {weight-decay: 0.2}"))).doesNotContain(id);
        assertThat(ids(train("optimizer: {weight-decay: 0.1}\nseed: 2"))).doesNotContain(id);
    }

    @Test
    void axesAreTheSameHoweverTheyAreSpelt() throws IOException {
        String base = "base:\n" + TRAIN.indent(2);
        Sweep one = read(base + "axes: {optimizer.learning-rate: [1e-3, 0.25], optimizer.betas: [[0.9, 0.990]]}");
        Sweep other = read(base + "axes: {optimizer: {learning-rate: [0.0010, 25e-2], betas: [[0.90, 0.99]]}}");
        assertThat(axes(one))
                .containsExactly(
                        Map.of("optimizer.learning-rate", "0.001", "optimizer.betas", "[0.9, 0.99]"),
                        Map.of("optimizer.learning-rate", "0.25", "optimizer.betas", "[0.9, 0.99]"));
        assertThat(axes(other)).isEqualTo(axes(one));
    }

    /** The trial's name is part of a cell's identity, and values belong to their keys. */
    @Test
    void differentContentHasDifferentIds() throws IOException {
        assertThat(ids(read("{trial: probe, axes: {size: [1, 11], parts: [1, 11]}}")))
                .doesNotHaveDuplicates();
        var settings = new LinkedHashMap<>(Map.of("a", "1\nb=2"));
        var others = new LinkedHashMap<>(Map.of("a", "1", "b", "2"));
        var none = new LinkedHashMap<String, String>();
        assertThat(Cell.of("t", "", settings, none, 1, 1).id())
                .isNotEqualTo(Cell.of("t", "", others, none, 1, 1).id());
        assertThat(Cell.of("t", "", others, none, 1, 1).id())
                .isNotEqualTo(Cell.of("u", "", others, none, 1, 1).id());
    }

    /** A changed hash would give every cell of all directories and of the evidence another id. */
    @Test
    void theIdIsTheSameInEveryVersion() {
        var settings = new LinkedHashMap<>(Map.of("b", "2", "a", "x\\y\nz"));
        assertThat(Cell.of("probe", "", settings, new LinkedHashMap<>(), 1, 1).id())
                .isEqualTo("e24041b2c7b1d43b");
    }

    @Test
    void pointsThatAreTheSameCellAreMergedAndCounted() throws IOException {
        Sweep sweep = read(
                "{trial: probe, axes: {size: [1, 2, 1], parts: [3, 03, 3]}, where: [size < 3]}".replace("03", "+3"));
        assertThat(sweep.cells()).hasSize(2);
        assertThat(sweep.duplicates()).isEqualTo(7);
    }

    /** The sweep file in the directory has the base, the ranges, the conditions and the chosen budget. */
    @Test
    void theSweepFileOfTheDirectoryHasTheSameCells() throws IOException {
        Files.writeString(directory.resolve("base.yaml"), TRAIN);
        Sweep sweep = budgeted("quick", """
            base: base.yaml
            with: {steps: 2, optimizer.clipping: 20000000}
            axes:
              optimizer.learning-rate: [1e-4..1e-2 times 10, 0.3, 1e-7]
              optimizer.betas: [[0.9, 0.99], [0.8, 0.9]]
            zip:
              - {model: {attention: {heads: [1, 2]}}, model.width: [8, 16]}
            where: [model.width * model.attention.heads >= 8 or steps == 2]
            seeds: 4
            memory: 5 MiB
            retries: 7
            budgets:
              quick: {seeds: 1..2, threads: 2}
            """, "where=[model.width != 7]");
        assertThat(sweep.cells()).hasSize(40);
        Files.createDirectories(directory.resolve("out"));
        Path written = Files.writeString(directory.resolve("out/sweep.yaml"), sweep.yaml());
        Sweep again = Sweep.read(written, List.of(), Sweep.FULL);
        assertThat(again.cells()).isEqualTo(sweep.cells());
        assertThat(again.yaml()).isEqualTo(sweep.yaml());
        assertThat(again).isEqualTo(sweep);
    }

    /** A cell is run from its YAML, possibly on another machine. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "optimizer: {clipping: 20000000}",
                "optimizer: {clipping: 1e22, learning-rate: 1e-300}",
                "seed: -9223372036854775808",
                "optimizer: {groups: [{match: 'layer.*.query', learning-rate: 1e-9}]}",
                "precision: {format: bfloat16, sites: {scores: none, weights: {format: ocp_e4m3, saturate: true}}}",
                "schedule: {kind: cosine, warm-up: 1}\nevaluation: {completions: 2}"
            })
    void aCellReadsItsOwnYamlAsTheSame(String base) throws IOException {
        Cell cell = train(base).cells().getFirst();
        Trial trial = Trial.named("train");
        Configuration settings =
                Configuration.of(Configuration.document("cell", cell.yaml(), trial.section()), trial.section());
        trial.check(settings);
        settings.requireAllRead();
        var effective = settings.effective();
        trial.free().forEach(effective::remove);
        assertThat(effective).isEqualTo(cell.settings());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        {trial: prob}; line 1: trial: expected one of parity-chain, probe, train, got 'prob'
        {trial: probe, axis: {size: [1]}}; line 1: axis: unknown, did you mean axes?
        {trial: probe, base: {sise: 1}}; line 1: sise: unknown, did you mean size?
        {trial: probe, base: {size: 0}}; line 1: size: expected an integer from 1, got 0
        {trial: probe, base: 3}; line 1: base: expected keys, or a file with them, got 3
        {trial: probe, base: {threads: 2}}; line 1: threads: expected this key next to base, for the whole sweep, got it in the settings of a cell
        {trial: probe, with: {threads: 2}}; line 1: threads: expected this key next to base, for the whole sweep, got it in the settings of a cell
        {trial: probe, axes: {threads: [1, 2]}}; line 1: threads: expected this key next to axes, for the whole sweep, got it as an axis: no result depends on it
        {trial: probe, zip: [{threads: [1, 2]}]}; line 1: threads: expected this key next to axes, for the whole sweep, got it as an axis: no result depends on it
        {trial: probe, axes: {size: []}}; line 1: axes.size: expected at least one value, got an empty list
        {trial: probe, axes: {seed: [1]}, seeds: 2}; seed: expected one axis that changes it, got several
        {trial: probe, axes: {size: [1, 0], parts: [2]}}; line 1: size: expected an integer from 1, got 0 (in the cell size=0 parts=2)
        {trial: probe, axes: {sise: [1]}}; line 1: sise: unknown, did you mean size? (in the cell sise=1)
        {trial: probe, axes: {size: [1]}, where: [size > 1]}; line 1: where: expected conditions that some cell meets, got none that does
        {trial: probe, where: size > 1}; line 1: where: expected a list, got 'size > 1'
        {trial: probe, zip: {size: [1]}}; line 1: zip: expected a list, got a section with the key size
        {trial: probe, seeds: 0}; line 1: seeds: expected an integer from 1, got 0
        {trial: probe, seeds: some}; line 1: seeds: expected a list of values, or a range such as 1..4, got 'some'
        {trial: probe, seeds: [1.5]}; line 1: seed: expected an integer of 64 bits, got 1.5 (in the cell seed=1.5)
        {trial: probe, seeds: [1, 9223372036854775808]}; line 1: seed: expected an integer of 64 bits, got 9223372036854775808 (in the cell seed=9223372036854775808)
        {trial: probe, threads: 0}; line 1: threads: expected an integer from 1 to 1024, got 0
        {trial: probe, memory: 5 MB}; line 1: memory: expected an amount such as 500 MiB or 2 GiB, got '5 MB'
        {trial: probe, retries: -1}; line 1: retries: expected an integer from 0, got -1
        {trial: probe, keep: all}; line 1: keep: expected one of results, weights, checkpoints, got 'all'
        {trial: probe, budgets: 3}; line 1: budgets: expected names, each with keys of this file, got 3
        [1]; line 1: expected the keys trial, base, with, axes, zip, where, seeds, threads, memory, retries, keep, budgets, got a list of 1
        a: b: c; line 1: expected YAML: mapping values are not allowed here
        {trial: probe, trial: probe}; line 1: trial: expected this key once, got it again after line 1
        """)
    void whatIsWrongIsRefusedInOneLine(String yaml, String expected) {
        assertRefused(() -> read(yaml), file() + ": " + expected);
    }

    @Test
    void linesAreThoseOfTheFileThatIsWrong() throws IOException {
        Path base = Files.writeString(directory.resolve("base.yaml"), TRAIN + "modell: 3\n");
        assertRefused(() -> read("base: base.yaml"), base + ": line 6: modell: unknown, did you mean model?");
        Files.writeString(base, TRAIN + "threads: 2\n");
        assertRefused(
                () -> read("base: base.yaml"),
                base + ": line 6: threads: expected this key next to base, for the whole sweep, got it in the"
                        + " settings of a cell");
        assertRefused(
                () -> read("\n\nbase: none.yaml"),
                directory.resolve("none.yaml") + ": expected a configuration, got no such file");
        Files.writeString(base, TRAIN);
        assertRefused(
                () -> read("base: base.yaml\naxes:\n  model.width: [8]\n  model.attention.heads: [1, 3]\n"),
                file() + ": line 4: model.attention.heads: expected a divisor of the width 8, or also"
                        + " a head-width, got 3 (in the cell model.width=8 model.attention.heads=3)");
        assertRefused(
                () -> read("base: base.yaml", "axes.model.widht=[8]"),
                "command line: model.widht: unknown, did you mean model.width? (in the cell model.widht=8)");
    }

    @ParameterizedTest
    @CsvSource({
        "1 KiB, 1024",
        "1KiB, 1024",
        "500 MiB, 524288000",
        "2 GiB, 2147483648",
        "999999999 GiB, 1073741822926258176"
    })
    void unitsArePowersOf1024(String text, long bytes) {
        assertThat(Sweep.bytes(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "500", "500 MB", "0 MiB", "-1 MiB", "1.5 GiB", "1 gib", "GiB", "9999999999 GiB", "1 GiB x"})
    void anythingElseIsNoAmount(String text) {
        assertThat(Sweep.bytes(text)).isEmpty();
    }

    @Test
    void theDocumentationListsEveryKeyWithItsDefaultAndItsMeaning() throws IOException {
        List<String> declared = Sweep.SECTION.keys().stream()
                .map(key -> "| `" + key.name() + "` | " + (key.fallback().isEmpty() ? "" : "`" + key.fallback() + "` ")
                        + "| " + key.meaning() + " |")
                .toList();
        String text = Files.readString(Path.of("docs/sweeps.md"));
        String file = text.substring(text.indexOf("## Write a sweep file"), text.indexOf("## Read the results"));
        assertThat(file.lines().filter(line -> line.startsWith("| `"))).containsExactlyElementsOf(declared);
    }
}
