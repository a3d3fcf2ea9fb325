package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.evidence.Campaign.FigureRun;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

class FigureGridTest {

    @TempDir
    private Path directory;

    static Sweep sweep(String... overrides) throws IOException {
        return ProbeFigure.GRID.sweep("standard", List.of(overrides));
    }

    private SweepRun.Progress run(Evidence evidence, Sweep sweep, int cellsUntilStop) throws IOException {
        var ended = new AtomicInteger();
        return new FigureRun(ProbeFigure.GRID, sweep, directory.resolve("work"))
                .run(evidence, () -> ended.get() >= cellsUntilStop, (progress, record) -> {
                    if (record.isPresent()) {
                        ended.incrementAndGet();
                    }
                });
    }

    @Test
    void theFileAsItStandsIsThePapersSizeAndStandardTheReducedOne() throws IOException {
        assertThat(ProbeFigure.GRID.sweep(Budget.FULL).cells()).hasSize(6);
        assertThat(ProbeFigure.GRID.sweep(Budget.STANDARD).cells()).hasSize(4);
        assertThat(ProbeFigure.GRID.sweep(Budget.QUICK).cells())
                .isEqualTo(ProbeFigure.GRID.sweep(Budget.STANDARD).cells());
        assertThat(sweep("seeds=3").cells()).hasSize(6);
        assertThat(ProbeFigure.GRID.paper()).isEqualTo("depth");
    }

