package org.lemmata.figure.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;
import static org.lemmata.claim.MadeUpCells.integer;
import static org.lemmata.claim.Verdicts.assertSupported;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractDoubleAssert;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.figure.length.Fit.Jackknife;
import org.lemmata.figure.length.Fit.PowerLaw;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;

/** Judges figures 1 to 3 from made-up records that support, refute, or leave them open. */
class LengthFiguresTest {

    private static void assertVerdict(FigureClaim claim, Loss losses, Outcome verdict) {
        MadeUpCells.check(
                claim, cell -> measured(cell, losses, LengthFiguresTest::weightAsThePaperSays, 0.05), verdict);
    }

    private static void assertWeights(FigureClaim claim, Weight weights, Outcome verdict) {
        MadeUpCells.check(claim, cell -> measured(cell, LengthFiguresTest::asThePaperSays, weights, 0.02), verdict);
    }

    private static Finding judge(FigureClaim claim, Loss losses) {
        return judge(claim, losses, LengthFiguresTest::weightAsThePaperSays, 0.05);
    }

    private static AbstractDoubleAssert<?> assertExponent(Finding finding) {
        return assertThat(finding.measured())
                .filteredOn(each -> each.name().startsWith("c of N"))
                .singleElement()
                .extracting(Measurement::value, DOUBLE);
    }

    /** The paper's losses, times a factor. */
    private static Loss times(Loss factor) {
        return (parameter, length, test) ->
                asThePaperSays(parameter, length, test) * factor.of(parameter, length, test);
    }

    /** The paper's weights; {@code another} is {@code weight} at training lengths for which {@code isAnother} holds. */
    private static Weight with(String another, double weight, IntPredicate isAnother) {
        return (name, length) ->
                name.equals(another) && isAnother.test(length) ? weight : weightAsThePaperSays(name, length);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        Stream.concat(SimpleTaskFigure.CLAIMS.stream(), ModPTaskFigure.CLAIMS.stream())
                .forEach(claim -> assertVerdict(claim, LengthFiguresTest::asThePaperSays, Outcome.SUPPORTED));
        for (FigureClaim claim : Figure3.CLAIMS) {
            assertWeights(claim, LengthFiguresTest::weightAsThePaperSays, Outcome.SUPPORTED);
        }
    }

    @Test
    void aLossThatGrowsWithTheTestLengthRefutesThePlateau() {
        for (FigureClaim claim : List.of(SimpleTaskFigure.LEFT, ModPTaskFigure.LEFT)) {
            Loss growing = times((parameter, length, test) -> Math.sqrt(test) / 40);
            assertVerdict(claim, growing, Outcome.REFUTED);
            // One of many lines has little weight, but lines that do not beat a constant answer, which is flat, have
            // none.
            assertVerdict(
                    claim,
                    times((parameter, length, test) -> parameter == 2 && length == 4 ? Math.sqrt(test) / 40 : 1),
                    Outcome.SUPPORTED);
            assertVerdict(
                    claim,
                    (parameter, length, test) ->
                            length >= 4 * parameter || length > 20 ? growing.of(parameter, length, test) : 0.6,
                    Outcome.REFUTED);
            assertVerdict(claim, times((p, length, test) -> Math.pow(test, 0.25) / 10), Outcome.INCONCLUSIVE);
            // Slower growth counts as flat.
            assertVerdict(claim, times((p, length, test) -> Math.pow(test, 0.1)), Outcome.SUPPORTED);
        }
    }

    @Test
    void aPlateauThatRisesOnceRefutesThatItFalls() {
        for (FigureClaim claim : List.of(SimpleTaskFigure.MIDDLE, ModPTaskFigure.MIDDLE)) {
            assertVerdict(claim, times((p, length, test) -> p == 2 && length == 8 ? 10 : 1), Outcome.REFUTED);
            assertVerdict(claim, (parameter, length, test) -> 0.05, Outcome.INCONCLUSIVE);
        }
    }

    @Test
    void aSquareOrARootIsNotLinear() {
        for (double power : new double[] {0.4, 1.6}) {
            for (FigureClaim claim :
                    List.of(SimpleTaskFigure.RIGHT, ModPTaskFigure.LINEAR, ModPTaskFigure.LINEAR_IN_WHOLE_PERIODS)) {
                Loss losses =
                        (parameter, length, test) -> 0.01 * Math.pow(length / (2.2 * Math.pow(parameter, power)), -2);
                assertVerdict(claim, losses, Outcome.REFUTED);
                assertExponent(judge(claim, losses)).isCloseTo(power, within(1e-9));
            }
        }
    }

