package org.lemmata.claim.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.track.CellRecord;

/** Figures 1 to 3, judged from records that were made up to hold them, to break them, and to leave them open. */
class LengthFiguresTest {

    /** A loss by omega or p, training length and test length. */
    private interface Loss {
        double of(int parameter, int length, int testLength);

        /** That of a seed, which {@code deviation}, from -1 to 1 over the seeds, is of. */
        default double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength);
        }
    }

    /** Of each seed its own power of Delta or omega, from 0 to 2. */
    private static final class PowersApart implements Loss {
        @Override
        public double of(int parameter, int length, int testLength) {
            return asThePaperSays(parameter, length, testLength);
        }

        @Override
        public double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength) * Math.pow(parameter, 2 * deviation);
        }
    }

    /** Mean and deviation of the weights on the right positions and on others, by training length. */
    private interface Weight {
        double of(String name, int length);
    }

    /** As the paper says: flat in the test length from N on, (N / parameter)^-2, with 1e-2 at N = 2 parameter. */
    private static double asThePaperSays(int parameter, int length, int testLength) {
        return 0.04 * Math.pow((double) length / parameter, -2) * (1 - 0.5 / testLength);
    }

    private static double weightAsThePaperSays(String name, int length) {
        return switch (name) {
            case "relevant" -> 0.0620;
            case "relevantDeviation" -> 0.002;
            case "others" -> 0.0002;
            default -> 0.001;
        };
    }

    /**
     * The last losses, and weights, of seeds differ by up to a factor of 1 + {@code spread} from their means. A loss of
     * NaN is a run that diverged.
     */
    private static Finding judge(FigureClaim claim, Loss losses, Weight weights, double spread) throws IOException {
        Sweep sweep = claim.grid().sweep(Budget.STANDARD);
        List<CellRecord> records = sweep.cells().stream()
                .map(cell -> record(cell, losses, weights, spread))
                .toList();
        return claim.judge(
                new FigureCells(Budget.STANDARD, sweep, records), Computation.unrounded(Kernels.scalar()));
    }

    private static CellRecord record(Cell cell, Loss losses, Weight weights, double spread) {
        boolean first = "simple-task".equals(cell.settings().get("task.name"));
        int parameter = number(cell, first ? "task.settings.omega" : "task.settings.period");
        int length = number(cell, "task.settings.length");
        double deviation = (cell.seed() - 4.5) / 3.5;
        double factor = Math.exp(deviation * Math.log1p(spread));
        var measured = new ArrayList<Measurement>();
        for (int testLength : testLengths(cell)) {
            double loss = losses.of(parameter, length, testLength, deviation);
            if (!Double.isNaN(loss)) {
                measured.add(measurement("lengths." + testLength, testLength < 1024 ? loss : loss * factor));
            }
        }
        for (String name : List.of("relevant", "relevantDeviation", "others", "othersDeviation")) {
            measured.add(measurement("attention.0.0." + name, weights.of(name, length) * factor));
        }
        return new CellRecord(
                cell.id(),
                cell.trial(),
                cell.axes(),
                cell.seed(),
                cell.settings(),
                CellRecord.Status.DONE,
                null,
                measured,
                new CellRecord.Run(1, 1, Map.of("commit", "0123456789abcdef", "jdk", "25", "simd", "512 bits")));
    }

    private static List<Integer> testLengths(Cell cell) {
        return cell.settings().entrySet().stream()
                .filter(setting -> setting.getKey().startsWith("evaluation.lengths."))
                .map(setting -> Integer.valueOf(setting.getValue()))
                .toList();
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value, "", Interval.exact(value), 1024, null);
    }

    private static int number(Cell cell, String key) {
        return (int) Double.parseDouble(cell.settings().getOrDefault(key, ""));
    }

    private static void assertVerdict(FigureClaim claim, Loss losses, double spread, String verdict)
            throws IOException {
        Finding finding = judge(claim, losses, LengthFiguresTest::weightAsThePaperSays, spread);
        assertThat(finding.verdict().label()).as(claim.id() + ": " + finding.verdict().reason()).isEqualTo(verdict);
    }

    private static void assertWeights(Figure3 claim, Weight weights, double spread, String verdict) throws IOException {
        Finding finding = judge(claim, LengthFiguresTest::asThePaperSays, weights, spread);
        assertThat(finding.verdict().label()).as(claim.id() + ": " + finding.verdict().reason()).isEqualTo(verdict);
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() throws IOException {
        for (Figure1 claim : Figure1.values()) {
            assertVerdict(claim, LengthFiguresTest::asThePaperSays, 0.05, "Supported");
        }
        for (Figure2 claim : Figure2.values()) {
            assertVerdict(claim, LengthFiguresTest::asThePaperSays, 0.05, "Supported");
        }
        for (Figure3 claim : Figure3.values()) {
            assertWeights(claim, LengthFiguresTest::weightAsThePaperSays, 0.02, "Supported");
        }
    }

    @Test
    void aLossThatGrowsWithTheTestLengthRefutesThePlateau() throws IOException {
        for (FigureClaim claim : List.of(Figure1.LEFT, Figure2.LEFT)) {
            // One line of the figure will do.
            assertVerdict(
                    claim,
                    (parameter, length, test) ->
                            asThePaperSays(parameter, length, test)
                                    * (parameter == 2 && length == 4 ? Math.sqrt(test) : 1),
                    0.05,
                    "Refuted");
            assertVerdict(
                    claim,
                    (parameter, length, test) -> asThePaperSays(parameter, length, test) * Math.pow(test, 0.25),
                    0.05,
                    "Inconclusive");
            // A slower growth is taken for flat.
            assertVerdict(
                    claim,
                    (parameter, length, test) -> asThePaperSays(parameter, length, test) * Math.pow(test, 0.1),
                    0.05,
                    "Supported");
        }
    }

    @Test
    void aPlateauThatRisesOnceRefutesThatItFalls() throws IOException {
        for (FigureClaim claim : List.of(Figure1.MIDDLE, Figure2.MIDDLE)) {
            assertVerdict(
                    claim,
                    (parameter, length, test) ->
                            asThePaperSays(parameter, length, test) * (parameter == 2 && length == 8 ? 10 : 1),
                    0.05,
                    "Refuted");
            assertVerdict(claim, (parameter, length, test) -> 0.1, 0.05, "Inconclusive");
        }
    }

    @Test
    void aSquareOrARootIsNotLinear() throws IOException {
        for (double power : new double[] {0.4, 1.6}) {
            assertVerdict(
                    Figure1.RIGHT,
                    (parameter, length, test) -> 0.01 * Math.pow(length / (2.2 * Math.pow(parameter, power)), -2),
                    0.05,
                    "Refuted");
            for (Figure2 claim : List.of(Figure2.LINEAR, Figure2.LINEAR_IN_WHOLE_PERIODS)) {
                assertVerdict(
                        claim,
                        (parameter, length, test) -> 0.01 * Math.pow(length / (2 * Math.pow(parameter, power)), -2),
                        0.05,
                        "Refuted");
            }
        }
    }

    @Test
    void seedsOfDifferentPowersLeaveTheExponentOpen() throws IOException {
        for (FigureClaim claim : List.of(Figure1.RIGHT, Figure2.LINEAR, Figure2.LINEAR_IN_WHOLE_PERIODS)) {
            assertVerdict(claim, new PowersApart(), 0.05, "Inconclusive");
        }
    }

    @Test
    void tooFewOmegasWithinTheTrainingLengthsLeaveTheExponentOpen() throws IOException {
        assertVerdict(Figure1.RIGHT, (omega, length, test) -> 0.1, 0.05, "Inconclusive");
        assertVerdict(Figure1.RIGHT, (omega, length, test) -> 1e-3, 0.05, "Inconclusive");
    }

    @Test
    void leastLengthsAreInterpolatedWhereTheLossFallsForGood() throws IOException {
        Finding finding = judge(
                Figure1.RIGHT,
                // Below at 4, above again at 6, then below from 2 omega on.
                (omega, length, test) -> length == 4 ? 1e-3 : asThePaperSays(omega, length, test),
                LengthFiguresTest::weightAsThePaperSays,
                0.05);
        Measurement least = finding.measured().stream()
                .filter(each -> each.name().equals("least N, omega = 8"))
                .findFirst()
                .orElseThrow();
        assertThat(least.value()).isCloseTo(16, within(0.02));
    }

    @Test
    void oneDeltaApartRefutesTheOverlap() throws IOException {
        for (Figure2 claim : List.of(Figure2.OVERLAP, Figure2.OVERLAP_OF_WHOLE_PERIODS)) {
            assertVerdict(
                    claim,
                    (p, length, test) -> asThePaperSays(p, length, test) * (p == 5 ? 4 : 1),
                    0.05,
                    "Refuted");
            assertVerdict(
                    claim,
                    (p, length, test) -> asThePaperSays(p, length, test) * (p == 5 ? 2 : 1),
                    0.05,
                    "Inconclusive");
        }
    }

    @Test
    void wholePeriodsAreJudgedApartFromOtherLengths() throws IOException {
        // Sequences that end within a period of 3 are answered badly, as trained models do.
        Loss within = (p, length, test) -> asThePaperSays(p, length, test) * (p == 3 && test % p != 0 ? 60 : 1);
        assertVerdict(Figure2.OVERLAP, within, 0.05, "Refuted");
        assertVerdict(Figure2.OVERLAP_OF_WHOLE_PERIODS, within, 0.05, "Supported");
        // And the reverse: a loss of whole periods is nothing to the claims as stated.
        Loss whole = (p, length, test) -> asThePaperSays(p, length, test)
                * (test % 120 != 0 ? 1 : p * p * Math.pow(length, 3) * Math.sqrt(test));
        for (Figure2 claim : List.of(Figure2.LEFT, Figure2.MIDDLE, Figure2.OVERLAP, Figure2.LINEAR)) {
            assertVerdict(claim, whole, 0.05, "Supported");
        }
        for (Figure2 claim : List.of(Figure2.OVERLAP_OF_WHOLE_PERIODS, Figure2.LINEAR_IN_WHOLE_PERIODS)) {
            assertVerdict(claim, whole, 0.05, "Refuted");
        }
    }

    @Test
    void everyGridHasTestLengthsOfBothKinds() throws IOException {
        for (Budget budget : List.of(Budget.STANDARD, Budget.FULL)) {
            List<Cell> cells = Figure2.GRID.sweep(budget).cells();
            List<Integer> periods = cells.stream()
                    .map(cell -> number(cell, "task.settings.period"))
                    .distinct()
                    .toList();
            Map<Boolean, List<Integer>> kinds = testLengths(cells.getFirst()).stream()
                    .collect(Collectors.partitioningBy(
                            length -> periods.stream().allMatch(period -> length % period == 0)));
            for (Figure2 claim : Figure2.values()) {
                assertThat(kinds.get(claim.form() == Form.MENDED)).as(claim.id()).hasSizeGreaterThan(1).allSatisfy(
                        length -> assertThat(claim.range(budget))
                                .contains(String.format(Locale.ROOT, "%,d", length)));
            }
        }
    }

    @Test
    void weightsElsewhereRefuteTheSentenceOnThem() throws IOException {
        Map<Figure3, String> names = Map.of(
                Figure3.ON, "relevant", Figure3.SAME, "relevantDeviation", Figure3.OFF, "othersDeviation");
        for (Map.Entry<Figure3, String> entry : names.entrySet()) {
            String broken = entry.getValue();
            double wrong = entry.getKey() == Figure3.ON ? 0.05 : 0.01;
            double edge = entry.getKey() == Figure3.ON ? 0.05625 : 0.00625;
            assertWeights(
                    entry.getKey(),
                    (name, length) -> name.equals(broken) ? wrong : weightAsThePaperSays(name, length),
                    0.02,
                    "Refuted");
            assertWeights(
                    entry.getKey(),
                    (name, length) -> name.equals(broken) ? edge : weightAsThePaperSays(name, length),
                    0.02,
                    "Inconclusive");
            // Models of shorter training lengths may have them.
            assertWeights(
                    entry.getKey(),
                    (name, length) -> name.equals(broken) && length < 30 ? wrong : weightAsThePaperSays(name, length),
                    0.02,
                    "Supported");
        }
    }

    @Test
    void aRunThatDivergedHasLostEverything() throws IOException {
        assertVerdict(
                Figure1.MIDDLE,
                (omega, length, test) -> omega == 8 && length == 24 ? Double.NaN : asThePaperSays(omega, length, test),
                0.05,
                "Refuted");
    }

    @Test
    void theIntervalOfAnExponentHoldsThatOfMostSeeds() {
        double[] ofSeeds = {0.8, 0.9, 1, 1.1, 1.2, 1};
        Exponent exponent = Exponent.jackknife(6, seeds -> {
            double sum = 0;
            for (int seed : seeds) {
                sum += ofSeeds[seed];
            }
            return sum / seeds.length;
        });
        // The jackknife of a mean is Student's interval.
        assertThat(exponent.value()).isCloseTo(1, within(1e-12));
        Interval student = Interval.mean(ofSeeds);
        assertThat(exponent.interval().low()).isCloseTo(student.low(), within(1e-12));
        assertThat(exponent.interval().high()).isCloseTo(student.high(), within(1e-12));
    }

    @Test
    void theGridsHaveThePapersSeedsAndSizes() throws IOException {
        assertThat(Figure1.LEFT.grid().sweep(Budget.FULL).cells()).hasSize(9 * 8 * 8).allSatisfy(cell -> assertThat(
                        cell.settings())
                .containsEntry("batch", "1024")
                .containsEntry("steps", "10000"));
        assertThat(Figure1.LEFT.grid().sweep(Budget.STANDARD).cells()).hasSize(7 * 4 * 8);
        assertThat(Figure2.GRID.sweep(Budget.FULL).cells()).hasSize(9 * 5 * 8);
        assertThat(Figure2.GRID.sweep(Budget.STANDARD).cells())
                .hasSize(4 * 3 * 8)
                .allSatisfy(cell -> {
                    int length = number(cell, "task.settings.length");
                    assertThat(length % number(cell, "task.settings.period")).isZero();
                });
    }

    @Test
    void picturesShowWhatThePanelsShow() throws IOException {
        var right = judge(
                Figure1.RIGHT, LengthFiguresTest::asThePaperSays, LengthFiguresTest::weightAsThePaperSays, 0.05);
        var series = right.figures().getFirst().series();
        // At omega = 1 the loss is 1e-2 at the shortest training length, and below from there on.
        assertThat(series.getFirst().x()).endsWith(1.0, 2.0, 3.0);
        assertThat(series.getFirst().y().getLast()).isCloseTo(4, within(0.002));
        var overlap = judge(
                Figure2.OVERLAP, LengthFiguresTest::asThePaperSays, LengthFiguresTest::weightAsThePaperSays, 0.05);
        assertThat(overlap.figures().getFirst().series())
                .extracting(line -> line.x().getFirst())
                .containsOnly(1.0);
        assertThat(judge(
                                Figure3.ON,
                                LengthFiguresTest::asThePaperSays,
                                LengthFiguresTest::weightAsThePaperSays,
                                0.02)
                        .figures()
                        .getFirst()
                        .series())
                .hasSize(3);
    }
}
