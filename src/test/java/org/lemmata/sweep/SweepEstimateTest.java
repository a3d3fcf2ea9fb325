package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.sweep.SweepEstimate.Sample;

class SweepEstimateTest {

    private static final String TRAINING = """
        base:
          steps: 3
          batch: 2
          task: {name: dyck-words, settings: {N: 2}}
          data: {validation: 2, test: 0}
          model.layers: 1
        axes:
          model.width: [2, 4, 8, 64]
          optimizer.learning-rate: [1e-3, 1e-2]
        seeds: 2
        """;

    private static Cell cell(String name, double cost) {
        var settings = new LinkedHashMap<>(Map.of("name", name));
        return Cell.of("none", "", settings, new LinkedHashMap<>(), 1, cost);
    }

    private static SweepEstimate estimate(List<Cell> cells, Map<String, Double> stepCosts) {
        return SweepEstimate.of(
                cells,
                stepCosts,
                List.of(
                        new Sample(cell("a", 1), 1e6, new TrialSpeed(1e9, 1, 1.25, 1)),
                        new Sample(cell("b", 1), 1e8, new TrialSpeed(4e9, 3, 1.5, 0.5)),
                        new Sample(cell("c", 1), 1e9, new TrialSpeed(2e9, 5, 1, 0.9))),
                2);
    }

    private static double seconds(double cost, double stepCost) {
        Cell cell = cell("it", cost);
        return estimate(List.of(cell), Map.of(cell.id(), stepCost)).cellSeconds(List.of(cell));
    }

    @Test
    void speedsLieOnTheLineBetweenSamplesOverLogarithms() {
        assertThat(seconds(8e9, 1e6)).isEqualTo(1 + 8);
        assertThat(seconds(8e9, 1e8)).isEqualTo(3 + 2);
        assertThat(seconds(8e9, 1e9)).isEqualTo(5 + 4);
        assertThat(seconds(8e9, 1e7)).isCloseTo(2 + 4, within(1e-9));
        assertThat(seconds(8e9, Math.sqrt(1e17))).isCloseTo(4 + 8 / Math.sqrt(8), within(1e-9));
        assertThat(seconds(8e9, 1e3)).as("below all").isEqualTo(1 + 8);
        assertThat(seconds(8e9, 1e12)).as("above all").isEqualTo(5 + 4);
    }

    /** 1 second each before the first step: 6, 5, 4, 4 and 4 seconds. */
    @Test
    void theDearestCellsStartFirst() {
        var cells = new ArrayList<Cell>();
        var stepCosts = new LinkedHashMap<String, Double>();
        for (double seconds : new double[] {3, 4, 3, 5, 3}) {
            Cell cell = cell("cell " + cells.size(), seconds * 1e9);
            cells.add(cell);
            stepCosts.put(cell.id(), 1e6);
        }
        SweepEstimate estimate = estimate(cells, stepCosts);
        assertThat(estimate.cellSeconds(cells)).isEqualTo(23);
        assertThat(estimate.longestSeconds(cells)).isEqualTo(6);
        assertThat(estimate.wallSeconds(cells, 1)).isEqualTo(23);
        // 6 and then 4; 5, 4 and 4.
        assertThat(estimate.wallSeconds(cells, 2)).isEqualTo(13);
        assertThat(estimate.wallSeconds(cells, 5)).isEqualTo(6);
        assertThat(estimate.wallSeconds(cells, 1000)).isEqualTo(6);
        assertThat(estimate.wallSeconds(List.of(), 2)).isZero();
        assertThat(estimate.spread()).isEqualTo(1.25);
        assertThat(estimate.share()).isCloseTo(0.8, within(1e-12));
        assertThat(estimate.longestSeconds(List.of())).isZero();
    }

    /** A cell of 2 seconds has a spread of 1.25, one of 18 seconds has none: (2 * 1.25 + 18) / 20. */
    @Test
    void cellsThatTakeLittleSpreadLittle() {
        Cell cheap = cell("cheap", 1e9);
        Cell dear = cell("dear", 26e9);
        assertThat(estimate(List.of(cheap, dear), Map.of(cheap.id(), 1e6, dear.id(), 1e9))
                        .spread())
                .isCloseTo(1.025, within(1e-12));
    }

    /** The share of a processor's time: with three other threads per core, it is a quarter. */
    @Test
    void otherWorkIsToldAndNotCounted() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of("axes.model.width=[64]", "seeds=1"), Sweep.FULL);
        var stop = new AtomicBoolean();
        List<Thread> others = IntStream.range(0, 3 * Runtime.getRuntime().availableProcessors())
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    while (!stop.get()) {
                        Thread.onSpinWait();
                    }
                }))
                .toList();
        try {
            SweepEstimate estimate =
                    SweepEstimate.measure(sweep, Duration.ofMillis(300)).orElseThrow();
            assertThat(others).hasSizeGreaterThanOrEqualTo(3);
            assertThat(estimate.share()).isBetween(0.0, 0.8);
        } finally {
            stop.set(true);
        }
    }

    @Test
    void measuresTheCheapestTheDearestAndAMiddleStep() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of(), Sweep.FULL);
        SweepEstimate estimate =
                SweepEstimate.measure(sweep, Duration.ofMillis(60)).orElseThrow();
        assertThat(estimate.samples())
                .extracting(sample -> sample.cell().axes().get("model.width"))
                .containsExactly("2", "8", "64");
        assertThat(estimate.samples()).extracting(Sample::stepCost).isSorted().doesNotHaveDuplicates();
        assertThat(estimate.samples()).allSatisfy(sample -> {
            assertThat(sample.speed().perSecond()).isPositive().isFinite();
            assertThat(sample.speed().startSeconds()).isPositive();
            assertThat(sample.speed().spread()).isGreaterThan(1).isFinite();
        });
        assertThat(estimate.seconds())
                .hasSize(16)
                .allSatisfy((id, seconds) -> assertThat(seconds).isPositive());
    }

    @Test
    void oneShapeIsMeasuredOnce() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of("axes.model.width=[4]"), Sweep.FULL);
        assertThat(SweepEstimate.measure(sweep, Duration.ofMillis(20))
                        .orElseThrow()
                        .samples())
                .hasSize(1);
    }

    @Test
    void aTrialMayNotTell() throws IOException {
        Sweep sweep = Sweep.parse("test", "trial: probe\nseeds: 3\n", List.of(), Sweep.FULL);
        assertThat(SweepEstimate.measure(sweep, Duration.ofMillis(20))).isEmpty();
    }
}
