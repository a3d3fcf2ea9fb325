package org.lemmata.figure.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.StepHash;

/** Judges claims from made-up records. */
class GeneralTransformerTest {

    private static List<Measurement> measured(Cell cell) {
        if (diverged(cell)) {
            return MadeUpCells.DIVERGED;
        }
        int bits = integer(cell, "task.settings.bits");
        boolean chain = has(cell, "task.settings.chain", "true");
        return List.of(
                MadeUpCells.share("right." + (chain ? 2 * bits - 1 : bits + 1), 256, chain || bits == 4 ? 1 : 0.3));
    }

    /** One run of the models that must not learn. */
    private static boolean diverged(Cell cell) {
        return has(cell, "task.settings.chain", "false") && has(cell, "task.settings.bits", "8") && cell.seed() == 2;
    }

    /** A run that diverged after two steps has two losses, the others four. */
    @Test
    void theCurveOfLossesEndsWhereTheFirstRunEnds() {
        FigureCells cells = MadeUpCells.of(GeneralTransformer.CHAIN.grid(), GeneralTransformerTest::measured);
        List<CellRecord> withLosses = cells.records().stream()
                .map(run -> run.withRun(new CellRecord.Run(
                        1,
                        1,
                        Map.of(),
                        LongStream.range(0, diverged(cells.cell(run)) ? 2 : 4)
                                .mapToObj(i -> new StepHash(1L << i, 1, "0123456789abcdef"))
                                .toList())))
                .toList();
        Finding finding =
                GeneralTransformer.CHAIN.judge(new FigureCells(cells.sizes(), cells.sweep(), withLosses), SCALAR);
        assertSupported(finding);
        assertThat(finding.figures().getFirst().series())
                .extracting(line -> line.name() + " " + line.x().size())
                .contains("with the chain, longer N 4", "without it, longer N 2");
    }
}
