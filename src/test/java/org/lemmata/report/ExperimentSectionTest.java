package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.ExperimentSection.CellGrid;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.Plot;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

class ExperimentSectionTest {

    @TempDir
    private Path directory;

    @Test
    void plotsEachMeasurementAgainstEachAxisOfNumbers() {
        ExperimentSection.Experiment experiment = experiment(DemoInput.cells());
        assertThat(experiment.groups())
                .extracting(Plot.Group::title)
                .as("model.hidden goes with model.width, steps are constant, an activation is no number")
                .containsExactly(
                        "loss by model.width",
                        "loss by model.layers",
                        "completed by model.width",
                        "completed by model.layers");
        assertThat(experiment.summary())
                .isEqualTo(
                        "35 finished cells, 1 failed, 3 seeds; axes: model.activation; model.layers; model.width, with"
                                + " model.hidden");
        assertThat(experiment.constant()).isEqualTo("steps 500");
        assertThat(experiment.failures()).singleElement().asString().endsWith("memory: expected 64 MiB, got 1 GiB");
        Plot.Group byLayers = experiment.groups().get(1);
        assertThat(byLayers.legend())
                .extracting(Plot.Key::name)
                .as("2 before 16")
                .containsExactly("width 2", "width 16", "width 128");
        assertThat(byLayers.plots()).extracting(Plot::title).containsExactly("activation gelu", "activation relu");
        assertThat(byLayers.data().rows()).hasSize(12);
    }

    @Test
    void aPointIsTheMeanOverSeedsWithStudentsInterval() {
        List<CellRecord> cells = IntStream.rangeClosed(1, 3)
                .mapToObj(seed -> cell("8", seed, 2.0 * seed))
                .toList();
        Lines.Point point = CellGrid.point(8, cells, "loss").orElseThrow();
        Interval student = Interval.mean(2, 4, 6);
        assertThat(point).isEqualTo(new Lines.Point(8, 4, student.low(), student.high()));
        assertThat(CellGrid.point(8, cells.subList(0, 1), "loss").orElseThrow().hasInterval())
                .isFalse();
        assertThat(CellGrid.point(8, cells, "accuracy")).isEmpty();
        assertThat(CellGrid.point(8, List.of(cell("8", 1, Double.NaN)), "loss")
                        .orElseThrow()
                        .y())
                .isNaN();
    }

    @Test
    void aCountOfStepsHasNoNegativeInterval() {
        List<CellRecord> cells = IntStream.of(1, 1, 40)
                .mapToObj(steps -> DemoInput.cell(
                        new LinkedHashMap<>(Map.of("width", "8")),
                        steps,
                        List.of(DemoInput.measured("bestStep", steps, "steps", 1))))
                .toList();
        assertThat(CellGrid.point(8, cells, "bestStep").orElseThrow().low()).isZero();
    }

    /** A list, such as a spectrum, or single completions would give a hundred plots. */
    @Test
    void elementsOfListsAndSingleCompletionsAreNotPlotted() {
        List<CellRecord> cells = IntStream.rangeClosed(1, 3)
                .mapToObj(width -> DemoInput.cell(
                        new LinkedHashMap<>(Map.of("width", "" + width)),
                        1,
                        List.of(
                                DemoInput.measured("rate", width, "probability", 1),
                                DemoInput.measured("spectrum.real.0", width, "weights", 1),
                                DemoInput.measured("contexts.a.(())", width, "completions", 1))))
                .toList();
        assertThat(experiment(cells).groups()).extracting(Plot.Group::title).containsExactly("rate by width");
    }

    @Test
    void manyLinesBecomePanelsAndManyPanelsAreCut() {
        var cells = new ArrayList<CellRecord>();
        for (int width = 1; width <= 3; width++) {
            for (int rate = 1; rate <= 20; rate++) {
                var axes = new LinkedHashMap<>(Map.of("width", "" + width));
                axes.put("rate", "" + rate);
                cells.add(DemoInput.cell(axes, 1, List.of(DemoInput.measured("loss", width * rate, "nats", 1))));
            }
        }
        List<Plot.Group> groups = experiment(cells).groups();
        assertThat(groups.getFirst().plots())
                .as("by width: 20 rates are no lines")
                .hasSize(12);
        assertThat(groups.getFirst().caption()).contains("8 more panels are in the numbers");
        assertThat(groups.getLast().plots()).as("by rate: a line a width").hasSize(1);
        assertThat(groups.getFirst().data().rows()).hasSize(60);
    }