    @Test
    void seedsOfDifferentPowersLeaveTheExponentOpen() {
        for (FigureClaim claim :
                List.of(SimpleTaskFigure.RIGHT, ModPTaskFigure.LINEAR, ModPTaskFigure.LINEAR_IN_WHOLE_PERIODS)) {
            assertVerdict(claim, new PowersApart(), Outcome.INCONCLUSIVE);
        }
    }

    @Test
    void tooFewOmegasWithinTheTrainingLengthsLeaveTheExponentOpen() {
        assertVerdict(SimpleTaskFigure.RIGHT, (omega, length, test) -> 0.05, Outcome.INCONCLUSIVE);
        assertVerdict(SimpleTaskFigure.RIGHT, (omega, length, test) -> 1e-3, Outcome.INCONCLUSIVE);
    }

    @Test
    void minLengthsAreInterpolatedWhereTheLossFallsForGood() {
        Finding finding = judge(
                SimpleTaskFigure.RIGHT,
                // The loss is below the bound at 4, above it at 6, and below it from 2 omega on.
                (omega, length, test) -> length == 4 ? 1e-3 : asThePaperSays(omega, length, test));
        Measurement minimum = measured(finding, "smallest N for a loss of 0.010, omega = 8");
        assertThat(minimum.value()).isCloseTo(16, within(0.02));
    }

    @Test
    void oneDeltaApartRefutesTheOverlap() {
        for (FigureClaim claim : List.of(ModPTaskFigure.OVERLAP, ModPTaskFigure.OVERLAP_OF_WHOLE_PERIODS)) {
            assertVerdict(claim, times((p, length, test) -> p == 5 ? 4 : 1), Outcome.REFUTED);
            assertVerdict(claim, times((p, length, test) -> p == 5 ? 2 : 1), Outcome.INCONCLUSIVE);
        }
    }

    @Test
    void wholePeriodsAreJudgedApartFromOtherLengths() {
        // The loss is large for sequences that end within a period of 3, as in trained models.
        Loss within = times((p, length, test) -> p == 3 && test % p != 0 ? 60 : 1);
        assertVerdict(ModPTaskFigure.OVERLAP, within, Outcome.REFUTED);
        assertVerdict(ModPTaskFigure.OVERLAP_OF_WHOLE_PERIODS, within, Outcome.SUPPORTED);
        // Conversely, losses on whole periods do not affect the claims as stated.
        Loss whole = times((p, length, test) -> test % 120 != 0 ? 1 : p * p / 100.0);
        for (FigureClaim claim :
                List.of(ModPTaskFigure.LEFT, ModPTaskFigure.MIDDLE, ModPTaskFigure.OVERLAP, ModPTaskFigure.LINEAR)) {
            assertVerdict(claim, whole, Outcome.SUPPORTED);
        }
        for (FigureClaim claim :
                List.of(ModPTaskFigure.OVERLAP_OF_WHOLE_PERIODS, ModPTaskFigure.LINEAR_IN_WHOLE_PERIODS)) {
            assertVerdict(claim, whole, Outcome.REFUTED);
        }
    }

    @Test
    void everyGridHasTestLengthsOfBothKinds() throws IOException {
        for (Budget budget : List.of(Budget.STANDARD, Budget.FULL)) {
            List<Cell> cells = ModPTaskFigure.GRID.sweep(budget).cells();
            List<Integer> periods = cells.stream()
                    .map(cell -> integer(cell, "task.settings.period"))
                    .distinct()
                    .toList();
            Map<Boolean, List<Integer>> kinds = testLengths(cells.getFirst()).stream()
                    .collect(Collectors.partitioningBy(
                            length -> periods.stream().allMatch(period -> length % period == 0)));
            for (FigureClaim claim : ModPTaskFigure.CLAIMS) {
                assertThat(kinds.get(claim.statement().form() == Form.CORRECTED))
                        .as(claim.id())
                        .hasSizeGreaterThan(1)
                        .allSatisfy(length ->
                                assertThat(claim.range(budget)).contains(String.format(Locale.ROOT, "%,d", length)));
            }
        }
    }

    /** A line with an intercept, whose best power law has an exponent of about a half. */
    @Test
    void aLineThatDoesNotPassTheOriginIsLinear() {
        Loss losses = (omega, length, test) -> 0.01 * Math.pow(length / (6 + 1.5 * omega), -2);
        Finding finding = judge(SimpleTaskFigure.RIGHT, losses);
        assertSupported(finding);
        assertExponent(finding).isLessThan(PowerLaw.MIN_LINEAR);
    }

