package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.statistic.Center;
import org.lemmata.track.ComparisonRow.Change;

/**
 * Verdicts on recorded forks of one build, and of builds whose kernel does 5% and 10% more work.
 * docs/notes/regression-log.md describes the recording.
 */
class RecordedForksTest {

    private static final int SPLITS = 10;
    private static final int FORKS = 10;

    private final List<BenchmarkRow> cells = read("identical-forks.json");

    RecordedForksTest() throws IOException {}

    @Test
    void thereAreFortyCellsOfFortyForks() {
        assertThat(cells).hasSize(40).allSatisfy(row -> {
            assertThat(row.samples()).hasSize(40);
            assertThat(row.samples()).allSatisfy(fork -> assertThat(fork).hasSize(5));
        });
    }

    /** In 400 comparisons of a build with itself, at most one has the verdict slower or faster. */
    @Test
    void identicalForksRarelyAlarm() {
        assertThat(alarms(ComparisonOptions.DEFAULT, forks -> forks)).hasSizeLessThanOrEqualTo(1);
    }

    /** In these comparisons, at most 5% are "probably" slower or faster; docs/notes/regression-log.md has the share. */
    @Test
    void identicalForksAreProbablyDifferentAsOftenAsStated() {
        List<String> probably = alarms(
                ComparisonOptions.DEFAULT, forks -> forks, EnumSet.of(Change.PROBABLY_SLOWER, Change.PROBABLY_FASTER));
        System.out.println(probably.size() + " of " + SPLITS * cells.size() + " splits of identical forks: probably");
        assertThat(probably).hasSizeBetween(1, SPLITS * cells.size() / 20);
    }

    /**
     * Without a margin, an interval that excludes 1 is an alarm. The stated rate is 5% per 40 rows, so 0.5 alarms are
     * expected in 400. The splits share forks, so alarms come in groups; the limit of 3 allows for that.
     */
    @Tag("long")
    @Test
    void intervalsOfIdenticalForksHoldOneAsOftenAsStated() {
        var noMargin = new ComparisonOptions(
                Center.MEAN_OF_MEDIANS, 0.05, 0, List.of(), Set.of(), Pattern.compile(""), List.of());
        assertThat(alarms(noMargin, forks -> forks)).hasSizeLessThanOrEqualTo(3);
    }

    /** If iterations counted as independent observations, there would be more false alarms, so forks are compared. */
    @Test
    @Tag("long")
    void iterationsTakenForForksWouldAlarm() {
        assertThat(alarms(ComparisonOptions.DEFAULT, RecordedForksTest::iterations))
                .hasSizeGreaterThan(1);
    }

    private static List<List<Double>> iterations(List<List<Double>> forks) {
        return forks.stream().flatMap(List::stream).map(List::of).toList();
    }

    /**
     * Ten runs of ten forks per side, A B B A; the slower kernel of 20 microseconds processes the first elements twice.
     */
    @ParameterizedTest
    @CsvSource({"5, 9", "10, 10"})
    void aPlantedSlowDownIsFound(int percent, int atLeast) throws IOException {
        List<BenchmarkRow> slowed = read("slowed-by-" + percent + "-percent.json");
        List<BenchmarkRow> before = read("slowed-by-" + percent + "-percent.against.json");
        assertThat(slowed)
                .hasSize(10)
                .allSatisfy(row -> assertThat(row.samples()).hasSize(FORKS));
        List<Change> verdicts = new ArrayList<>();
        for (int run = 0; run < slowed.size(); run++) {
            Comparison comparison = Comparison.of(
                    side("before", before.get(run), run),
                    side("slowed", slowed.get(run), run),
                    ComparisonOptions.DEFAULT);
            verdicts.add(comparison.rows().getFirst().verdict());
        }
        assertThat(verdicts.stream().filter(verdict -> verdict == Change.SLOWER).count())
                .as("found in %s", verdicts)
                .isGreaterThanOrEqualTo(atLeast);
    }