    @Test
    void whatIsWrongIsSaidWithTheFile() {
        assertThatThrownBy(() -> ProbeFigure.GRID.sweep("small", List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("probe-figure.yaml: ")
                .hasMessageContaining("budgets: expected the budget full or standard or medium, got small");
        assertThatThrownBy(() -> new FigureGrid("depth.none", ProbeFigure.class, "none.yaml").sweep(Budget.FULL))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("none.yaml");
    }

    @Test
    void quickLooksAtThePapersSizesOnceAllOfTheirCellsAreThere() throws IOException {
        Evidence evidence = new Evidence(directory.resolve("evidence"));
        run(evidence, ProbeFigure.GRID.sweep(Budget.FULL), Integer.MAX_VALUE);
        Map<String, CellRecord> all = evidence.read("depth");
        FigureCells full = FigureCells.of(ProbeFigure.GRID, Budget.QUICK, all);
        assertThat(full.sizes()).isEqualTo(Budget.FULL);
        assertThat(full.isComplete()).isTrue();
        assertThat(full.seeds()).containsExactly(1L, 2L);
        String last = full.sweep().cells().getLast().id();
        var fewer = new LinkedHashMap<>(all);
        fewer.remove(last);
        FigureCells standard = FigureCells.of(ProbeFigure.GRID, Budget.QUICK, fewer);
        assertThat(standard.sizes()).isEqualTo(Budget.STANDARD);
        assertThat(standard.records()).hasSize(4);
        assertThat(standard.isComplete()).isTrue();
        assertThat(FigureCells.of(ProbeFigure.GRID, Budget.FULL, fewer).isComplete())
                .isFalse();
        String first = standard.sweep().cells().getFirst().id();
        fewer.remove(first);
        assertThat(FigureCells.of(ProbeFigure.GRID, Budget.QUICK, fewer))
                .satisfies(cells -> assertThat(cells.isComplete()).isFalse())
                .satisfies(cells -> assertThat(cells.records()).hasSize(3));
    }

    @Test
    void aSizeBetweenIsJudgedBeforeTheReducedOne() throws IOException {
        FigureGrid three = ProbeFigure.GRID.withMedium();
        Evidence evidence = new Evidence(directory.resolve("evidence"));
        run(evidence, three.sweep(Budget.STANDARD), Integer.MAX_VALUE);
        assertThat(FigureCells.of(three, Budget.QUICK, evidence.read("depth")).sizes())
                .isEqualTo(Budget.STANDARD);
        run(evidence, three.sweep(Budget.MEDIUM), Integer.MAX_VALUE);
        FigureCells medium = FigureCells.of(three, Budget.QUICK, evidence.read("depth"));
        assertThat(medium.sizes()).isEqualTo(Budget.MEDIUM);
        assertThat(medium.records()).hasSize(2).noneMatch(record -> record.integer("size") == 1);
        // A figure without a medium size uses its reduced size.
        assertThat(ProbeFigure.GRID.sweep(Budget.MEDIUM).cells())
                .isEqualTo(ProbeFigure.GRID.sweep(Budget.STANDARD).cells());
        var sizes = new Sizes("a", "b", "c", "d");
        assertThat(sizes.size(Budget.MEDIUM)).isEqualTo("reduced: c");
        assertThat(sizes.size(Budget.STANDARD)).isEqualTo("reduced: d");
    }

    @Test
    void aRunThatWasInterruptedGoesOnAndBecomesEvidenceAsAWhole() throws IOException {
        Evidence evidence = new Evidence(directory.resolve("evidence"));
        Sweep sweep = ProbeFigure.GRID.sweep(Budget.STANDARD);
        SweepRun.Progress stopped = run(evidence, sweep, 1);
        assertThat(stopped.done()).isBetween(1, 3);
        assertThat(FigureRun.hasEnded(stopped)).isFalse();
        assertThat(evidence.file("depth")).doesNotExist();
        SweepRun.Progress ended = run(evidence, sweep, Integer.MAX_VALUE);
        assertThat(ended.before()).isEqualTo(stopped.done());
        assertThat(FigureRun.hasEnded(ended)).isTrue();
        var ids = new ArrayList<>(
                sweep.cells().stream().map(cell -> cell.id()).sorted().toList());
        assertThat(evidence.read("depth").keySet()).containsExactlyElementsOf(ids);
        var run = new FigureRun(ProbeFigure.GRID, sweep, directory.resolve("work"));
        run.discard();
        assertThat(Files.exists(directory.resolve("work"))).isFalse();
    }

    @Test
    void aCellThatFailedIsMissing() throws IOException {
        Evidence evidence = new Evidence(directory.resolve("evidence"));
        Sweep sweep = sweep("base.behaviour=throw");
        assertThat(FigureRun.hasEnded(run(evidence, sweep, Integer.MAX_VALUE))).isTrue();
        assertThat(evidence.read("depth")).isEmpty();
    }

    @Test
    void aFiguresIdNamesItsGrid() {
        assertThat(Claims.grid("depth.figure-3.left"))
                .hasValueSatisfying(grid -> assertThat(grid.resource()).isEqualTo("figure-3-left.yaml"));
        assertThat(Claims.grid("depth.figure-3.left.decay")).isEqualTo(Claims.grid("depth.figure-3.left"));
        assertThat(Claims.grid("depth.claim-5.3")).isEqualTo(Optional.empty());
    }

    @Test
    void aFigureClaimIsNamedByItsIdAndHasTheWordsOfItsForm() {
        assertThat(ProbeFigure.CLAIM).hasToString("depth.probe.small");
        Claim claim = ProbeFigure.CLAIM;
        assertThat(claim.paper()).isEqualTo("states it");
        assertThat(Form.CORRECTED.paper()).isEqualTo("states it in other words, corrected here");
    }

    @Test
    void sizesNameThePapersSizeAtTheFullBudgetOnly() {
        var sizes = new Sizes("probes | of 4 sizes | of 3 sizes | of 2 sizes");
        assertThat(sizes.range(Budget.FULL)).isEqualTo("probes; the paper's sizes: of 4 sizes");
        assertThat(sizes.range(Budget.MEDIUM)).isEqualTo("probes; reduced: of 3 sizes");
        assertThat(sizes.range(Budget.STANDARD)).isEqualTo("probes; reduced: of 2 sizes");
    }

    @Test
    void aCommitKeepsItsSuffixWhenItIsShortened() {
        assertThat(FigureCells.shortened("0123456789abcdef")).isEqualTo("0123456789");
        assertThat(FigureCells.shortened("0123456789abcdef-dirty")).isEqualTo("0123456789-dirty");
        assertThat(FigureCells.shortened("01-dirty")).isEqualTo("01-dirty");
    }
}
