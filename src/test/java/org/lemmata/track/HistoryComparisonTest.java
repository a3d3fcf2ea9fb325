package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryComparisonTest {

    private static final Instant START = Instant.parse("2026-11-20T12:34:56Z");

    private static final int ROWS = 4000;

    /** Computed by hand: 3 (1 / sqrt(2 x 0.025) - 1) below the median, 5 (1 / sqrt(0.05) - 1) above it. */
    @Test
    void theExpectedRangeFollowsFromTheDistancesOfEitherHalf() {
        HistoryComparison.Row row =
                HistoryComparison.of(history("A", 2, 0, 6, 3, 1, 4)).rows().getFirst();
        assertThat(row.earlier()).isEqualTo(5);
        assertThat(row.ratio()).isCloseTo(Math.exp(2), within(1e-9));
        assertThat(Math.log(row.expected().low())).isCloseTo(-3 * 3.4721359549995796, within(1e-9));
        assertThat(Math.log(row.expected().high())).isCloseTo(5 * 3.4721359549995796, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"thrpt", "avgt"})
    void theLatestRunIsSlowerFasterOrAsUsual(String mode) {
        for (double change : new double[] {-0.3, 0.3, 0.01}) {
            double[] logs = IntStream.range(0, 21)
                    .mapToDouble(run -> (run < 20 ? 0 : change) + 0.01 * (run % 3))
                    .map(log -> mode.equals("thrpt") ? log : -log)
                    .toArray();
            HistoryComparison comparison = HistoryComparison.of(history(entry("A", mode), logs));
            assertThat(comparison.regression()).isEqualTo(change < -0.1);
            assertThat(comparison.conclusive()).isTrue();
            HistoryComparison.Row row = comparison.rows().getFirst();
            assertThat(row.faster()).isEqualTo(change > 0.1);
            assertThat(row.ratio()).isCloseTo(Math.exp(change + 0.01), within(1e-9));
        }
    }

    @Test
    void twentyRunsCountAndEachCountsOnce() {
        double[] logs = IntStream.range(0, 31)
                .mapToDouble(run -> run < 10 ? 5 : 0.01 * (run % 3))
                .toArray();
        List<HistoryEntry> twice = new ArrayList<>(history("A", logs));
        twice.addAll(history("A", logs));
        Collections.shuffle(twice, new Random(1));
        HistoryComparison.Row row = HistoryComparison.of(twice).rows().getFirst();
        assertThat(row.earlier()).isEqualTo(20);
        assertThat(row.expected().high()).isLessThan(1.1);
        assertThat(row.run().time()).isEqualTo(START.plusSeconds(30));
    }

    /** Scores with few digits may all be equal. */
    @Test
    void aDifferenceInTheLastDigitIsNoAlarm() {
        assertThat(HistoryComparison.of(history("A", 0, 0, 0, 0, 0, -1e-9)).regression())
                .isFalse();
        assertThat(HistoryComparison.of(history("A", 0, 0, 0, 0, 0, -1e-3)).regression())
                .isTrue();
    }

    @Test
    void onlyRowsOfTheLatestRunAreCompared() {
        List<HistoryEntry> two = new ArrayList<>(history("A", 0, 0.01, 0, 0.01, 0, -1));
        assertThat(HistoryComparison.of(two).regression()).isTrue();
        two.addAll(history("B", 0, 0.01, 0, 0.01, 0, 0, 0));
        HistoryComparison comparison = HistoryComparison.of(two);
        assertThat(comparison.rows())
                .extracting(row -> row.run().row().machine().cpu())
                .containsExactly("B");
        assertThat(comparison.regression()).isFalse();
    }

    @Test
    void fourEarlierRunsAreTooFew() {
        HistoryComparison few = HistoryComparison.of(history("A", 0, 0.01, 0, 0.01, -9));
        assertThat(few.conclusive()).isFalse();
        assertThat(few.regression()).isFalse();
        assertThat(few.rows()).singleElement().satisfies(row -> {
            assertThat(row.earlier()).isEqualTo(4);
            assertThat(row.expected().low()).isNaN();
        });
        assertThat(HistoryComparison.of(history("A", 1)).rows().getFirst().ratio())
                .isNaN();
        assertThat(HistoryComparison.of(List.of()).conclusive()).isFalse();
    }

    /**
     * The rates of docs/regression.md. They are exact for exponential tails and an odd number of runs. A binomial count
     * is outside its bounds once in 1,000.
     */
    @ParameterizedTest
    @CsvSource({
        "EXPONENTIAL, 5, 1, 0.025, 0.025",
        "EXPONENTIAL, 19, 1, 0.025, 0.025",
        "EXPONENTIAL, 6, 1, 0.025, 0.0375",
        "EXPONENTIAL, 10, 1, 0.025, 0.033",
        "EXPONENTIAL, 20, 1, 0.025, 0.030",
        "SLOW_TAIL, 5, 1, 0.015, 0.025",
        "SLOW_TAIL, 20, 1, 0.02, 0.028",
        "NORMAL, 20, 1, 0.005, 0.0125",
        "OUTLIERS, 20, 1, 0.015, 0.025",
    })
    void aRowThatNeverChangedAlarmsAsOftenAsStated(RunNoise noise, int earlier, int rows, double least, double most) {
        assertAlarms(noise, earlier, rows, ROWS, least, most);
    }

    /** The table of docs/regression.md, per row and per look. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "NORMAL, 5, 40, 0.0001, 0.0003",
        "NORMAL, 20, 40, 0, 0.0001",
        "SLOW_TAIL, 5, 40, 0.0003, 0.0006",
        "SLOW_TAIL, 20, 40, 0.0006, 0.001",
        "EXPONENTIAL, 19, 40, 0.000625, 0.000625",
        "EXPONENTIAL, 20, 40, 0.0006, 0.001",
        "OUTLIERS, 20, 40, 0.006, 0.0085",
    })
    void manyRowsShareTheRate(RunNoise noise, int earlier, int rows, double least, double most) {
        assertAlarms(noise, earlier, rows, 80_000, least, most);
    }

    private static void assertAlarms(RunNoise noise, int earlier, int rows, int all, double least, double most) {
        var random = new SplittableRandom(20261128);
        int alarms = 0;
        for (int look = 0; look < all / rows; look++) {
            alarms += slower(look(noise, earlier, rows, 0, random));
        }
        assertThat(alarms)
                .isBetween(
                        all - BinomialDistribution.of(all, 1 - least).inverseSurvivalProbability(0.001),
                        BinomialDistribution.of(all, most).inverseSurvivalProbability(0.001));
    }

    /** The percentage of slow-downs, in standard deviations, that the first run after them reveals. */
    @ParameterizedTest
    @CsvSource({"20, 1, 5, 95, 99", "5, 1, 5, 43, 49", "20, 40, 8, 62, 68", "20, 40, 5, 11, 15"})
    void whatIsFound(int earlier, int rows, double deviations, int least, int most) {
        var random = new SplittableRandom(7);
        int found = 0;
        for (int look = 0; look < ROWS / rows; look++) {
            found += slower(look(RunNoise.NORMAL, earlier, rows, deviations, random));
        }
        assertThat(100.0 * found / ROWS).isBetween((double) least, (double) most);
    }

    private static int slower(List<HistoryEntry> history) {
        return (int) HistoryComparison.of(history).rows().stream()
                .filter(HistoryComparison.Row::slower)
                .count();
    }

    /** Histories of rows whose latest run is slower by {@code slower} standard deviations. */
    private static List<HistoryEntry> look(
            RunNoise noise, int earlier, int rows, double slower, SplittableRandom random) {
        var entries = new ArrayList<HistoryEntry>();
        for (int row = 0; row < rows; row++) {
            double[] logs = new double[earlier + 1];
            for (int run = 0; run <= earlier; run++) {
                logs[run] = 0.01 * (noise.next(random) - (run == earlier ? slower : 0));
            }
            entries.addAll(history(entry("cpu " + row, "thrpt"), logs));
        }
        return entries;
    }

    private static List<HistoryEntry> history(String cpu, double... logs) {
        return history(entry(cpu, "thrpt"), logs);
    }

    static List<HistoryEntry> history(HistoryEntry.Row row, double... logs) {
        return IntStream.range(0, logs.length)
                .mapToObj(run -> new HistoryEntry(
                        START.plusSeconds(run), "c" + run, row, List.of(Math.exp(logs[run])), List.of()))
                .toList();
    }

    private static HistoryEntry.Row entry(String cpu, String mode) {
        return new HistoryEntry.Row(
                new HistoryEntry.Machine(cpu, 2, "256 bits", "25"),
                "org.lemmata.A.vector",
                mode,
                new LinkedHashMap<>(),
                BenchmarkRow.RunOptions.UNKNOWN,
                mode.equals("avgt") ? "ns/op" : "ops/s",
                false);
    }
}