    /**
     * For omega = 7 and 8 no run reaches its training loss, and their lengths are far from the line. Runs for omega = 8
     * end early because they diverge.
     */
    @Test
    void lengthsOfRunsThatDidNotComeToTheirTrainingLossAreLeftOut() {
        Loss losses = (omega, length, test) -> 0.01 * Math.pow(length / (omega > 6 ? 30 : 2.2 * omega), -2);
        Finding finding = MadeUpCells.judge(SimpleTaskFigure.RIGHT, cell -> {
            var measured = new ArrayList<>(measured(cell, losses, (name, length) -> 0, 0.05));
            int omega = integer(cell, "task.settings.omega");
            double steps = omega == 7 ? 4000 : 900;
            measured.addAll(omega == 8 ? MadeUpCells.DIVERGED : List.of());
            measured.add(new Measurement("steps", steps, "steps", Interval.exact(steps), 1, null));
            return measured;
        });
        assertSupported(finding);
        assertThat(finding.verdict().reason()).contains("for omega = [1, 2, 3, 4, 5, 6]");
        for (int omega : new int[] {7, 8}) {
            assertThat(measured(finding, "runs that came to the training loss, omega = " + omega)
                            .value())
                    .isZero();
        }
    }

    @Test
    void weightsElsewhereRefuteTheSentenceOnThem() {
        Map<FigureClaim, String> names =
                Map.of(Figure3.ON, "relevant", Figure3.SAME, "relevantDeviation", Figure3.OFF, "othersDeviation");
        names.forEach((claim, broken) -> {
            double wrong = claim.equals(Figure3.ON) ? 0.05 : 0.01;
            double edge = claim.equals(Figure3.ON) ? 0.05625 : 0.00625;
            assertWeights(claim, with(broken, wrong, length -> true), Outcome.REFUTED);
            assertWeights(claim, with(broken, edge, length -> true), Outcome.INCONCLUSIVE);
            // Models with shorter training lengths may have such weights.
            assertWeights(claim, with(broken, wrong, length -> length < 30), Outcome.SUPPORTED);
        });
    }

    @Test
    void weightsThatAreTheSameAtEveryTrainingLengthLeaveTheShorterOnesOpen() {
        assertWeights(Figure3.SHORTER, with("others", 0.0002, length -> true), Outcome.INCONCLUSIVE);
        assertWeights(Figure3.SHORTER, with("others", 0.003, length -> length > 10), Outcome.REFUTED);
    }

    @Test
    void aRunThatDivergedHasLostEverything() {
        Loss losses = times((omega, length, test) -> omega == 8 && length == 24 ? Double.NaN : 1);
        assertVerdict(SimpleTaskFigure.MIDDLE, losses, Outcome.REFUTED);
    }

    @Test
    void theIntervalOfAnExponentHoldsThatOfMostSeeds() {
        double[] ofSeeds = {0.8, 0.9, 1, 1.1, 1.2, 1};
        Jackknife exponent = Jackknife.of(
                6,
                seeds -> IntStream.of(seeds)
                        .mapToDouble(seed -> ofSeeds[seed])
                        .average()
                        .orElseThrow());
        // For a mean, the jackknife interval is Student's.
        assertThat(exponent.value()).isCloseTo(1, within(1e-12));
        Interval student = Interval.mean(ofSeeds);
        assertThat(exponent.interval().low()).isCloseTo(student.low(), within(1e-12));
        assertThat(exponent.interval().high()).isCloseTo(student.high(), within(1e-12));
    }

    @Test
    void oneSeedHasNoJackknife() {
        assertRefused(() -> Jackknife.of(1, seeds -> (double) seeds.length), "seeds: expected at least 2, got 1");
    }

    @Test
    void theGridsHaveThePapersSeedsAndSizes() throws IOException {
        assertThat(SimpleTaskFigure.LEFT.grid().sweep(Budget.FULL).cells())
                .hasSize(9 * 8 * 8)
                .allSatisfy(cell -> assertThat(cell.settings())
                        .containsEntry("batch", "1024")
                        .containsEntry("steps", "10000"));
        assertThat(SimpleTaskFigure.LEFT.grid().sweep(Budget.STANDARD).cells()).hasSize(8 * 8 * 8);
        assertThat(ModPTaskFigure.GRID.sweep(Budget.FULL).cells()).hasSize(9 * 5 * 8);
        assertThat(ModPTaskFigure.GRID.sweep(Budget.STANDARD).cells())
                .hasSize(9 * 3 * 8)
                .allSatisfy(cell -> {
                    int length = integer(cell, "task.settings.length");
                    assertThat(length % integer(cell, "task.settings.period")).isZero();
                });
    }

