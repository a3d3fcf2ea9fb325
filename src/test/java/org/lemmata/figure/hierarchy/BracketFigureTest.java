package org.lemmata.figure.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.Verdicts.SCALAR;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.track.CellRecord;

/** Judges claims from made-up accuracies; total variations are 1 minus the accuracies. */
class BracketFigureTest {

    private static final double TRIVIAL = 0.3;

    /** An accuracy; NaN for a diverged run. */
    private interface Accuracy {
        double of(boolean positions, boolean start, boolean beyond);
    }

    static Stream<FigureClaim> within() {
        return part("within");
    }

    private static Stream<FigureClaim> part(String name) {
        return BracketFigure.CLAIMS.stream().filter(claim -> claim.id().endsWith("." + name));
    }

    /** With positions 0.9 within and 0.5 beyond the training lengths, without them 0.8 and 0.78. */
    private static double asThePaperSays(boolean positions, boolean start, boolean beyond) {
        return positions ? beyond ? 0.5 : 0.9 : beyond ? 0.78 : 0.8;
    }

    private static List<Measurement> measured(Cell cell, Accuracy accuracy) {
        var all = new ArrayList<Measurement>();
        boolean positions = has(cell, "model.positions.kind", "table");
        boolean start = has(cell, "task.settings.start", "true");
        for (int i = 0; i < 2; i++) {
            String length = cell.settings().get("evaluation.law-lengths." + i);
            double value = accuracy.of(positions, start, i == 1);
            if (!Double.isNaN(value)) {
                // Five seeds around the value.
                double own = value + (cell.seed() - 3) * 0.002;
                all.add(measurement("law.closing." + length, own));
                all.add(measurement("law.variation." + length, 1 - own));
            } else {
                all.addAll(MadeUpCells.DIVERGED);
            }
            for (String answer : List.of("coin", "position", "close")) {
                all.add(measurement("law.closing." + length + "." + answer, TRIVIAL));
                all.add(measurement("law.variation." + length + "." + answer, 1 - TRIVIAL));
            }
        }
        return all;
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value, "probability", new Interval(value - 0.002, value + 0.002), 500, null);
    }

    private static void assertVerdict(String part, Accuracy accuracy, Outcome verdict) {
        part(part).forEach(claim -> MadeUpCells.check(claim, cell -> measured(cell, accuracy), verdict));
    }

    @Test
    void everySentenceHoldsAsThePaperSaysIt() {
        assertThat(BracketFigure.CLAIMS).hasSize(20);
        for (String part : List.of("within", "beyond", "slightly", "start")) {
            assertVerdict(part, BracketFigureTest::asThePaperSays, Outcome.SUPPORTED);
        }
    }

    @Test
    void everySentenceFailsTheOtherWayRound() {
        Accuracy others = (positions, start, beyond) -> asThePaperSays(!positions, start, beyond);
        assertVerdict("within", others, Outcome.REFUTED);
        assertVerdict("slightly", others, Outcome.REFUTED);
        assertVerdict("beyond", (positions, start, beyond) -> beyond ? 0.9 : 0.8, Outcome.REFUTED);
        assertVerdict("start", (positions, start, beyond) -> start ? 0.9 : 0.8, Outcome.REFUTED);
    }

    @Test
    void whatIsAlikeIsLeftOpen() {
        Accuracy same = (positions, start, beyond) -> 0.8;
        for (String part : List.of("within", "beyond", "slightly")) {
            assertVerdict(part, same, Outcome.INCONCLUSIVE);
        }
        assertVerdict("start", same, Outcome.SUPPORTED);
        assertVerdict("start", (positions, start, beyond) -> start ? 0.85 : 0.8, Outcome.INCONCLUSIVE);
    }

    /** One of the four models is enough, if it diverged or does not beat a trivial answer. */
    @Test
    void modelsThatHaveNotLearnedDecideNothing() {
        Accuracy diverged = (positions, start, beyond) ->
                positions && start ? Double.NaN : asThePaperSays(positions, start, beyond);
        Accuracy trivial = (positions, start, beyond) -> positions ? asThePaperSays(true, start, beyond) : TRIVIAL;
        for (String part : List.of("within", "beyond", "slightly", "start")) {
            assertVerdict(part, diverged, Outcome.NOT_LEARNED);
            assertVerdict(part, trivial, Outcome.NOT_LEARNED);
        }
    }

    /** Models of equal seeds are tested on the same words. */
    @Test
    void aTrivialAnswerCountsTheWordsOfASeedOnce() {
        FigureClaim claim = within().findFirst().orElseThrow();
        double half = 0.002 / Math.sqrt(5);
        assertThat(MadeUpCells.judge(claim, cell -> measured(cell, BracketFigureTest::asThePaperSays))
                        .trivial())
                .hasSize(4)
                .allSatisfy(answer -> {
                    assertThat(answer.interval().low()).isCloseTo(TRIVIAL - half, offset(1e-12));
                    assertThat(answer.interval().high()).isCloseTo(TRIVIAL + half, offset(1e-12));
                });
    }

    @Test
    void aMissingModelIsNotJudged() {
        FigureClaim claim = within().findFirst().orElseThrow();
        FigureCells all = MadeUpCells.of(claim.grid(), cell -> measured(cell, BracketFigureTest::asThePaperSays));
        List<CellRecord> without = all.records().stream()
                .filter(run -> !"table".equals(run.settings().get("model.positions.kind")))
                .toList();
        assertThatThrownBy(() -> claim.judge(new FigureCells(all.sizes(), all.sweep(), without), SCALAR))
                .isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @MethodSource("within")
    void picturesHaveALineForEachVariantAndRangeAndForTheBestTrivialAnswer(FigureClaim claim) {
        Finding finding = MadeUpCells.judge(claim, cell -> measured(cell, BracketFigureTest::asThePaperSays));
        assertThat(finding.figures()).hasSize(claim.id().startsWith("hierarchy.figure-3.") ? 2 : 1);
        assertThat(finding.figures()).allSatisfy(picture -> {
            assertThat(picture.series()).hasSize(9);
            assertThat(picture.series().getFirst().name()).isEqualTo("PE, BOS, n <= 64");
            assertThat(picture.series().get(1).name()).isEqualTo("PE, BOS, n to 76");
            assertThat(picture.series().getLast().name()).startsWith("without learning: ");
        });
        assertThat(finding.trivial()).isNotEmpty();
    }
}
