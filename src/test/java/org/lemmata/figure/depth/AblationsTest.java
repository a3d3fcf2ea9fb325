package org.lemmata.figure.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.MadeUpCells.share;
import static org.lemmata.claim.Verdicts.SCALAR;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.figure.depth.Ablations.Model;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.track.CellRecord;

/** Judges figures 6 and 7 from made-up records that support, refute, or leave them open. */
class AblationsTest {

    /** Rates as in the paper's text, without random variation. */
    private static double rateAsThePaperSays(Model model, int words) {
        if (words <= 64) {
            return model == Model.SIGNS ? 0.5 : 0.1;
        }
        return switch (model) {
            case TRAINED -> 0.95;
            case WITHOUT_POSITIONS -> 0.6;
            case SIGNS -> 0.8;
            case IDENTITY -> 0.4;
            case SINGLE -> 0.5;
        };
    }

    /** Ends of sums of positions as in the paper's text. */
    private static double endAsThePaperSays(Model model, int words) {
        return model == Model.SIGNS ? 1.5 : model == Model.IDENTITY ? 0.6 : 0.2;
    }

    private static Finding judge(FigureClaim claim) {
        return MadeUpCells.judge(
                claim, cell -> measured(cell, AblationsTest::rateAsThePaperSays, AblationsTest::endAsThePaperSays));
    }

    private static List<Measurement> measured(
            Cell cell, ToDoubleBiFunction<Model, Integer> rates, ToDoubleBiFunction<Model, Integer> ends) {
        Model model = Model.valueOf(model(cell));
        int words = integer(cell, "data.train");
        double spread = (cell.seed() - 3) * 0.005;
        var measured = new ArrayList<Measurement>();
        double rate = rates.applyAsDouble(model, words) + spread;
        double end = ends.applyAsDouble(model, words) + spread;
        measured.add(share(Ablations.UNSEEN, 1024, rate));
        measured.add(share(Ablations.IN_SAMPLE, 1024, rate));
        measured.add(weight("positions.spread", 2));
        measured.add(weight("positions.endSpread", 2 * end));
        measured.add(weight("positions.size.0", 1));
        measured.add(weight("positions.size.1", 63));
        for (int t = 0; t < 4; t++) {
            double sum = t * end / 3;
            measured.add(weight("positions.centre.0." + t, sum));
            measured.add(weight("positions.centre.1." + t, -sum));
        }
        return measured;
    }

    private static Measurement weight(String name, double value) {
        return Measurement.exact(name, value, "weights", 1);
    }

    /** The model of a cell, determined from other settings than in the claims. */
    private static String model(Cell cell) {
        if (!has(cell, "optimizer.groups.0.frozen", "true")) {
            return has(cell, "model.positions.kind", "none") ? "WITHOUT_POSITIONS" : "TRAINED";
        }
        return has(cell, "optimizer.groups.1.frozen", "true")
                ? "IDENTITY"
                : has(cell, "model.attention.heads", "1") ? "SINGLE" : "SIGNS";
    }

    private static void assertVerdict(FigureClaim claim, ToDoubleBiFunction<Model, Integer> rates, Outcome verdict) {
        MadeUpCells.check(claim, cell -> measured(cell, rates, AblationsTest::endAsThePaperSays), verdict);
    }

    private static void assertEnds(FigureClaim claim, ToDoubleBiFunction<Model, Integer> ends, Outcome verdict) {
        MadeUpCells.check(claim, cell -> measured(cell, AblationsTest::rateAsThePaperSays, ends), verdict);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        for (FigureClaim claim : Figure6.CLAIMS) {
            assertVerdict(claim, AblationsTest::rateAsThePaperSays, Outcome.SUPPORTED);
        }
        for (FigureClaim claim : Figure7.CLAIMS) {
            assertEnds(claim, AblationsTest::endAsThePaperSays, Outcome.SUPPORTED);
        }
    }

    @Test
    void equalRatesAndEndsLeaveEverythingOpen() {
        for (FigureClaim claim : Figure6.CLAIMS) {
            assertVerdict(claim, (model, words) -> 0.5, Outcome.INCONCLUSIVE);
        }
        for (FigureClaim claim : List.of(Figure7.IDENTITY, Figure7.SINGLE)) {
            assertEnds(claim, (model, words) -> 1, Outcome.INCONCLUSIVE);
        }
        // Two of the five seeds are below, three are not.
        for (FigureClaim claim : List.of(Figure7.AWAY, Figure7.THEORY)) {
            assertEnds(claim, (model, words) -> 0.5, Outcome.INCONCLUSIVE);
        }
    }

