package org.lemmata.figure.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.MadeUpCells.DIVERGED;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.MadeUpCells.share;
import static org.lemmata.claim.Verdicts.SCALAR;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.figure.depth.Figure3Left.CompletionRates.Model;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.GridFormat;
import org.lemmata.number.Rounding;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.track.Evidence;

/** Judges every sentence from made-up records that support, refute, or leave it open. */
class Figure3LeftTest {

    private static final int PREFIXES = 1024;

    /** Rates as in the paper's text, without random variation. */
    private static double asThePaperSays(Model model) {
        return switch (model.width()) {
            case 2 -> 0.1;
            case 16 -> model.isSingle() ? 0.6 : 0.7;
            default -> model.isSingle() ? 0.3 : 0.98;
        };
    }

    /** Cells with rates by model; seeds differ by up to 0.02. A rate of NaN stands for a diverged run. */
    private static Function<Cell, List<Measurement>> cells(ToDoubleFunction<Model> rates) {
        return cell -> measured(rates.applyAsDouble(model(cell)) + (cell.seed() - 3) * 0.005);
    }

    private static Model model(Cell cell) {
        return new Model(
                integer(cell, "model.width"), integer(cell, "model.layers"), integer(cell, "model.attention.heads"));
    }

    /** Greedy completions are all balanced, so they decide nothing. */
    private static List<Measurement> measured(double rate) {
        return Double.isNaN(rate)
                ? DIVERGED
                : List.of(
                        Measurement.share("completions.deeper", PREFIXES, PREFIXES),
                        share("completions.deeper.sampled", PREFIXES, rate));
    }

