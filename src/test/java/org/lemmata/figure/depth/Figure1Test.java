package org.lemmata.figure.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.MadeUpCells.share;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;

/** Judges every sentence from made-up records that support, refute, or leave it open. */
class Figure1Test {

    private static final int QUESTIONS = 1000;

    /** Majority rates in sample and for held-out functions, below the made-up rates. */
    private static final double MAJORITY = 0.09;

    private static final double MAJORITY_OF_HELD_OUT = 0.002;

    /** The share of correct answers, by training depth, test depth, and whether in sample. */
    private interface Rates {
        double of(int trained, int tested, boolean inSample);
    }

    /** Rates as in the paper's text, without random variation. */
    private static double asThePaperSays(int trained, int tested, boolean inSample) {
        if (tested == 3) {
            double best = inSample ? 0.68 : 0.09;
            return trained == 3 ? best : best * 0.6;
        }
        return inSample ? 0.1 + 0.05 * trained : 0.01;
    }

    private static List<Measurement> measured(Cell cell, Rates rates) {
        int trained = integer(cell, "task.settings.q");
        double spread = 1 + (cell.seed() - 3) * 0.01;
        var measured = new ArrayList<Measurement>();
        for (int tested : List.of(3, 6)) {
            for (boolean inSample : List.of(true, false)) {
                double rate = rates.of(trained, tested, inSample) * spread;
                if (Double.isFinite(rate)) {
                    String name = "answers." + (inSample ? "inSample.q" : "outOfSample.q") + tested;
                    measured.add(share(name, QUESTIONS, rate));
                    measured.add(share(name + ".majority", QUESTIONS, inSample ? MAJORITY : MAJORITY_OF_HELD_OUT));
                } else {
                    measured.addAll(MadeUpCells.DIVERGED);
                }
            }
        }
        return measured;
    }

    /** The paper's rates, except for models trained on one depth. */
    private static Rates with(int depth, double rate) {
        return (trained, tested, inSample) -> trained == depth ? rate : asThePaperSays(trained, tested, inSample);
    }

    private static Finding assertVerdict(FigureClaim claim, Rates rates, Outcome verdict) {
        return MadeUpCells.check(claim, cell -> measured(cell, rates), verdict);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        for (FigureClaim claim : Figure1.CLAIMS) {
            assertVerdict(claim, Figure1Test::asThePaperSays, Outcome.SUPPORTED);
        }
    }

    /** Questions that were not asked were not answered wrongly. */
    @Test
    void cellsWithoutQuestionsOfADepthAreNotJudged() {
        for (FigureClaim claim : List.of(Figure1.BEST, Figure1.GAP, Figure1.OUT_OF_REACH)) {
            assertThatThrownBy(() -> MadeUpCells.judge(
                            claim,
                            cell -> measured(cell, Figure1Test::asThePaperSays).stream()
                                    .filter(each -> !each.name().contains(".q6"))
                                    .toList()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--cells: expected cells with the measurement answers.")
                    .hasMessageContaining(".q6");
        }
    }

    @Test
    void theOppositeRefutesEverySentence() {
        Rates opposite = (trained, tested, inSample) -> 0.8 - asThePaperSays(trained, tested, inSample);
        for (FigureClaim claim : Figure1.CLAIMS) {
            assertVerdict(claim, opposite, Outcome.REFUTED);
        }
    }

    @Test
    void equalRatesLeaveOpenWhatComparesThem() {
        for (FigureClaim claim :
                List.of(Figure1.GAP, Figure1.BEST, Figure1.NEAREST, Figure1.DEEPER, Figure1.APPROACH)) {
            assertVerdict(claim, (trained, tested, inSample) -> 0.3, Outcome.INCONCLUSIVE);
        }
        assertVerdict(Figure1.OUT_OF_REACH, (trained, tested, inSample) -> inSample ? 0.3 : 0.05, Outcome.INCONCLUSIVE);
    }

    @Test
    void modelsThatDoNoBetterThanTheMajorityAnswerDecideNothing() {
        for (FigureClaim claim : Figure1.CLAIMS) {
            assertVerdict(claim, (trained, tested, inSample) -> inSample ? MAJORITY : 0, Outcome.NOT_LEARNED);
            Finding finding = assertVerdict(claim, Figure1Test::asThePaperSays, Outcome.SUPPORTED);
            assertThat(finding.trivial()).isNotEmpty().allSatisfy(answer -> {
                assertThat(answer.name()).startsWith("always the majority answer, q = ");
                assertThat(answer.value()).isEqualTo(MAJORITY);
            });
        }
    }

    @Test
    void oneDepthAboveThatOfTheTestRefutesThatItIsTheHighest() {
        assertVerdict(Figure1.NEAREST, with(4, 0.9), Outcome.REFUTED);
    }

    @Test
    void aFallOnTheWayRefutesThatRatesGrow() {
        assertVerdict(Figure1.APPROACH, with(4, 0.05), Outcome.REFUTED);
    }

    /** A diverged run counts as having no correct answers. */
    @Test
    void runsWithoutAnswersCount() {
        assertVerdict(Figure1.BEST, with(3, Double.NaN), Outcome.INCONCLUSIVE);
    }

    @Test
    void theGridHasThePapersSizes() throws IOException {
        assertThat(Figure1.GRID.sweep(Budget.FULL).cells()).hasSize(6 * 5);
        assertThat(Figure1.GRID.sweep(Budget.STANDARD).cells()).hasSize(5 * 5);
    }

    @Test
    void eachSeedHoldsOutOtherFunctions() throws IOException {
        assertThat(Figure1.GRID.sweep(Budget.STANDARD).cells())
                .allMatch(cell ->
                        Long.toString(cell.seed()).equals(cell.settings().get("task.settings.heldOutSeed")));
    }

    @Test
    void thePictureHasTheBaselineBeside() {
        Finding finding = assertVerdict(Figure1.GAP, Figure1Test::asThePaperSays, Outcome.SUPPORTED);
        var series = finding.figures().getFirst().series();
        assertThat(series).hasSize(6);
        assertThat(series.getFirst().x()).containsExactly(1.0, 2.0, 3.0, 4.0, 6.0);
        assertThat(series.get(2).y()).containsExactly(MAJORITY, MAJORITY);
    }
}