    /**
     * Forks of one build, in random order, as the runs of a history: one in eight looks at 40 rows has an alarm. Log
     * speeds have a skewness of -1.7; Student's prediction interval would have an alarm at every second look.
     */
    @Test
    void historiesOfIdenticalForksAlarmAtOneLookInEight() {
        var random = new Random(21);
        int looks = 0;
        for (int look = 0; look < 200; look++) {
            var history = new ArrayList<HistoryEntry>();
            for (BenchmarkRow cell : cells) {
                var forks = new ArrayList<>(cell.samples());
                Collections.shuffle(forks, random);
                history.addAll(history(cell, forks.subList(0, 21)));
            }
            looks += HistoryComparison.of(history).regression() ? 1 : 0;
        }
        assertThat(looks).isBetween(15, 40);
    }

    /** A history in which each fork is a run. */
    private static List<HistoryEntry> history(BenchmarkRow row, List<List<Double>> forks) {
        var entries = new ArrayList<HistoryEntry>();
        for (List<Double> fork : forks) {
            HistoryEntry entry =
                    HistoryEntry.of(with(row, List.of(fork)), RECORD).orElseThrow();
            entries.add(new HistoryEntry(
                    entry.time().plusSeconds(entries.size()), entry.commit(), entry.row(), entry.forks(), List.of()));
        }
        return entries;
    }

    /** Each of ten slower runs is found after ten other runs, with ten forks each. */
    @ParameterizedTest
    @ValueSource(ints = {5, 10})
    void aSlowDownIsFoundInAHistory(int percent) throws IOException {
        List<BenchmarkRow> before = read("slowed-by-" + percent + "-percent.against.json");
        int slower = 0;
        for (BenchmarkRow row : read("slowed-by-" + percent + "-percent.json")) {
            var history = new ArrayList<HistoryEntry>();
            for (BenchmarkRow each : before) {
                HistoryEntry entry = HistoryEntry.of(each, RECORD).orElseThrow();
                history.add(new HistoryEntry(
                        entry.time().minusSeconds(1L + history.size()),
                        "before",
                        entry.row(),
                        entry.forks(),
                        List.of()));
            }
            HistoryEntry now = HistoryEntry.of(row, RECORD).orElseThrow();
            history.add(new HistoryEntry(now.time(), "now", history.getFirst().row(), now.forks(), List.of()));
            slower += HistoryComparison.of(history).regression() ? 1 : 0;
        }
        assertThat(slower).isEqualTo(10);
    }

    private List<String> alarms(ComparisonOptions options, UnaryOperator<List<List<Double>>> units) {
        return alarms(options, units, EnumSet.of(Change.SLOWER, Change.FASTER));
    }

    private List<String> alarms(
            ComparisonOptions options, UnaryOperator<List<List<Double>>> units, Set<Change> verdicts) {
        var random = new Random(20);
        var alarms = new ArrayList<String>();
        for (int split = 0; split < SPLITS; split++) {
            var before = new ArrayList<BenchmarkRow>();
            var now = new ArrayList<BenchmarkRow>();
            for (BenchmarkRow cell : cells) {
                var forks = new ArrayList<>(cell.samples());
                Collections.shuffle(forks, random);
                before.add(with(cell, units.apply(forks.subList(0, FORKS))));
                now.add(with(cell, units.apply(forks.subList(FORKS, 2 * FORKS))));
            }
            Comparison comparison = Comparison.of(
                    new ComparisonSide("before", before, null), new ComparisonSide("now", now, null), options);
            for (ComparisonRow row : comparison.rows()) {
                if (verdicts.contains(row.verdict())) {
                    alarms.add(row.shortName() + " " + row.ratio() + " " + row.interval());
                }
            }
        }
        return alarms;
    }

    private static ComparisonSide side(String name, BenchmarkRow row, int run) {
        var session = new BenchmarkSession("run-" + run, name, "", "before", "", 0, List.of(), "", List.of(), Map.of());
        return new ComparisonSide(name, List.of(row), RECORD.withSession(session));
    }

    private static final RunRecord RECORD = RunRecord.now(MachineIdentity.current("unknown"), List.of());

    private static BenchmarkRow with(BenchmarkRow row, List<List<Double>> forks) {
        return Rows.with(row, row.method(), row.settings(), forks);
    }

    private static List<BenchmarkRow> read(String name) throws IOException {
        return JmhResults.read(Path.of("src/test/resources/org/lemmata/track").resolve(name));
    }
}