    @Test
    void thePageShowsSweepsOpenAndEvidenceFolded() throws Exception {
        Path sweep = Files.createDirectory(directory.resolve("widths"));
        write(sweep.resolve("results.jsonl"));
        Files.createDirectories(directory.resolve("evidence").resolve("depth"));
        write(directory.resolve("evidence").resolve("depth").resolve("results.jsonl"));
        ReportInput input = DemoInput.read(
                DemoInput.resource("claims.json"),
                DemoInput.resource("jmh.json"),
                List.of(sweep),
                new Evidence(directory.resolve("evidence")));
        Document page = Jsoup.parse(Report.html(input));
        Element section = page.expectFirst("#experiments");
        assertThat(section.select("details.experiment > summary").eachText())
                .hasSize(2)
                .anyMatch(text -> text.startsWith("Sweep widths: train 35 finished cells"))
                .anyMatch(text -> text.startsWith("Evidence for depth: train"));
        assertThat(section.select("details.experiment[open]")).hasSize(1);
        assertThat(page.select("details.part[id=experiments][open]")).hasSize(1);
        // The named sweeps come first.
        assertThat(page.select("main > *").getFirst().id()).isEqualTo("experiments");
        assertThat(section.select(".targets title").eachText())
                .anyMatch(text -> text.matches("width 16 [0-9.]+ \\[.*] at 4"));
    }

    @Test
    void aSweepByItselfIsTheWholePageAndFilesBesideIt() throws Exception {
        Path sweep = Files.createDirectory(directory.resolve("widths"));
        write(sweep.resolve("results.jsonl"));
        ReportInput input = DemoInput.read(null, null, List.of(sweep), null);
        Document page = Jsoup.parse(Report.html(input));
        assertThat(page.select("h1").text()).isEqualTo("Experiments");
        assertThat(page.select("main > *")).hasSize(1);
        assertThat(page.select("nav, .absent:not(.failures)")).isEmpty();
        Path files = directory.resolve("page");
        int plots = Report.writePlots(files, input);
        int panels = page.select(".panel").size();
        assertThat(plots).isEqualTo(panels).isPositive();
        try (Stream<Path> written = Files.list(files)) {
            assertThat(written.map(file -> file.getFileName().toString()))
                    .hasSize(2 * plots)
                    .allMatch(name -> name.matches("widths-train-[A-Za-z0-9.-]+[.](svg|csv)"));
        }
        for (Lines lines : ExperimentSection.of(input.cells()).stream()
                .flatMap(experiment -> experiment.lines().stream())
                .toList()) {
            String name = "widths-train-" + lines.title().replaceAll("[^A-Za-z0-9.]+", "-");
            assertThat(Files.readString(files.resolve(name + ".csv")).lines().findFirst())
                    .contains("line," + lines.x().label() + ",\"" + lines.y().label() + "\",low,high");
            assertThat(Files.readString(files.resolve(name + ".svg"))).startsWith("<svg ");
        }
    }