    @Test
    void aLengthThatOneSeedDecidesMayBeAnyThatWasTrainedOn() {
        // For omega = 8, seven seeds stay above the loss, and one is far below it at the longest training length.
        Loss lucky = new Loss() {
            @Override
            public double of(int omega, int length, int testLength) {
                return asThePaperSays(omega, length, testLength);
            }

            @Override
            public double of(int omega, int length, int testLength, double deviation) {
                double factor = omega < 8 ? 1 : deviation == 1 && length == 32 ? 1e-8 : 10;
                return of(omega, length, testLength) * factor;
            }
        };
        Finding finding = judge(SimpleTaskFigure.RIGHT, lucky);
        assertThat(measured(finding, "smallest N for a loss of 0.010, omega = 8")
                        .interval())
                .isEqualTo(new Interval(2, 32));
        Interval others =
                measured(finding, "smallest N for a loss of 0.010, omega = 4").interval();
        assertThat(others.low()).isBetween(7.5, 8.0);
        assertThat(others.high()).isBetween(8.0, 8.5);
    }

    private static List<Series> picture(FigureClaim claim) {
        return judge(claim, LengthFiguresTest::asThePaperSays, LengthFiguresTest::weightAsThePaperSays, 0.05)
                .figures()
                .getFirst()
                .series();
    }

    private static List<String> names(List<Series> series) {
        return series.stream().map(Series::name).toList();
    }

    @Test
    void minLengthsAreDrawnBesideTheirLawAndTheBounds() {
        List<Series> byOmega = picture(SimpleTaskFigure.RIGHT);
        assertThat(names(byOmega))
                .containsExactly(
                        "measured",
                        "fitted: N = 2.00 omega^1.00",
                        "fitted: N = 0.00 + 2.00 omega",
                        "theorem 4.1 as printed, L = omega: omega^2.00",
                        "theorem 4.1 as printed, L of the closed form: omega^3.68",
                        "theorem 4.1 corrected: omega^3.29");
        // At omega = 1, the loss is 1e-2 at the shortest training length, and lower at all others.
        List<Double> omegas = IntStream.rangeClosed(1, 8)
                .mapToObj(omega -> Figure.log2(omega))
                .toList();
        assertThat(byOmega.getFirst().x()).isEqualTo(omegas.subList(1, 8));
        assertThat(byOmega.get(1).x()).isEqualTo(omegas);
        assertThat(byOmega.getFirst().y().getLast()).isCloseTo(4, within(0.002));
        assertThat(byOmega.get(1).y().getLast()).isCloseTo(4, within(0.002));
        for (FigureClaim claim : List.of(ModPTaskFigure.LINEAR, ModPTaskFigure.LINEAR_IN_WHOLE_PERIODS)) {
            List<Series> byDelta = picture(claim);
            // The geometric middle of the losses that every curve crosses, 0.04 / 2² to 0.04 / 6², is 0.04 / 12.
            assertThat(names(byDelta))
                    .containsExactly(
                            "measured",
                            "fitted: N = 3.46 Delta^1.00",
                            "theorem 4.1 as printed, L = 1: Delta^1.00",
                            "theorem 4.1 corrected: Delta^2.00");
            for (int period = 2; period <= 10; period++) {
                double log = Math.log(Math.sqrt(12) * period) / Math.log(2);
                assertThat(byDelta.getFirst().y().get(period - 2)).isCloseTo(log, within(1e-9));
                assertThat(byDelta.get(1).y().get(period - 2)).isCloseTo(log, within(1e-9));
            }
        }
    }

    @Test
    void boundsHaveTheConstantsOfTheClosedForms() {
        TheoremBound simple = TheoremBound.simpleTask(1e-2);
        assertThat(simple.printed(8)).isEqualTo(6_400);
        // L = 1 + |A|_F |B|_F, with 1 for the residual; e = 0.1 / (4 L), C = 1 + 3/4.
        double l = 1 + new PiecewiseLinearSine(8, 256, 53).frobeniusProduct();
        double e = 0.1 / (4 * l);
        assertThat((double) simple.of(8).corrected())
                .isCloseTo(Math.ceil((1 + 2 * e) * 1.75 / (e * e)) + 1, within(1.0));
        assertThat(simple.caption(List.of(1.0, 8.0)))
                .contains(
                        "delta = 0", "epsilon² = 0.010", "p = 24 bits", "gamma = 24.0", "tau = 0", "Delta = 1", "L =");
        TheoremBound periodic = TheoremBound.modPTask(1e-2);
        assertThat(periodic.printed(3)).isEqualTo(300);
        // e = 0.1 / 4, C = 2 + 1: 2 ceil(1.05 * 3 / e²) + 2.
        assertThat(periodic.of(2).corrected()).isEqualTo(10_082);
        assertThat(periodic.caption(List.of(2.0, 8.0)))
                .contains("Delta as drawn", "L = |u| (1 + |A|_F |B|_F) max |v| = 1.0.");
    }

