package org.lemmata.figure.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.MadeUpCells.DIVERGED;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.MadeUpCells.share;
import static org.lemmata.claim.Verdicts.SCALAR;

import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.figure.depth.Figure3Right.SampleSizeRates;
import org.lemmata.figure.depth.Figure3Right.SampleSizeRates.TrainingSet;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.task.depth.DyckWords;

/** Judges every sentence from made-up records that support, refute, or leave it open. */
class Figure3RightTest {

    private static final int PREFIXES = 1024;

    /** The rate in sample, and the rate on deeper prefixes. */
    private record Rates(ToDoubleFunction<TrainingSet> inSample, ToDoubleFunction<TrainingSet> deeper) {}

    /** Rates as in the paper's text, without random variation. */
    private static final Rates PAPER = new Rates(set -> 0.98, Figure3RightTest::deeperAsThePaperSays);

    private static double deeperAsThePaperSays(TrainingSet set) {
        double most = set.depth() == 4 ? 0.1 : set.depth() == 8 ? 0.6 : 0.9;
        return set.words() <= 10 ? 0.05 : most;
    }

    private static Rates deeper(ToDoubleFunction<TrainingSet> deeper) {
        return new Rates(PAPER.inSample(), deeper);
    }

    private static List<Measurement> measured(Cell cell, Rates rates) {
        var set = new TrainingSet(integer(cell, "task.settings.maxDepth"), integer(cell, "data.train"));
        double spread = (cell.seed() - 3) * 0.005;
        double inSample = rates.inSample().applyAsDouble(set) + spread;
        return Double.isNaN(inSample)
                ? DIVERGED
                : List.of(
                        share(SampleSizeRates.IN_SAMPLE, PREFIXES, inSample),
                        share(SampleSizeRates.DEEPER, PREFIXES, rates.deeper().applyAsDouble(set) + spread));
    }

    private static Finding assertVerdict(FigureClaim claim, Rates rates, Outcome verdict) {
        return MadeUpCells.check(claim, cell -> measured(cell, rates), verdict);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        for (FigureClaim claim : Figure3Right.CLAIMS) {
            assertThat(assertVerdict(claim, PAPER, Outcome.SUPPORTED).seeds()).startsWith(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void oneModelThatForgetsItsTrainingWordsRefutesTheTopOfThePlot() {
        for (double rate : List.of(0.9, 0.95)) {
            var rates = new Rates(set -> set.depth() == 8 && set.words() == 1000 ? rate : 0.98, PAPER.deeper());
            assertVerdict(Figure3Right.IN_SAMPLE, rates, rate == 0.9 ? Outcome.REFUTED : Outcome.INCONCLUSIVE);
        }
        assertVerdict(
                Figure3Right.IN_SAMPLE,
                new Rates(set -> set.depth() == 12 && set.words() == 1 ? Double.NaN : 0.98, PAPER.deeper()),
                Outcome.REFUTED);
    }

    @Test
    void aSmallSetThatGeneralizesRefutesTheGap() {
        for (double rate : List.of(0.7, 0.48)) {
            assertVerdict(
                    Figure3Right.GAP,
                    deeper(set -> set.words() == 10 && set.depth() == 12 ? rate : 0.05),
                    rate == 0.7 ? Outcome.REFUTED : Outcome.INCONCLUSIVE);
        }
        // Larger sets may generalize.
        assertVerdict(Figure3Right.GAP, deeper(set -> set.words() <= 10 ? 0.05 : 0.98), Outcome.SUPPORTED);
    }

    @Test
    void moreWordsThatDoNotHelpRefuteTheSize() {
        assertVerdict(Figure3Right.SIZE, deeper(set -> 0.7), Outcome.INCONCLUSIVE);
        assertVerdict(
                Figure3Right.SIZE, deeper(set -> set.depth() == 12 && set.words() > 10 ? 0.5 : 0.7), Outcome.REFUTED);
    }

    @Test
    void oneShallowModelThatGeneralizesRefutesThatNoneDoes() {
        assertVerdict(Figure3Right.SHALLOW, deeper(set -> set.words() == 1000 ? 0.6 : 0.1), Outcome.REFUTED);
        assertVerdict(Figure3Right.SHALLOW, deeper(set -> set.words() == 1000 ? 0.53 : 0.1), Outcome.INCONCLUSIVE);
        assertVerdict(Figure3Right.SHALLOW, deeper(set -> set.depth() == 4 ? 0.1 : 0.9), Outcome.SUPPORTED);
    }

    @Test
    void depthOfTrainingThatDoesNotMatterRefutes() {
        assertVerdict(Figure3Right.DEPTH, deeper(set -> 0.7), Outcome.INCONCLUSIVE);
        assertVerdict(Figure3Right.DEPTH, deeper(set -> set.depth() == 8 ? 0.9 : set.depth() / 20.0), Outcome.REFUTED);
    }

    @Test
    void aModelOfOneWordAsGoodAsTheClosedFormLeavesItOpen() {
        assertVerdict(Figure3Right.CLOSED_FORM, deeper(set -> set.depth() == 8 ? 1 : 0.1), Outcome.INCONCLUSIVE);
        // The closed form does not depend on these records, because it is computed.
        assertThat(ClosedFormCompletions.deep(new Judgement(SCALAR)).value()).isEqualTo(1);
        assertThat(ClosedFormCompletions.deep())
                .hasSize(1024)
                .allMatch(prefix -> DyckWords.depth(prefix) >= 13 && DyckWords.isPrefix(prefix, 16))
                .extracting(DyckWords::text)
                .doesNotHaveDuplicates();
    }

    @Test
    void theGridHasThePapersSizesAndTheModelsOfFigureFour() throws IOException {
        Sweep full = Figure3Right.SIZE.grid().sweep(Budget.FULL);
        assertThat(full.cells()).hasSize(15 * 5);
        assertThat(Figure3Right.SIZE.grid().sweep(Budget.STANDARD).cells()).hasSize(12 * 5);
        assertThat(full.cells().stream()
                        .filter(cell -> !cell.settings().containsKey("evaluation.trials"))
                        .map(cell -> cell.settings().get("task.settings.maxDepth") + " "
                                + cell.settings().get("data.train"))
                        .distinct())
                .containsExactlyInAnyOrder("4 1", "8 10000000");
    }

    @Test
    void thePictureHasTwoLinesForEachDepthAndThePointOfTheClosedForm() {
        var figure = assertVerdict(Figure3Right.SIZE, PAPER, Outcome.SUPPORTED)
                .figures()
                .getFirst();
        assertThat(figure.series()).hasSize(8);
        assertThat(Stream.of(0, 1).map(i -> figure.series().get(i).x()))
                .allMatch(x -> x.equals(List.of(0.0, 1.0, 3.0, 5.0)));
        assertThat(figure.series().getFirst().y().getFirst()).isBetween(0.04, 0.06);
    }
}