    private static Finding assertVerdict(FigureClaim claim, ToDoubleFunction<Model> rates, Outcome verdict) {
        return MadeUpCells.check(claim, cells(rates), verdict);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        for (FigureClaim claim : Figure3Left.CLAIMS) {
            assertThat(assertVerdict(claim, Figure3LeftTest::asThePaperSays, Outcome.SUPPORTED)
                            .seeds())
                    .startsWith(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void widthThatDoesNotHelpRefutes() {
        assertVerdict(Figure3Left.WIDTH, model -> 0.5, Outcome.INCONCLUSIVE);
        assertVerdict(Figure3Left.WIDTH, model -> model.width() == 128 ? 0.3 : 0.5, Outcome.REFUTED);
        // The rate grows from the smallest to the largest width, but falls in between.
        assertVerdict(
                Figure3Left.WIDTH,
                model -> model.width() == 2 ? 0.1 : model.width() == 16 ? 0.9 : 0.5,
                Outcome.REFUTED);
    }

    @Test
    void oneNarrowModelThatPerformsWellRefutes() {
        assertVerdict(Figure3Left.NARROW, model -> model.layers() == 4 ? 0.8 : 0.1, Outcome.REFUTED);
        assertVerdict(Figure3Left.NARROW, model -> model.layers() == 4 ? 0.5 : 0.1, Outcome.INCONCLUSIVE);
    }

    @Test
    void oneLayerAndHeadAsGoodAsManyRefutesTheirNeed() {
        assertVerdict(Figure3Left.LAYERS_AND_HEADS, model -> model.isSingle() ? 0.9 : 0.5, Outcome.REFUTED);
        assertVerdict(Figure3Left.LAYERS_AND_HEADS, model -> 0.5, Outcome.INCONCLUSIVE);
        // The need exists, but is greater in narrow models.
        assertVerdict(
                Figure3Left.LAYERS_AND_HEADS,
                model -> model.isSingle() ? 0.4 : model.width() == 2 ? 0.9 : 0.6,
                Outcome.REFUTED);
    }

    @Test
    void oneLayerAndHeadThatGainsWithWidthRefutesTheDecay() {
        assertVerdict(Figure3Left.DECAY, model -> model.width() == 128 ? 0.9 : 0.5, Outcome.REFUTED);
        assertVerdict(Figure3Left.DECAY, model -> 0.5, Outcome.INCONCLUSIVE);
    }

    @Test
    void oneLargeModelBelow95PercentRefutes() {
        assertVerdict(Figure3Left.ACCURACY, model -> model.heads() == 4 ? 0.9 : 0.98, Outcome.REFUTED);
        assertVerdict(Figure3Left.ACCURACY, model -> model.heads() == 4 ? 0.95 : 0.98, Outcome.INCONCLUSIVE);
        // Models with fewer layers may have any rate.
        assertVerdict(Figure3Left.ACCURACY, model -> model.layers() == 4 ? 0.98 : 0.1, Outcome.SUPPORTED);
    }

    @Test
    void oneTrainedRunThatCompletesEverythingRefutesThatOnlyTheClosedFormDoes() {
        Finding finding = assertVerdict(
                Figure3Left.CLOSED_FORM,
                model -> model.width() == 128 && model.layers() == 4 ? 1 : 0.9,
                Outcome.REFUTED);
        // Seeds 3, 4 and 5 reach 1; the others are slightly below.
        assertThat(finding.verdict().reason())
                .contains("3 of 5 runs with d = 128, L = 4, h = 2")
                .doesNotContain("closed form");
        // Six models of width 2, nine of each other width.
        assertThat(finding.measured().getLast()).satisfies(models -> {
            assertThat(models.name()).isEqualTo("models with a run that completes all prefixes");
            assertThat(models.value()).isEqualTo(3);
            assertThat(models.n()).isEqualTo(24);
        });
    }

    /** Cells without sampled completions leave those sentences open for which all greedy completions agree. */
    @Test
    void greedyCompletionsDecideNothingThatTheyAnswerAlike() {
        for (FigureClaim claim : Figure3Left.CLAIMS) {
            boolean isAlike = List.of(Figure3Left.LAYERS_AND_HEADS, Figure3Left.DECAY, Figure3Left.CLOSED_FORM)
                    .contains(claim);
            MadeUpCells.check(
                    claim,
                    cell -> List.of(
                            share("completions.deeper", PREFIXES, model(cell).width() == 2 ? 0.1 : 1)),
                    isAlike ? Outcome.INCONCLUSIVE : Outcome.SUPPORTED);
        }
    }

    @Test
    void aRunThatDivergedCompletesNothing() {
        Finding finding =
                assertVerdict(Figure3Left.ACCURACY, model -> model.heads() == 4 ? Double.NaN : 0.98, Outcome.REFUTED);
        assertThat(finding.verdict().reason()).contains("d = 128, L = 4, h = 4 0.000");
    }

    /** The grid lacks the closed form's weights, so claims that run the closed form fail. */
    @Test
    void theClosedFormRunsWhereItIsShownAlone() {
        var without = new Computation(
                Kernels.scalar(), Optional.of(PrecisionPolicy.tensors(Rounding.toNearestEven(new GridFormat(0.375)))));
        FigureCells cells = MadeUpCells.of(Figure3Left.WIDTH.grid(), cells(Figure3LeftTest::asThePaperSays));
        for (FigureClaim claim : Figure3Left.CLAIMS) {
            if (claim.equals(Figure3Left.WIDTH) || claim.equals(Figure3Left.CLOSED_FORM)) {
                assertThatThrownBy(() -> claim.judge(cells, without)).isInstanceOf(UnmetDemandException.class);
                assertThat(claim.judge(cells, SCALAR).seeds()).endsWith(ClosedFormCompletions.DEEPER_SEED);
            } else {
                assertThat(claim.judge(cells, without).seeds()).containsExactly(1L, 2L, 3L, 4L, 5L);
            }
        }
    }

    /** The distribution of trained runs' prefixes: every drawn word is cut at a deep position. */
    @Test
    void prefixesOfTheClosedFormAreCutAsThoseOfTrainedRunsAre() {
        var words = new DyckWords(16, 9, 16);
        var random = new Random(7);
        List<int[]> expected = Stream.generate(() -> DyckWords.cut(words.sampleIds(random), 9, random))
                .limit(1024)
                .toList();
        assertThat(ClosedFormCompletions.deeper(new Random(7)).toArray(int[][]::new))
                .isDeepEqualTo(expected.toArray(int[][]::new));
    }

    /** Evidence and users' sweeps are found by these ids, so new keys and changed defaults must not alter them. */
    @Test
    void theCellsHaveTheIdsThatTheyWereRecordedUnder() throws IOException {
        List<String> reduced = ids(Budget.STANDARD);
        assertThat(reduced).hasSize(120).contains("7679367102abde6c");
        assertThat(Evidence.ofCheckout().read("depth").keySet()).containsAll(reduced);
        assertThat(ids(Budget.FULL)).hasSize(210).startsWith("bf7223e84e6f6790").endsWith("5f11031ef7aac560");
    }

    private static List<String> ids(Budget budget) throws IOException {
        return Figure3Left.WIDTH.grid().sweep(budget).cells().stream()
                .map(Cell::id)
                .toList();
    }

    @Test
    void prefixesOfTheClosedFormAreDeeperThanItsTrainingWord() {
        assertThat(ClosedFormCompletions.deeper(new Random(1)))
                .hasSize(1024)
                .allSatisfy(prefix -> assertThat(DyckWords.depth(prefix)).isGreaterThan(8));
        assertThat(ClosedFormCompletions.deeper(new Judgement(SCALAR)).value()).isEqualTo(1);
    }

    @Test
    void thePictureHasALineForEachNumberOfLayersAndThePointOfTheClosedForm() {
        var figure = MadeUpCells.judge(Figure3Left.WIDTH, cells(Figure3LeftTest::asThePaperSays))
                .figures()
                .getFirst();
        assertThat(figure.series())
                .extracting(series -> series.name() + ": " + series.x().size())
                .containsExactly(
                        "1 layer, 1 head: 3",
                        "1 layer, 1 head, greedily: 3",
                        "1 layer, best of its heads: 3",
                        "2 layers, best of its heads: 3",
                        "4 layers, best of its heads: 3",
                        "closed form, d = h = L = 1: 1",
                        "without learning: brackets at the rates of their positions: 2",
                        "the paper's 95% for d = 128 and more, 2 heads and more, 4 layers: 2");
        assertThat(figure.series().getFirst().y().getLast()).isBetween(0.29, 0.31);
    }
}
