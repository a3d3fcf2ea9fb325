package org.lemmata.figure.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.track.CellRecord;

/** Judges claims from made-up shares of correct answers; the closed forms are run. */
class LengthComparisonTest {

    private static final FigureClaim WORDS = WordComparison.CLAIM;

    /** A share by layers, training length and test length; NaN for a diverged run. */
    private interface Share {
        double of(int layers, int length, int testLength);
    }

    static Stream<FigureClaim> numbers() {
        return Stream.of(NumberComparison.SIMPLE_TASK, NumberComparison.MOD_P_TASK);
    }

    private static double generalizes(int layers, int length, int testLength) {
        return length >= 16 || testLength <= length ? 0.99 : 0.6;
    }

    private static double endsAtItsLength(int layers, int length, int testLength) {
        return testLength <= length ? 1 : 0.2;
    }

    private static Finding judge(FigureClaim claim, Share shares) throws IOException {
        FigureCells cells = MadeUpCells.of(claim.grid(), cell -> measured(cell, shares));
        return claim.judge(cells, Computation.unrounded(Kernels.best()));
    }

    private static List<Measurement> measured(Cell cell, Share shares) {
        String task = cell.settings().getOrDefault("task.name", "");
        boolean words = task.equals("dyck-words");
        boolean law = task.equals("dyck-generation");
        int layers = integer(cell, "model.layers");
        int length = words
                ? 2 * integer(cell, "task.settings.N")
                : integer(cell, task.startsWith("dyck") ? "task.settings.maxLength" : "task.settings.length");
        String lengths =
                words ? "evaluation.completion-lengths." : law ? "evaluation.law-lengths." : "evaluation.lengths.";
        var measured = new ArrayList<Measurement>();
        for (int i = 0; cell.settings().containsKey(lengths + i); i++) {
            int testLength = integer(cell, lengths + i);
            double share = shares.of(layers, length, testLength);
            if (!Double.isNaN(share)) {
                String name = words ? "completions.length." : law ? "law.right." : "right.";
                measured.add(MadeUpCells.share(name + testLength, 256, share));
            } else {
                measured.addAll(MadeUpCells.DIVERGED);
            }
        }
        return measured;
    }