    @Test
    void theClosedFormIsDrawnBesideTheModels() {
        for (FigureClaim claim : List.of(SimpleTaskFigure.LEFT, SimpleTaskFigure.MIDDLE)) {
            Series closedForm = picture(claim).getLast();
            assertThat(closedForm.name()).isEqualTo("closed form, omega = 8");
            // The error of chords is a parabola up to (omega h)² / 8, times |sin|; the mean squares are 8/15 and 1/2.
            double maximum = Math.pow(8 * 2.0 / 255, 2) / 8;
            assertThat(closedForm.y().getLast())
                    .isCloseTo(Math.log10(maximum * maximum * 8 / 15 / 2), within(Math.log10(1.5)));
        }
        assertThat(names(picture(Figure3.ON)))
                .containsExactly(
                        "positions k mod p",
                        "other positions",
                        "without learning: uniform attention",
                        "closed form, positions k mod p: 1/16",
                        "closed form, other positions: 0");
        for (FigureClaim claim : List.of(ModPTaskFigure.OVERLAP, ModPTaskFigure.OVERLAP_OF_WHOLE_PERIODS)) {
            assertThat(picture(claim)).extracting(line -> line.x().getFirst()).containsOnly(1.0);
        }
    }

    /** A loss by omega or p, training length and test length. */
    interface Loss {
        double of(int parameter, int length, int testLength);

        /** The loss of a seed; {@code deviation} ranges from -1 to 1 over the seeds. */
        default double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength);
        }
    }

    /** Losses with a different power of Delta or omega for each seed, from 0 to 2. */
    static final class PowersApart implements Loss {
        @Override
        public double of(int parameter, int length, int testLength) {
            return asThePaperSays(parameter, length, testLength);
        }

        @Override
        public double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength) * Math.pow(parameter, 2 * deviation);
        }
    }

    /** Means and deviations of weights on relevant positions and on others, by name and training length. */
    interface Weight {
        double of(String name, int length);
    }

    /** Losses as in the paper: flat in the test length, (N / parameter)^-2, and 1e-2 at N = 2 parameter. */
    static double asThePaperSays(int parameter, int length, int testLength) {
        return 0.04 * Math.pow((double) length / parameter, -2) * (1 - 0.5 / testLength);
    }

    static double weightAsThePaperSays(String name, int length) {
        return switch (name) {
            case "relevant" -> 0.0620;
            case "relevantDeviation" -> 0.002;
            case "others" -> 0.01 / length;
            default -> 0.001;
        };
    }

    /**
     * Judges a claim. The last losses and the weights of seeds differ from their means by up to a factor of 1 +
     * {@code spread}. A loss of NaN stands for a diverged run.
     */
    static Finding judge(FigureClaim claim, Loss losses, Weight weights, double spread) {
        return MadeUpCells.judge(claim, cell -> measured(cell, losses, weights, spread));
    }

    static List<Measurement> measured(Cell cell, Loss losses, Weight weights, double spread) {
        boolean first = "simple-task".equals(cell.settings().get("task.name"));
        int parameter = integer(cell, first ? "task.settings.omega" : "task.settings.period");
        int length = integer(cell, "task.settings.length");
        double deviation = (cell.seed() - 4.5) / 3.5;
        double factor = Math.exp(deviation * Math.log1p(spread));
        var measured = new ArrayList<Measurement>();
        for (int testLength : testLengths(cell)) {
            double loss = losses.of(parameter, length, testLength, deviation);
            if (!Double.isNaN(loss)) {
                measured.add(measurement("lengths." + testLength, testLength < 1024 ? loss : loss * factor));
            } else {
                measured.addAll(MadeUpCells.DIVERGED);
            }
        }
        for (String name : List.of("relevant", "relevantDeviation", "others", "othersDeviation")) {
            measured.add(measurement("attention.0.0." + name, weights.of(name, length) * factor));
        }
        return measured;
    }

    static List<Integer> testLengths(Cell cell) {
        return cell.settings().entrySet().stream()
                .filter(setting -> setting.getKey().startsWith("evaluation.lengths."))
                .map(setting -> Integer.valueOf(setting.getValue()))
                .toList();
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value, "", Interval.exact(value), 1024, null);
    }

    /** The measurement with a name. */
    static Measurement measured(Finding finding, String name) {
        return finding.measured().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
