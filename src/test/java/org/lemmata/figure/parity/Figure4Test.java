package org.lemmata.figure.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

class Figure4Test {

    /** The sizes that each method solves in the paper. */
    private static final Map<String, Set<String>> SOLVED = Map.of(
            "direct",
            Set.of(),
            "chain",
            Set.of("8"),
            "teacher-forcing",
            Set.of("8", "16", "32"),
            "self-consistency",
            Set.of("8", "16", "32"));

    @ParameterizedTest
    @CsvSource({
        "none, 8, SUPPORTED",
        "direct, 8, REFUTED",
        "chain, 16, REFUTED",
        "chain, 8, NOT_LEARNED",
        "self-consistency, 32, NOT_LEARNED"
    })
    void aMethodThatSolvesOthersThanInThePaper(String method, String size, Outcome outcome) {
        Finding finding = MadeUpCells.judge(Figure4.CLAIM, cell -> {
            String own = cell.settings().getOrDefault("method", "");
            String k = cell.settings().getOrDefault("size", "");
            boolean isOther = own.equals(method) && k.equals(size);
            boolean right = SOLVED.getOrDefault(own, Set.of()).contains(k) != isOther;
            return List.of(Measurement.share("right", 5000, right ? 5000 : 2510));
        });
        assertOutcome(finding, outcome);
        assertThat(finding.figures()).hasSize(3);
    }

    /** If only the method that must fail was run, nothing shows that the others succeed. */
    @Test
    void cellsOfOneMethodAreNotJudged() {
        FigureCells all = MadeUpCells.of(Figure4.CLAIM.grid(), cell -> List.of(Measurement.share("right", 5000, 2510)));
        List<CellRecord> direct = all.records().stream()
                .filter(run -> "direct".equals(run.settings().get("method")))
                .toList();
        assertThatThrownBy(() -> Figure4.CLAIM.judge(new FigureCells(all.sizes(), all.sweep(), direct), SCALAR))
                .isInstanceOf(NoSuchElementException.class);
    }
}