    private static void assertVerdict(FigureClaim claim, Share shares, Outcome verdict) throws IOException {
        assertOutcome(judge(claim, shares), verdict);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void numbersGeneralizeFromTheLongerLength(FigureClaim claim) throws IOException {
        assertVerdict(claim, LengthComparisonTest::generalizes, Outcome.SUPPORTED);
        // Models of two layers are enough to refute it.
        assertVerdict(
                claim,
                (layers, length, test) -> layers == 2 && test > 1000 ? 0.8 : generalizes(layers, length, test),
                Outcome.REFUTED);
        // Both training lengths are equally good.
        assertVerdict(claim, (layers, length, test) -> 0.99, Outcome.INCONCLUSIVE);
        assertVerdict(
                claim, (layers, length, test) -> test <= length ? 0.99 : length < 16 ? 0.2 : 0.9, Outcome.INCONCLUSIVE);
        assertVerdict(claim, (layers, length, test) -> length < 16 ? 1 : 0.95, Outcome.REFUTED);
    }

    private static Finding judgeLengths(FigureClaim claim, String lengths) throws IOException {
        Sweep sweep = claim.grid().sweep("standard", List.of("axes.task.settings.length=" + lengths));
        List<CellRecord> records = sweep.cells().stream()
                .map(cell -> MadeUpCells.done(cell, measured(cell, LengthComparisonTest::generalizes)))
                .toList();
        return claim.judge(new FigureCells(Budget.QUICK, sweep, records), Computation.unrounded(Kernels.best()));
    }

    /** Every shorter N is compared with the longest one of the same number of layers. */
    @Test
    void usersMayTrainToSeveralLengthsButNotToOne() throws IOException {
        Finding finding = judgeLengths(NumberComparison.SIMPLE_TASK, "[4, 8, 16]");
        assertOutcome(finding, Outcome.SUPPORTED);
        assertThat(finding.verdict().reason())
                .contains("1 layer, shorter N, N = 8, T = 1024 0.6", "2 layers, shorter N, N = 4, T = 1024 0.6")
                .doesNotContain("N, N = 8, T = 1024 0.6 < 1 layer, shorter");
        assertThatThrownBy(() -> judgeLengths(NumberComparison.SIMPLE_TASK, "[16]"))
                .isInstanceOf(NoSuchElementException.class);
    }

    @Tag("long")
    @Test
    void wordsEndWhereTrainingEnds() throws IOException {
        assertVerdict(WORDS, LengthComparisonTest::endsAtItsLength, Outcome.SUPPORTED);
        assertVerdict(
                WORDS,
                (layers, length, test) -> layers == 2 ? 1 : endsAtItsLength(layers, length, test),
                Outcome.INCONCLUSIVE);
        assertVerdict(
                WORDS,
                (layers, length, test) -> layers == 2 && test == length ? 0.7 : endsAtItsLength(layers, length, test),
                Outcome.REFUTED);
        assertVerdict(WORDS, (layers, length, test) -> test > length ? 1 : 0.95, Outcome.REFUTED);
    }

    static Stream<FigureClaim> brackets() {
        return Stream.of(BracketComparison.RECOGNITION, BracketComparison.GENERATION);
    }

    /** Constructions answer everything up to 128 brackets; trained models must become worse on longer words. */
    @ParameterizedTest
    @MethodSource("brackets")
    void bracketsFallWhereConstructionsDoNot(FigureClaim claim) throws IOException {
        Share falls = (layers, length, test) -> test <= length ? 0.95 : 0.7;
        assertVerdict(claim, falls, Outcome.SUPPORTED);
        assertVerdict(
                claim,
                (layers, length, test) -> layers == 2 ? 0.9 : falls.of(layers, length, test),
                Outcome.INCONCLUSIVE);
        assertVerdict(claim, (layers, length, test) -> test <= length ? 0.8 : 0.95, Outcome.REFUTED);
        assertVerdict(claim, (layers, length, test) -> 0.5, Outcome.NOT_LEARNED);
        Series constructed = judge(claim, falls).figures().getFirst().series().getFirst();
        assertThat(constructed.name()).isEqualTo("closed form");
        assertThat(constructed.y()).hasSize(3).containsOnly(1.0);
    }

    /** The construction of claim 5.3 for words of 32 brackets opens instead of closing from length 65 on. */
    @Test
    void aClosedFormReachesTwiceItsLength() throws IOException {
        List<Series> series = judge(WORDS, LengthComparisonTest::endsAtItsLength)
                .figures()
                .getFirst()
                .series();
        assertThat(series).filteredOn(line -> line.name().startsWith("closed")).hasSize(3);
        assertThat(series).first().satisfies(line -> {
            assertThat(line.name()).isEqualTo("closed form with <start>");
            assertThat(line.x()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0);
            assertThat(line.y()).containsOnly(1.0);
        });
        assertThat(series.get(1).y()).containsOnly(1.0);
        assertThat(series.get(2).y()).containsExactly(1.0, 1.0, 0.0, 0.0, 0.0);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aPictureBeginsAtTheTrainingLength(FigureClaim claim) throws IOException {
        Finding finding = judge(claim, LengthComparisonTest::generalizes);
        List<Series> series = finding.figures().getFirst().series();
        assertThat(series)
                .extracting(Series::name)
                .containsExactly(
                        "closed form",
                        "1 layer, shorter N",
                        "1 layer, longer N",
                        "2 layers, shorter N",
                        "2 layers, longer N",
                        "without learning: the best at T = N");
        assertThat(series).allSatisfy(line -> assertThat(line.x().getFirst()).isZero());
        assertThat(series.get(0).y()).hasSize(7).containsOnly(1.0);
        assertThat(series.get(2).x().getLast()).isCloseTo(6, within(1e-12));
        assertThat(series.get(1).x().getLast()).isCloseTo(8, within(1e-12));
        assertThat(series.get(2).low().getLast()).isLessThan(series.get(2).y().getLast());
        assertThat(finding.seeds()).hasSize(9);
    }

    @Test
    void runsThatDivergedHaveNothingRight() throws IOException {
        assertVerdict(WORDS, (layers, length, test) -> Double.NaN, Outcome.NOT_LEARNED);
        assertVerdict(
                WORDS,
                (layers, length, test) ->
                        layers == 1 && test == 32 && length == 32 ? 0.6 : endsAtItsLength(layers, length, test),
                Outcome.REFUTED);
        assertVerdict(
                NumberComparison.SIMPLE_TASK,
                (layers, length, test) -> layers == 1 && length == 16 ? Double.NaN : generalizes(layers, length, test),
                Outcome.NOT_LEARNED);
    }
}
