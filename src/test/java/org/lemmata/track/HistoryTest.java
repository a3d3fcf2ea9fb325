package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.MalformedFileException;

class HistoryTest {

    private static final BenchmarkRow.Settings SETTINGS =
            new BenchmarkRow.Settings(1, "3 x 100 ms", "5 x 50 ms", List.of("-Xbatch"), "1.37");

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
        assertThatThrownBy(() -> History.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage(file + ": line 2: forks: expected positive finite scores, got an array of 2");
        Files.writeString(file, text.replace("A.scalar", "A.\u00ff"), StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> History.read(file)).hasMessage(file + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void findsAPlantedStepThreeRunsLaterInEitherMode() {
        for (String mode : List.of("thrpt", "avgt")) {
            HistoryChanges changes = HistoryChanges.of(history(mode, "A", 40, 37, 0.9));
            HistoryChanges.Series series = changes.series().getFirst();
            assertThat(changes.regression()).as(mode).isTrue();
            assertThat(series.changes()).hasSize(1);
            HistoryChanges.Change change = series.changes().getFirst();
            assertThat(change.index()).isEqualTo(37);
            assertThat(change.first().commit()).isEqualTo("c37");
            assertThat(change.ratio()).isCloseTo(0.9, within(0.02));
            assertThat(change.isNew()).isTrue();
        }
    }

    @Test
    void aGainAnOldStepAndARowThatNobodyRunsAreNoRegressions() {
        assertThat(HistoryChanges.of(history("thrpt", "A", 40, 37, 1.1)).regression())
                .isFalse();
        HistoryChanges old = HistoryChanges.of(history("thrpt", "A", 40, 20, 0.9));
        assertThat(old.series().getFirst().changes()).hasSize(1);
        assertThat(old.regression()).isFalse();
        List<HistoryEntry> two = new ArrayList<>(history("thrpt", "A", 40, 37, 0.9));
        assertThat(HistoryChanges.of(two).regression()).isTrue();
        two.addAll(history("thrpt", "B", 60, 60, 1));
        HistoryChanges changes = HistoryChanges.of(two);
        assertThat(changes.series()).as("a series a machine").hasSize(2);
        assertThat(changes.series().getFirst().current()).isFalse();
        assertThat(changes.regression()).isFalse();
        assertThat(changes.conclusive()).isTrue();
    }

    @Test
    void looksAtTheLatestRunsAndCountsEachOnce() {
        List<HistoryEntry> twice = new ArrayList<>(history("thrpt", "A", 230, 20, 0.9));
        twice.addAll(history("thrpt", "A", 230, 20, 0.9));
        HistoryChanges.Series series = HistoryChanges.of(twice).series().getFirst();
        assertThat(series.runs()).hasSize(200);
        assertThat(series.runs().getFirst().commit()).isEqualTo("c30");
        assertThat(series.changes()).as("the step lies before").isEmpty();
        assertThat(HistoryChanges.of(history("thrpt", "A", 9, 5, 0.5)).conclusive())
                .isFalse();
        assertThat(HistoryChanges.of(List.of()).falseAlarms()).isEqualTo(0.01);
    }

    @Test
    void theRateIsSharedByTheRowsOfTheNewestRun() {
        assertThat(HistoryChanges.of(look(40, 15, new Random(1))).falseAlarms()).isEqualTo(0.01 / 40);
        assertThat(HistoryChanges.of(look(500, 10, new Random(1))).falseAlarms())
                .isEqualTo(0.0001);
        List<HistoryEntry> another = new ArrayList<>(history("thrpt", "A", 40, 40, 1));
        another.addAll(history("thrpt", "B", 60, 60, 1));
        assertThat(HistoryChanges.of(another).falseAlarms())
                .as("who has left asks nothing")
                .isEqualTo(0.01);
    }

    /**
     * docs/regression.md: of looks at 40 rows that never changed, 1.3% alarm; 2,000 of them more than this once in
     * 1,000.
     */
    @Test
    @Tag("long")
    void alarmsOfManyRowsKeepTheStatedRate() {
        var random = new Random(20261122);
        int alarms = 0;
        for (int look = 0; look < 2000; look++) {
            alarms += HistoryChanges.of(look(40, 15, random)).regression() ? 1 : 0;
        }
        assertThat(alarms).isBetween(1, BinomialDistribution.of(2000, 0.013).inverseSurvivalProbability(0.001));
    }

    /** Rows whose speed never changed, with noise of 1%. */
    private static List<HistoryEntry> look(int rows, int runs, Random random) {
        var entries = new ArrayList<HistoryEntry>();
        for (int each = 0; each < rows; each++) {
            HistoryEntry.Row row = new HistoryEntry.Row(
                    "org.lemmata.A.vector" + each,
                    "thrpt",
                    new LinkedHashMap<>(),
                    SETTINGS,
                    "ops/s",
                    new HistoryEntry.Machine("A", 2, "256 bits", "25"));
            for (int run = 0; run < runs; run++) {
                double speed = Math.exp(0.01 * random.nextGaussian());
                entries.add(
                        new HistoryEntry(START.plusSeconds(3600L * run), "c" + run, row, List.of(speed), List.of()));
            }
        }
        return entries;
    }

    /** Runs whose speed is {@code ratio} times as great from run {@code step} on; noise of 1%. */
    private static List<HistoryEntry> history(String mode, String cpu, int runs, int step, double ratio) {
        var random = new Random(runs);
        var entries = new ArrayList<HistoryEntry>();
        for (int run = 0; run < runs; run++) {
            double speed = Math.exp(0.01 * random.nextGaussian()) * (run < step ? 1 : ratio);
            BenchmarkRow row = row("vector", mode, mode.equals("thrpt") ? speed : 1 / speed);
            entries.add(HistoryEntry.of(row, record(cpu, run)).orElseThrow());
        }
        return entries;
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
        return new BenchmarkRow(
                "org.lemmata.A",
                method,
                mode,
                new LinkedHashMap<>(Map.of("columns", "1024")),
                SETTINGS,
                new BenchmarkRow.Score(1, Double.NaN, "ops/s"),
                2,
                samples.length == 0 ? List.of() : List.of(first, second),
                new LinkedHashMap<>());
    }
}
