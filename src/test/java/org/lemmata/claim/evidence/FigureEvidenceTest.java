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
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.ProbeFigure;
import org.lemmata.claim.Sizes;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.sweep.Cell;
import org.lemmata.track.Evidence;

class FigureEvidenceTest {

    @TempDir
    private Path directory;

    /** A named cell is chosen anyway: the error then names its text. */
    @Test
    void aCellIsRecomputedOnlyIfItsTextIsPresent() throws IOException {
        var grid = new FigureGrid("depth.probe-text", ProbeFigure.class, "probe-text.yaml");
        FigureClaim claim = new FigureSentences<>(
                        "depth.text", new Source(Paper.DEPTH, "figure 0"), grid, new Sizes("a", "b", "c"), x -> x)
                .claim("x", "It is.", "It is.", (cells, judgement) -> {});
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

    private static FigureEvidence evidence(FigureClaim claim, Evidence records) {
        return new FigureEvidence(Budget.STANDARD, List.of(claim), records);
    }
}