    /** Losses do even if their range is small or an interval reaches below 0; other measurements if it is large. */
    @Test
    void lossesStandOnLogarithmicAxes() {
        var cells = new ArrayList<CellRecord>();
        for (int width = 1; width <= 4; width++) {
            var axes = new LinkedHashMap<>(Map.of("width", "" + width));
            for (int seed = 1; seed <= 2; seed++) {
                cells.add(DemoInput.cell(
                        axes,
                        seed,
                        List.of(
                                DemoInput.measured("narrow", 2 + 0.1 * width, "nats", 1),
                                DemoInput.measured("wide", seed * Math.pow(0.1, width), "squared error", 1),
                                DemoInput.measured("zero", width - 1, "nats", 1),
                                DemoInput.measured("share", 0.2 * width, "", 1))));
            }
        }
        Map<String, Lines.Axis> axes =
                experiment(cells).lines().stream().collect(Collectors.toMap(Lines::title, Lines::y));
        assertThat(Objects.requireNonNull(axes.get("narrow by width")).scale()).isEqualTo(Lines.Scale.LOG10);
        assertThat(Objects.requireNonNull(axes.get("wide by width")).scale()).isEqualTo(Lines.Scale.LOG10);
        assertThat(Objects.requireNonNull(axes.get("wide by width")).low()).isPositive();
        assertThat(Objects.requireNonNull(axes.get("zero by width")).scale()).isEqualTo(Lines.Scale.LINEAR);
        assertThat(Objects.requireNonNull(axes.get("share by width")).scale()).isEqualTo(Lines.Scale.LINEAR);
        // Even an axis within one decade has labels.
        String narrow = experiment(cells).groups().getFirst().plots().getFirst().svg();
        assertThat(narrow).contains(">2.10<", ">2.30<");
    }

    /** Figures of one paper share a file but have different axes. */
    @Test
    @Tag("long")
    void evidenceIsShownFigureByFigure() throws Exception {
        ReportInput input = DemoInput.read(null, null, List.of(), Evidence.ofCheckout());
        assertThat(input.cells())
                .extracting(ReportInput.Cells::name)
                .contains(
                        "Evidence for depth.figure-3.left, standard sizes",
                        "Evidence for depth.figure-6, standard sizes");
        assertThat(ExperimentSection.of(input.cells())).hasSameSizeAs(input.cells());
    }

    @Test
    void cellsWithoutAnAxisStandFirst() {
        List<CellRecord> cells = List.of(
                cell("8", 1, 2),
                DemoInput.cell(new LinkedHashMap<>(), 1, List.of(DemoInput.measured("loss", 1, "nats", 1))),
                cell("16", 1, 3));
        assertThat(CellGrid.of(cells).cells().keySet())
                .containsExactly(Map.of(), Map.of("width", "8"), Map.of("width", "16"));
    }

    @Test
    void aDirectoryWithoutResultsIsRefusedInOneLine() {
        Path missing = directory.resolve("none");
        assertMalformed(
                () -> DemoInput.read(null, null, List.of(missing), null),
                missing.resolve("results.jsonl")
                        + ": no such file; expected the directory of a sweep (sweep --out), with its results");
    }

    /**
     * Curves over the numbers at the ends of names, then the values at the maximum; measurements of the runs are last.
     */
    @Test
    void familiesOfNamesAreCurves() {
        var cells = new ArrayList<CellRecord>();
        for (String width : List.of("8", "16")) {
            CellRecord cell = cell(width, 1, Integer.parseInt(width));
            cells.add(cell.measured(List.of(
                    Measurement.exact("steps", Integer.parseInt(width), "steps", 1),
                    Measurement.exact("loss", Integer.parseInt(width), "nats", 1),
                    Measurement.exact("right.16", 0.5, "probability", 9),
                    Measurement.exact("right.8", 1 / Double.parseDouble(width), "probability", 9),
                    Measurement.exact("centre.0", 1, "weights", 1),
                    Measurement.exact("centre.1", 2, "weights", 1))));
        }
        assertThat(experiment(cells).groups())
                .extracting(Plot.Group::title)
                .containsExactly(
                        "centre by index", "right by T", "right.16 by width", "loss by width", "steps by width");
        Plot.Group curves = experiment(cells).groups().get(1);
        assertThat(curves.data().rows()).extracting(row -> row.get(1)).containsExactly("8", "8", "16", "16");
    }

    private static ExperimentSection.Experiment experiment(List<CellRecord> cells) {
        return ExperimentSection.of(List.of(new ReportInput.Cells("demo", "f", cells, true)))
                .getFirst();
    }

    private static CellRecord cell(String width, long seed, double loss) {
        return DemoInput.cell(
                new LinkedHashMap<>(Map.of("width", width)),
                seed,
                List.of(DemoInput.measured("loss", loss, "nats", 1)));
    }

    private static void write(Path file) throws Exception {
        Files.write(file, DemoInput.cells().stream().map(CellRecord::toJson).toList());
    }
}
