package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertMalformed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.report.DemoInput;
import org.lemmata.track.History.HistoryEntry;

class HistoryTest {

    private static final BenchmarkRow.RunOptions SETTINGS =
            new BenchmarkRow.RunOptions(1, "3 x 100 ms", "5 x 50 ms", List.of("-Xbatch"), "1.37");

    private static final Instant START = Instant.parse("2026-11-20T12:34:56Z");

    @TempDir
    private Path directory;

    @Test
    void readsBackEveryRowOfEveryRun() throws Exception {
        Path file = directory.resolve("made/history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4, 1, 9), row("none", "thrpt")), record("A", 0));
        History.append(file, List.of(row("vector", "thrpt", 5)), record("A", 1));
        List<HistoryEntry> entries = History.read(file);
        assertThat(entries).hasSize(2);
        HistoryEntry first = entries.getFirst();
        assertThat(first.time()).isEqualTo(START);
        assertThat(first.commit()).isEqualTo("c0");
        assertThat(first.forks()).as("medians of forks").containsExactly(4.0, 40.0);
        assertThat(first.row().benchmark()).isEqualTo("org.lemmata.A.vector");
        assertThat(first.row().params()).isEqualTo(Map.of("columns", "1024"));
        assertThat(first.row().settings()).isEqualTo(SETTINGS);
        assertThat(first.row().unit()).isEqualTo("ops/s");
        assertThat(first.row().machine()).isEqualTo(new HistoryEntry.Machine("A", 2, "256 bits", "25"));
        assertThat(entries.getLast().row()).as("one series").isEqualTo(first.row());
        JsonNode line = new ObjectMapper().readTree(Files.readAllLines(file).getFirst());
        assertThat(line.at("/forks/1").doubleValue()).isEqualTo(40);
        assertThat(line.at("/machine/cpu").textValue()).isEqualTo("A");
    }

    @Test
    void duetsAndForksThatRanAloneAreTwoSeries() throws Exception {
        Path file = directory.resolve("history.jsonl");
        List<BenchmarkRow> rows = List.of(row("vector", "thrpt", 4), row("none", "thrpt"));
        RunRecord alone = record("A", 0);
        History.append(file, rows, alone);
        var fork = new ForkRun(rows.getFirst().cell(), 0, START, 1, 1, 0, List.of(new ForkRun.Span(0, 9, 1, 0)));
        var session = new BenchmarkSession("id", "A", "", "", "hash", 0, List.of(fork), "", List.of(), Map.of());
        History.append(file, rows, new RunRecord("c1", START.plusSeconds(3600), List.of(), alone.machine(), session));
        assertThat(Files.readAllLines(file).getFirst()).doesNotContain("duet");
        assertThat(History.read(file)).extracting(entry -> entry.row().duet()).containsExactly(false, true);
        assertThat(History.series(History.read(file))).hasSize(2);
    }

    @Test
    void aTornLineIsDroppedAndTheNextRunBeginsItsOwn() throws Exception {
        Path file = directory.resolve("history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4)), record("A", 0));
        byte[] whole = Files.readAllBytes(file);
        Files.writeString(file, "{\"time\":\"2026-", StandardOpenOption.APPEND);
        assertThat(History.read(file)).hasSize(1);
        History.append(file, List.of(row("vector", "thrpt", 5)), record("A", 1));
        assertThat(History.read(file)).extracting(HistoryEntry::commit).containsExactly("c0", "c1");
        assertThat(Files.readAllBytes(file))
                .as("what was there stays, to the byte")
                .startsWith(whole);
    }

    @Test
    void namesTheLineOfAFault() throws Exception {
        Path file = directory.resolve("history.jsonl");
        History.append(file, List.of(row("vector", "thrpt", 4), row("scalar", "thrpt", 1)), record("A", 0));
        String text = Files.readString(file);
        Files.writeString(file, text.replace("[1.0,10.0]", "[1.0,-1.0]"));
        assertMalformed(
                () -> History.read(file), file + ": line 2: forks: expected positive finite scores, got an array of 2");
        Files.writeString(file, text.replace("A.scalar", "A.\u00ff"), StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> History.read(file)).hasMessage(file + ": line 2: expected UTF-8, got the byte 0xff");
    }

    private static RunRecord record(String cpu, int run) {
        var machine = new MachineIdentity(cpu, 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        return new RunRecord("c" + run, START.plusSeconds(3600L * run), List.of(), machine, null);
    }

    /** Two forks, the second ten times as fast as the first. */
    private static BenchmarkRow row(String method, String mode, double... samples) {
        var first = new ArrayList<Double>();
        var second = new ArrayList<Double>();
        for (double sample : samples) {
            first.add(sample);
            second.add(10 * sample);
        }
        List<List<Double>> forks = samples.length == 0 ? List.of() : List.of(first, second);
        Map<String, String> params = Map.of("columns", "1024");
        return Rows.with(DemoInput.row("org.lemmata.A." + method, mode, "ops/s", 1, params, forks, Map.of()), SETTINGS);
    }

    private static final int ROWS = 4000;

    /** Distributions of log speeds of unchanged code: mean 0, standard deviation 1 except for the outliers. */
    enum RunNoise {
        NORMAL {
            @Override
            double next(SplittableRandom random) {
                return random.nextGaussian();
            }
        },
        /** Minus a lognormal value: skewness -1.75. */
        SLOW_TAIL {
            @Override
            double next(SplittableRandom random) {
                double variance = (Math.exp(0.25) - 1) * Math.exp(0.25);
                return (Math.exp(0.125) - Math.exp(0.5 * random.nextGaussian())) / Math.sqrt(variance);
            }
        },
        /** Skewness -2: the distribution from which the limits of a history are derived. */
        EXPONENTIAL {
            @Override
            double next(SplittableRandom random) {
                return 1 - random.nextExponential();
            }
        },
        /** One of fifty runs deviates by ten standard deviations. */
        OUTLIERS {
            @Override
            double next(SplittableRandom random) {
                double outlier = random.nextDouble() < 0.02 ? 10 : 0;
                return random.nextGaussian() + (random.nextBoolean() ? outlier : -outlier);
            }
        };

        abstract double next(SplittableRandom random);
    }

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