    @Test
    void theOppositeRefutesEverySentence() {
        for (FigureClaim claim : Figure6.CLAIMS) {
            // The factor keeps rates high enough for a verdict.
            assertVerdict(claim, (model, words) -> 1 - 0.7 * rateAsThePaperSays(model, words), Outcome.REFUTED);
        }
        for (FigureClaim claim : Figure7.CLAIMS) {
            assertEnds(claim, (model, words) -> 1.9 - endAsThePaperSays(model, words), Outcome.REFUTED);
        }
    }

    @Test
    void oneModelAboveTheTrainedOneRefutesThatItIsSuperior() {
        assertVerdict(
                Figure6.TRAINED,
                (model, words) -> model == Model.SINGLE ? 0.99 : rateAsThePaperSays(model, words),
                Outcome.REFUTED);
        // The sentence permits this for small sets.
        assertVerdict(
                Figure6.TRAINED,
                (model, words) -> model == Model.SINGLE && words < 1000 ? 0.99 : rateAsThePaperSays(model, words),
                Outcome.SUPPORTED);
    }

    @Test
    void runsOfOneSeedAtSeveralLearningRatesAreNotPooled() {
        FigureCells cells = MadeUpCells.of(
                Figure6.GRID,
                cell -> measured(cell, AblationsTest::rateAsThePaperSays, AblationsTest::endAsThePaperSays));
        var both = new ArrayList<>(cells.records());
        cells.records().forEach(run -> {
            var axes = new LinkedHashMap<>(run.axes());
            axes.put("optimizer.learning-rate", "1.0");
            both.add(new CellRecord(
                    run.cell() + "-",
                    run.trial(),
                    axes,
                    run.seed(),
                    run.settings(),
                    run.status(),
                    null,
                    run.measurements(),
                    run.run()));
        });
        for (FigureClaim claim : List.of(Figure6.POSITIONS, Figure7.AWAY)) {
            assertThatThrownBy(() -> claim.judge(new FigureCells(Budget.QUICK, cells.sweep(), both), SCALAR))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("--cells: expected one run per seed of each compared model, got 2 that differ in"
                            + " optimizer.learning-rate");
        }
    }

    @Test
    void theGridHasThePapersSizes() throws IOException {
        assertThat(Figure6.GRID.sweep(Budget.FULL).cells()).hasSize(5 * 12 * 5);
        assertThat(Figure6.GRID.sweep(Budget.STANDARD).cells()).hasSize(5 * 4 * 5);
    }

    @Test
    void picturesAreDrawnFromTheRecords() {
        Finding rates = judge(Figure6.TRAINED);
        List<Series> lines = rates.figures().getFirst().series();
        assertThat(lines).hasSize(12);
        assertThat(lines.getFirst().x().stream().map(Math::round)).containsExactly(2L, 6L, 10L, 14L);
        Series closedForm = lines.getLast();
        assertThat(closedForm.x()).containsExactly(0.0);
        // This is computed: failures are at most 2N exp(-N), which is 4e-6 per prefix.
        assertThat(closedForm.y()).containsExactly(1.0);
        assertThat(rates.seeds()).containsExactly(1L, 2L, 3L, 4L, 5L, ClosedFormCompletions.UNSEEN_SEED);
        List<Series> ends = judge(Figure7.SINGLE).figures().getFirst().series();
        assertThat(ends).hasSize(4);
        Series first = ends.getFirst();
        assertThat(first.name()).isEqualTo("1 column");
        // The end of seed 1.
        assertThat(first.y().getLast()).isCloseTo(0.19, within(1e-12));
    }

    @Test
    void theClosedFormCompletesPrefixesOfAnyDepthAndLength() {
        List<int[]> prefixes = ClosedFormCompletions.unseen(DyckWords.ids("()".repeat(16)));
        assertThat(prefixes).hasSize(1024).allMatch(prefix -> DyckWords.isPrefix(prefix, 16));
        assertThat(prefixes).extracting(prefix -> prefix.length).contains(1, 31).allMatch(length -> length < 32);
    }

    @Test
    void theCurveOfTheClosedFormIsTheTrainingWordTurnedDownAndEndsNearTheOrigin() {
        // The first training word that `train` draws for these cells with seed 1.
        String word = "()()()(((()(()(((()()()))))())))";
        for (FigureClaim claim : List.of(Figure7.AWAY, Figure7.IDENTITY, Figure7.SINGLE)) {
            Series curve = judge(claim).figures().getFirst().series().getLast();
            assertThat(curve.name()).isEqualTo("closed form of one word");
            double stack = 0;
            for (int t = 0; t < 32; t++) {
                stack += word.charAt(t) == '(' ? 1 : -1;
                double next = t == 31 ? 0 : word.charAt(t + 1) == '(' ? 1 : -1;
                assertThat(curve.y().get(t)).as("after %d", t + 1).isEqualTo(-stack - 0.5 * next);
            }
            assertThat(curve.x()).hasSize(32);
            assertThat(Math.abs(curve.y().getLast())).isLessThanOrEqualTo(0.5);
        }
    }
}
