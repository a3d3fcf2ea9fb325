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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Median;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.SharedVariance;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.History.HistoryEntry;

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

    private static final RunRecord RECORD = RunRecord.now("unknown");

    private static BenchmarkRow with(BenchmarkRow row, List<List<Double>> forks) {
        return Rows.with(row, row.method(), row.settings(), forks);
    }

    private static List<BenchmarkRow> read(String name) throws IOException {
        return JmhResults.read(Path.of("src/test/resources/org/lemmata/track").resolve(name));
    }

    private static final Path NOISE = Path.of("jmh-results/noise");
    private static final Path RECORDED = Path.of("src/test/resources/org/lemmata/track");
    private static final int PAIRS = 6;
    private static final int ROWS = 40;

    /**
     * The median noise floor of 23 rows of the suite, compared with themselves. The aims were 1.02 (quiet) and 1.05
     * (busy).
     */
    @ParameterizedTest
    @CsvSource({"duets-quiet, 1.05", "duets-busy, 1.08"})
    void whatNoiseHides(String name, double atMost) throws IOException {
        double[] floors = floors(name);
        assertThat(floors).hasSize(23);
        assertThat(floors[floors.length / 2])
                .isLessThanOrEqualTo(atMost)
                .isLessThan(floors(name.replace("duets", "in-turn"))[floors.length / 2]);
    }

    /** Forks of 40 iterations on another machine reach the aims, and no row has the verdict slower or faster. */
    @ParameterizedTest
    @CsvSource({"duets-forty-iterations-quiet, 1.02", "duets-forty-iterations-busy, 1.05"})
    void moreIterationsHideLess(String name, double atMost) throws IOException {
        double[] floors = floors(RECORDED, name);
        assertThat(floors).hasSize(23);
        assertThat(floors[floors.length / 2]).isLessThanOrEqualTo(atMost);
        assertThat(comparison(RECORDED, name).rows())
                .extracting(ComparisonRow::verdict)
                .doesNotContain(Change.SLOWER, Change.FASTER);
    }

    private static double[] floors(String name) throws IOException {
        return floors(NOISE, name);
    }

    private static Comparison comparison(Path directory, String name) throws IOException {
        return Comparison.ofSides(side(directory, name + ".against"), side(directory, name), ComparisonOptions.DEFAULT);
    }

    private static double[] floors(Path directory, String name) throws IOException {
        return comparison(directory, name).rows().stream()
                .mapToDouble(ComparisonRow::noiseFloor)
                .sorted()
                .toArray();
    }

    /**
     * Of 414 comparisons of a build with itself, with six of twelve recorded pairs and the level of 40 rows, at most
     * one is slower or faster. Either side of a pair may be the first.
     */
    @Test
    void identicalPairsRarelyAlarm() throws IOException {
        double level = Simultaneous.level(0.05, ROWS);
        List<List<List<Double>>> quiet = pairs(NOISE, "duets-quiet");
        List<List<List<Double>>> busy = pairs(NOISE, "duets-busy");
        var random = new Random(19);
        var alarms = new ArrayList<String>();
        for (int row = 0; row < quiet.size(); row++) {
            List<List<Double>> recorded = new ArrayList<>(quiet.get(row));
            recorded.addAll(busy.get(row));
            for (int draw = 0; draw < 18; draw++) {
                Interval interval = RatioBootstrap.together(drawn(recorded, PAIRS, random), Center.MEAN_OF_MEDIANS)
                        .interval(level);
                if (interval.high() < 1 / 1.02 || interval.low() > 1.02) {
                    alarms.add("row " + row + " " + interval);
                }
            }
        }
        assertThat(alarms).hasSizeLessThanOrEqualTo(1);
    }

    /**
     * All rows are compared with themselves as in {@code bench}, with six of each row's twelve recorded pairs. At most
     * 5% of the rows are "probably" slower or faster, and none is slower or faster.
     */
    @Test
    void identicalPairsAreProbablyDifferentAsOftenAsStated() throws IOException {
        List<List<List<Double>>> quiet = pairs(NOISE, "duets-quiet");
        List<List<List<Double>>> busy = pairs(NOISE, "duets-busy");
        double level = Simultaneous.level(0.05, quiet.size());
        var random = new Random(22);
        int probably = 0;
        int all = 0;
        for (int draw = 0; draw < 18; draw++) {
            List<RatioEstimate> rows = IntStream.range(0, quiet.size())
                    .mapToObj(row -> {
                        List<List<Double>> recorded = new ArrayList<>(quiet.get(row));
                        recorded.addAll(busy.get(row));
                        return drawn(recorded, PAIRS, random);
                    })
                    .map(drawn -> RatioBootstrap.together(drawn, Center.MEAN_OF_MEDIANS))
                    .toList();
            SharedVariance shared = SharedVariance.of(rows);
            for (RatioEstimate row : rows) {
                RatioEstimate moderated = shared.with(row);
                Change verdict = Change.of(moderated.interval(level), 0.02).or(moderated.interval(0.95));
                assertThat(verdict).isNotIn(Change.SLOWER, Change.FASTER);
                probably += verdict == Change.PROBABLY_SLOWER || verdict == Change.PROBABLY_FASTER ? 1 : 0;
                all++;
            }
        }
        System.out.println(probably + " of " + all + " choices of recorded duets: probably");
        assertThat(probably).isBetween(1, all / 20);
    }

    /**
     * All rows are compared with themselves, with four or six of each row's recorded pairs, the shared variance, no
     * margin, and the level of 40 rows: at most one interval in 414 excludes 1, and the median noise floor is lower
     * than without the shared variance.
     */
    @ParameterizedTest
    @CsvSource({"4, 0.85", "6, 0.95"})
    void sharingAVarianceFindsMoreAndRarelyAlarms(int count, double atMost) throws IOException {
        double level = Simultaneous.level(0.05, ROWS);
        var random = new Random(20);
        var alarms = new ArrayList<String>();
        for (String name : List.of("duets-quiet", "duets-busy")) {
            List<List<List<Double>>> recorded = pairs(NOISE, name);
            var alone = new ArrayList<Double>();
            var together = new ArrayList<Double>();
            for (int draw = 0; draw < 9; draw++) {
                List<RatioEstimate> rows = recorded.stream()
                        .map(pairs -> RatioBootstrap.together(drawn(pairs, count, random), Center.MEAN_OF_MEDIANS))
                        .toList();
                SharedVariance shared = SharedVariance.of(rows);
                for (RatioEstimate row : rows) {
                    RatioEstimate moderated = shared.with(row);
                    Interval interval = moderated.interval(level);
                    if (interval.high() < 1 || interval.low() > 1) {
                        alarms.add(name + " " + interval);
                    }
                    alone.add(Math.log(row.noiseFloor(level)));
                    together.add(Math.log(moderated.noiseFloor(level)));
                }
            }
            assertThat(Median.of(together)).as(name).isLessThan(atMost * Median.of(alone));
        }
        assertThat(alarms).hasSizeLessThanOrEqualTo(1);
    }

    /**
     * All recorded rows are compared with themselves, with looks after two, three and four pairs and no margin: at most
     * one of the 414 rows has an interval that excludes 1 at any look.
     */
    @Test
    void lookingSeveralTimesRarelyAlarms() throws IOException {
        int looks = 3;
        var random = new Random(21);
        var alarms = new ArrayList<String>();
        for (String name : List.of("duets-quiet", "duets-busy")) {
            List<List<List<Double>>> recorded = pairs(NOISE, name);
            for (int draw = 0; draw < 9; draw++) {
                List<List<List<Double>>> drawn = recorded.stream()
                        .map(pairs -> drawn(pairs, pairs.size(), random))
                        .toList();
                for (int look = 1; look <= looks; look++) {
                    int count = look + 1;
                    List<RatioEstimate> rows = drawn.stream()
                            .map(pairs -> RatioBootstrap.together(
                                    pairs.subList(0, Math.min(count, pairs.size())), Center.MEAN_OF_MEDIANS))
                            .toList();
                    SharedVariance shared = SharedVariance.of(rows);
                    double level = Simultaneous.level(0.05, rows.size(), look, looks);
                    for (RatioEstimate row : rows) {
                        Interval interval = shared.with(row).interval(level);
                        if (interval.high() < 1 || interval.low() > 1) {
                            alarms.add(name + " " + count + " " + interval);
                        }
                    }
                }
            }
        }
        assertThat(alarms).hasSizeLessThanOrEqualTo(1);
    }

    /** Draws some of the pairs. Either side of a pair may be the first. */
    private static List<List<Double>> drawn(List<List<Double>> pairs, int count, Random random) {
        List<List<Double>> shuffled = new ArrayList<>(pairs);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(count, shuffled.size())).stream()
                .map(pair -> random.nextBoolean()
                        ? pair
                        : pair.stream().map(ratio -> 1 / ratio).toList())
                .toList();
    }

    /** Ten runs of six pairs each, with a kernel of 20 microseconds that processes the first elements twice. */
    @ParameterizedTest
    @CsvSource({"2, 8", "5, 10", "10, 10"})
    void plantedSlowDownsAreFound(int percent, int atLeast) throws IOException {
        String name = "duets-slowed-by-" + percent + "-percent";
        List<List<List<Double>>> runs = pairs(RECORDED, name);
        assertThat(runs).hasSize(10).allSatisfy(pairs -> assertThat(pairs).hasSize(PAIRS));
        long found = runs.stream()
                .map(pairs ->
                        RatioBootstrap.together(pairs, Center.MEAN_OF_MEDIANS).interval(0.95))
                .filter(interval -> Change.of(interval, 0) == Change.SLOWER)
                .count();
        assertThat(found).isGreaterThanOrEqualTo(atLeast);
    }

    /** A hundred pairs of one build. One fork of the run was killed, then the run itself, which was resumed. */
    @Test
    void killedAndResumedNeitherSideIsFavored() throws IOException {
        List<List<Double>> pairs = pairs(RECORDED, "duets-100-pairs").getFirst();
        assertThat(pairs).hasSize(100);
        Interval interval =
                RatioBootstrap.together(pairs, Center.MEAN_OF_MEDIANS).interval(0.95);
        assertThat(interval.low()).isBetween(0.997, 1.0);
        assertThat(interval.high()).isBetween(1.0, 1.003);
    }

    /** The median of all pairs of all rows; a weighted mean of them is 0.5% off beside the loop. */
    @ParameterizedTest
    @CsvSource({"duets-quiet", "duets-busy", "duets-forty-iterations-quiet", "duets-forty-iterations-busy"})
    void neitherSideIsFavored(String name) throws IOException {
        double[] sorted = pairs(name.contains("forty") ? RECORDED : NOISE, name).stream()
                .flatMap(List::stream)
                .mapToDouble(pair -> RatioBootstrap.together(List.of(pair), Center.MEAN_OF_MEDIANS)
                        .ratio())
                .sorted()
                .toArray();
        assertThat(sorted).hasSizeBetween(130, 138);
        assertThat(sorted[sorted.length / 2]).isBetween(0.997, 1.003);
    }

    /** Ratios [row][pair][iteration]. */
    private static List<List<List<Double>>> pairs(Path directory, String name) throws IOException {
        ComparisonSide current = side(directory, name);
        ComparisonSide baseline = side(directory, name + ".against");
        return IntStream.range(0, current.rows().size())
                .mapToObj(row ->
                        DuetRatios.of(side(current, row), side(baseline, row)).pairs())
                .toList();
    }

    private static DuetRatios.Side side(ComparisonSide side, int row) {
        BenchmarkRow measured = side.rows().get(row);
        return new DuetRatios.Side(measured.speeds(), measured.operationMicros(), side.runs(row));
    }

    private static ComparisonSide side(Path directory, String name) throws IOException {
        return ComparisonSide.read(name, directory.resolve(name + ".json"));
    }
}
