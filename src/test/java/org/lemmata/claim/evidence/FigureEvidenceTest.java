package org.lemmata.claim.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.ProbeFigure;
import org.lemmata.sweep.Cell;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

class FigureEvidenceTest {

    @TempDir
    private Path directory;

    /** A cell that the user names is chosen even without its text, so that the error names the text. */
    @Test
    void aCellIsRecomputedOnlyIfItsTextIsPresent() throws IOException {
        var grid = new FigureGrid("depth.probe-text", ProbeFigure.class, "probe-text.yaml");
        FigureClaim claim = ProbeFigure.on(grid);
        List<Cell> cells = grid.sweep(Budget.STANDARD).cells();
        assertThat(cells).extracting(cell -> cell.settings().get("task.text")).containsExactly("src", "no-such-text");
        var records = new Evidence(directory);
        records.add("depth", List.of(MadeUpCells.done(cells.getLast(), List.of())));
        assertThat(evidence(claim, records).choose("depth", null)).isEmpty();
        assertThat(evidence(claim, records).choose("depth", cells.getLast().id()))
                .isPresent();
        records.add("depth", List.of(MadeUpCells.done(cells.getFirst(), List.of())));
        assertThat(evidence(claim, records).choose("depth", null))
                .hasValueSatisfying(choice -> assertThat(choice.record().cell())
                        .isEqualTo(cells.getFirst().id()));
    }

    /** A cell of 1/4 s is cheap, a cell of one hour is not. */
    @Test
    void aCheapCellIsPreferredAndOnlyHashedOnesAreComputedInPart() throws IOException {
        List<Cell> cells = ProbeFigure.GRID.sweep(Budget.STANDARD).cells();
        var records = new Evidence(directory);
        records.add("depth", List.of(taking(0.25, cells.getFirst(), List.of()), taking(3600, cells.get(1), List.of())));
        FigureEvidence evidence = evidence(ProbeFigure.CLAIM, records);
        assertThat(evidence.isRead(ProbeFigure.GRID)).isFalse();
        for (int i = 0; i < 8; i++) {
            assertThat(evidence.choose("depth", null).orElseThrow().record().cell())
                    .isEqualTo(cells.getFirst().id());
        }
        assertThat(evidence.isRead(ProbeFigure.GRID)).isTrue();
        assertThat(evidence.choosePart("depth")).isEmpty();
        assertThat(evidence.notInPart("depth")).startsWith("1 of 2 cells took more than");
        records.add(
                "depth",
                List.of(taking(3600, cells.get(2), List.of(new CellRecord.StepHash(1, 0.5, "0123456789abcdef")))));
        assertThat(evidence(ProbeFigure.CLAIM, records)
                        .choosePart("depth")
                        .orElseThrow()
                        .record()
                        .cell())
                .isEqualTo(cells.get(2).id());
    }

    private static CellRecord taking(double seconds, Cell cell, List<CellRecord.StepHash> hashes) {
        CellRecord done = MadeUpCells.done(cell, List.of());
        return done.withRun(new CellRecord.Run(1, seconds, done.run().environment(), hashes));
    }

    private static FigureEvidence evidence(FigureClaim claim, Evidence records) {
        return new FigureEvidence(Budget.STANDARD, List.of(claim), records);
    }
}
