package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.Json;
import org.lemmata.file.MalformedFileException;
import org.lemmata.report.DemoInput;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.ComparisonRow.Change;

class ComparisonTest {

    private static final ComparisonOptions DEFAULT = ComparisonOptions.DEFAULT;
    private static final BenchmarkRow.RunOptions SETTINGS =
            new BenchmarkRow.RunOptions(1, "5 x 400 ms", "5 x 400 ms", List.of("-Xbatch"), "1.37");

    @TempDir
    private Path directory;

    /** Ten forks that differ by 0.2%; a margin of 2%. */
    @ParameterizedTest
    @CsvSource({
        "thrpt, 0.95, SLOWER, 0.95",
        "thrpt, 1.05, FASTER, 1.05",
        "thrpt, 1.001, SAME, 1.001",
        "thrpt, 1.02, PROBABLY_FASTER, 1.02",
        "thrpt, 0.98, PROBABLY_SLOWER, 0.98",
        "avgt, 1.02, PROBABLY_SLOWER, 0.98",
        "avgt, 1.05, SLOWER, 0.952",
        "avgt, 0.95, FASTER, 1.053",
        "avgt, 0.999, SAME, 1.001",
        "ss, 1.05, SLOWER, 0.952",
    })
    void theDirectionIsThatOfTheModeAndTheMarginDecides(String mode, double score, Change verdict, double ratio) {
        ComparisonRow row = compared(row("a", mode, 1000, 10, 0.002), row("a", mode, 1000 * score, 10, 0.002));
        assertThat(row.verdict()).isEqualTo(verdict);
        assertThat(row.ratio()).isCloseTo(ratio, within(0.002));
        assertThat(row.interval().low()).isLessThan(row.ratio());
        assertThat(row.interval().high()).isGreaterThan(row.ratio());
    }

    @Test
    void aSlowDownSmallerThanTheMarginIsTheSameHoweverExact() {
        List<BenchmarkRow> before = List.of(row("a", "thrpt", 1000, 10, 0.0001));
        List<BenchmarkRow> now = List.of(row("a", "thrpt", 985, 10, 0.0001));
        assertThat(compare(before, now).rows().getFirst().verdict()).isEqualTo(Change.SAME);
        assertThat(compare(before, now, Rows.options(DEFAULT.center(), 0.01, List.of()))
                        .rows()
                        .getFirst()
                        .verdict())
                .isEqualTo(Change.SLOWER);
    }

    @Test
    void theLastMarginThatFitsARowHolds() {
        var margins = List.of(
                new ComparisonOptions.Margin(Pattern.compile("X\\."), 0.1),
                new ComparisonOptions.Margin(Pattern.compile("X\\.b"), 0.3));
        var options = new ComparisonOptions(
                Center.MEDIAN, 0.05, 0.02, margins, DEFAULT.allowed(), DEFAULT.include(), List.of());
        List<BenchmarkRow> rows = List.of(row("a", "thrpt", 1, 5, 0.01), row("b", "thrpt", 1, 5, 0.01));
        assertThat(compare(rows, rows, options).rows())
                .extracting(ComparisonRow::margin)
                .containsExactly(0.1, 0.3);
    }

    @Test
    void anInconclusiveRowSaysHowManyForksItTakes() {
        ComparisonRow row = compared(row("a", "thrpt", 1000, 5, 0.03), row("a", "thrpt", 940, 5, 0.03));
        assertThat(row.verdict()).isEqualTo(Change.PROBABLY_SLOWER);
        int needed = Objects.requireNonNull(row.forksNeeded());
        assertThat(needed).isBetween(6, 60);
        assertThat(compared(row("a", "thrpt", 1000, 2 * needed, 0.03), row("a", "thrpt", 940, 2 * needed, 0.03))
                        .verdict())
                .isEqualTo(Change.SLOWER);
    }

    /** Up to eleven forks per side, with looks after 4, 6, 8, 10 and 11. One of two rows stopped at six. */
    @Test
    void aRowThatStoppedEarlyIsJudgedAtTheLevelOfItsLook() {
        List<BenchmarkRow> before = List.of(row("a", "thrpt", 1000, 6, 0.006), row("b", "thrpt", 1000, 11, 0.006));
        List<BenchmarkRow> now = List.of(row("a", "thrpt", 950, 6, 0.006), row("b", "thrpt", 1000, 11, 0.006));
        Comparison compared = Comparison.ofSides(looking("B", before), looking("A", now), DEFAULT);
        List<Double> levels = List.of(1 - 0.05 / 2 * 2 / 15, 1 - 0.05 / 2 * 5 / 15);
        for (int i = 0; i < 2; i++) {
            assertThat(compared.rows().get(i).interval())
                    .isEqualTo(RatioBootstrap.paired(
                                    now.get(i).speeds(), before.get(i).speeds(), Center.MEAN_OF_MEDIANS)
                            .interval(levels.get(i)));
        }
        assertThat(method(compared).level()).isEqualTo(levels.getLast());
        assertThat(method(compared).looks()).isEqualTo(5);
    }

    /**
     * The first of thirteen rows stops after four forks. The others continue to ten and become noisier, and one of them
     * loses its interval, so that both the shared variance and the critical value change.
     */
    @Test
    void aRowThatStoppedKeepsItsVerdictWhateverTheOthersBecome() {
        var before = new ArrayList<>(List.of(row("slow", "thrpt", 1000, 4, 0.004)));
        var now = new ArrayList<>(List.of(row("slow", "thrpt", 942, 4, 0.008)));
        for (int i = 1; i < 13; i++) {
            before.add(row("other" + i, "thrpt", 1000, 10, 0));
            now.add(row("other" + i, "thrpt", 1000, 10, 0.02));
        }
        now.add(with(
                now.getLast(),
                "fails",
                List.of(List.of(1.0), List.of(1.1), List.of(0.9), List.of(1.2), List.of(0.0), List.of(0.0))));
        before.add(now.getLast());
        ComparisonSide beforeAll = looking("B", before);
        ComparisonSide nowAll = looking("A", now);
        Comparison first = Comparison.ofSides(beforeAll.first(4), nowAll.first(4), DEFAULT);
        Comparison last = Comparison.ofSides(beforeAll, nowAll, DEFAULT);
        assertThat(method(first).compared()).isEqualTo(14);
        assertThat(method(last).compared()).isEqualTo(13);
        assertThat(method(first).sharedFreedom()).isPositive();
        assertThat(first.rows().getFirst().verdict()).isEqualTo(Change.SLOWER);
        assertThat(last.rows().getFirst()).isEqualTo(first.rows().getFirst());
        assertThat(last.rows().get(1).forks()).isEqualTo(10);
    }

    private static ComparisonSide looking(String name, List<BenchmarkRow> rows) {
        var session = new BenchmarkSession("run", name, "", "", "", 5, List.of(), "", List.of(), Map.of());
        return new ComparisonSide(name, rows, RunRecord.now("unknown").withSession(session));
    }

    @Test
    void oneForkGivesNoVerdict() {
        ComparisonRow row = compared(row("a", "thrpt", 1000, 1, 0), row("a", "thrpt", 500, 1, 0));
        assertThat(row.verdict()).isEqualTo(Change.INCONCLUSIVE);
        assertThat(row.interval().high()).isInfinite();
        assertThat(row.note()).isEqualTo("one fork has no spread");
    }

    @Test
    void whatIsFoundAloneIsNotFoundAmongAHundred() {
        var before = new ArrayList<>(List.of(row("slow", "thrpt", 1000, 6, 0.006)));
        var now = new ArrayList<>(List.of(row("slow", "thrpt", 965, 6, 0.006)));
        Comparison alone = compare(before, now);
        assertThat(alone.rows().getFirst().verdict()).isEqualTo(Change.SLOWER);
        for (int i = 1; i < 100; i++) {
            before.add(row("same" + i, "thrpt", 1000, 6, 0.006));
            now.add(row("same" + i, "thrpt", 1000, 6, 0.006));
        }
        Comparison among = compare(before, now);
        assertThat(among.rows().getFirst().ratio())
                .isEqualTo(alone.rows().getFirst().ratio());
        assertThat(among.rows().getFirst().verdict()).isEqualTo(Change.PROBABLY_SLOWER);
        assertThat(method(among).level()).isCloseTo(0.9995, within(1e-12));
        assertThat(method(among).compared()).isEqualTo(100);
    }

    /** One of twelve rows with four forks is slower by 4.4%, which is found only with the shared variance. */
    @Test
    void enoughRowsShareWhatTheyTellOfTheirSpread() throws Exception {
        var before = new ArrayList<>(List.of(row("slow", "thrpt", 1000, 4, 0.006)));
        var now = new ArrayList<>(List.of(row("slow", "thrpt", 956, 4, 0.006)));
        for (int i = 1; i < 12; i++) {
            before.add(row("same" + i, "thrpt", 1000, 4, 0.006));
            now.add(row("same" + i, "thrpt", 1000, 4, 0.006));
        }
        Comparison shared = compare(before, now);
        assertThat(method(shared).sharedFreedom()).isCloseTo(6, within(0.1));
        assertThat(shared.rows().getFirst().verdict()).isEqualTo(Change.SLOWER);
        Path file = directory.resolve("comparison.json");
        Files.writeString(file, Json.indented(shared));
        assertThat(Comparison.read(file)).isEqualTo(shared);
        Comparison fewer = compare(before.subList(0, 11), now);
        assertThat(method(fewer).sharedFreedom()).isZero();
        assertThat(fewer.rows().getFirst().verdict()).isEqualTo(Change.PROBABLY_SLOWER);
        ComparisonOptions medians = Rows.options(Center.MEDIAN, 0.02, List.of());
        assertThat(method(compare(before, now, medians)).sharedFreedom()).isZero();
    }

    @Test
    void rowsOfOneSideAreListedAndOneThatIsGoneLeavesNoVerdict() {
        BenchmarkRow kept = row("kept", "thrpt", 1000, 10, 0.001);
        Comparison fewer = compare(List.of(row("lost", "thrpt", 1000, 10, 0.001), kept), List.of(kept));
        assertThat(fewer.rows()).extracting(ComparisonRow::verdict).containsExactlyInAnyOrder(Change.SAME, Change.GONE);
        assertThat(fewer.with(Change.GONE).getFirst().note()).isEqualTo("only in before");
        assertThat(fewer.inconclusive()).isTrue();
        Comparison more = compare(List.of(kept), List.of(kept, row("added", "thrpt", 1000, 10, 0.001)));
        assertThat(more.rows()).extracting(ComparisonRow::verdict).containsExactly(Change.SAME, Change.NEW);
        assertThat(more.inconclusive()).isFalse();
    }

    @Test
    void scoresThatGiveNoRatioAreSaid() {
        BenchmarkRow good = row("a", "thrpt", 1000, 2, 0.001);
        Comparison histogram =
                compare(List.of(good, with(good, "h", List.of())), List.of(good, with(good, "h", List.of())));
        assertThat(histogram.rows().getLast().verdict()).isEqualTo(Change.NOT_COMPARED);
        assertThat(method(histogram).compared()).isEqualTo(1);
        assertThat(compare(List.of(with(good, "h", List.of())), List.of(with(good, "h", List.of())))
                        .inconclusive())
                .as("nothing was compared")
                .isTrue();
        Comparison broken = compare(List.of(good), List.of(with(good, "a", List.of(List.of(1000.0), List.of(0.0)))));
        assertThat(broken.rows().getFirst().verdict()).isEqualTo(Change.INCONCLUSIVE);
        assertThat(broken.rows().getFirst().note()).contains("not from 1e-150 to 1e150");
        for (double score : new double[] {1e-320, 1e308}) {
            BenchmarkRow extreme = with(good, "b", List.of(List.of(score), List.of(score)));
            Comparison rest = compare(List.of(good, with(good, "b", good.samples())), List.of(good, extreme));
            assertThat(rest.rows().getFirst().verdict()).isEqualTo(Change.SAME);
            assertThat(rest.rows().getLast().shortName()).contains(".b ");
            assertThat(rest.rows().getLast().note()).contains("not from 1e-150 to 1e150");
        }
    }

    @Test
    void unequalRunsAreRefusedUnlessTheyAreAllowedTo() {
        BenchmarkRow row = row("a", "thrpt", 1000, 4, 0.001);
        var other = new BenchmarkRow.RunOptions(2, "3 x 400 ms", "5 x 400 ms", List.of(), "1.36");
        BenchmarkRow changed = Rows.with(row, "a", other, row.samples().subList(0, 3));
        var before = new ComparisonSide("before", List.of(row), record(2, "id", "A", ""));
        var now = new ComparisonSide("now", List.of(changed), record(4, "other", "A", ""));
        assertRefused(
                () -> Comparison.of(before, now, DEFAULT),
                "compare: expected runs of one machine, settings and forks, got cores: 2, now 4 (--allow"
                        + " machine); threads: 1, now 2 in 1 row (--allow settings); warm-up: 5 x 400 ms, now 3 x"
                        + " 400 ms in 1 row (--allow settings); JVM arguments: -Xbatch, now none in 1 row"
                        + " (--allow jvm-arguments); JMH: 1.37, now 1.36 in 1 row (--allow settings); forks: 4, now 3"
                        + " in 1 row (--allow forks)");
        ComparisonOptions most = DEFAULT.allowing(Allowed.MACHINE).allowing(Allowed.SETTINGS);
        assertThatThrownBy(() -> Comparison.of(before, now, most))
                .hasMessageEndingWith("got forks: 4, now 3 in 1 row (--allow forks)");
        Comparison all = Comparison.of(before, now, most.allowing(Allowed.FORKS));
        assertThat(all.rows().getFirst().forks()).isEqualTo(3);
        assertThat(all.differences()).hasSize(6).contains("cores: 2, now 4");
    }

    @Test
    void anUnknownMachineIsLikeNoneButAnother() {
        List<BenchmarkRow> rows = List.of(row("a", "thrpt", 1000, 4, 0.001));
        var known = new ComparisonSide("known", rows, record(2, "id", "A", ""));
        var unknown = new ComparisonSide("unknown", rows, null);
        assertThatThrownBy(() -> Comparison.of(unknown, known, DEFAULT))
                .hasMessageContaining("machine: unknown, now Zen (--allow");
        assertThatThrownBy(() -> Comparison.of(known, unknown, DEFAULT))
                .hasMessageContaining("machine: Zen, now unknown (--allow");
        assertThat(Comparison.of(unknown, unknown, DEFAULT).differences()).isEmpty();
        assertThat(Comparison.of(known, unknown, DEFAULT.allowing(Allowed.MACHINE))
                        .differences())
                .hasSize(1);
    }

    /** Both sides slow down by a third at the same time, which cancels in pairs. */
    @Test
    void forksOfOneSessionArePairedAndRowsByTheirPlace() {
        BenchmarkRow model = row("vector", "thrpt", 1, 2, 0);
        BenchmarkRow vector = with(model, "vector", drifting(1100));
        BenchmarkRow scalar = with(model, "scalar", drifting(1000));
        var before = new ComparisonSide("x.against", List.of(scalar), record(2, "id", "B", "scalar"));
        Comparison paired = Comparison.of(
                before, new ComparisonSide("x", List.of(vector), record(2, "id", "A", "scalar")), DEFAULT);
        assertThat(paired.rows().getFirst().verdict()).isEqualTo(Change.FASTER);
        assertThat(paired.rows().getFirst().ratio()).isCloseTo(1.1, within(0.01));
        assertThat(paired.rows().getFirst().note()).isEqualTo("against X.scalar");
        assertThat(method(paired).itself()).isFalse();
        ComparisonRow unpaired = compare(
                        List.of(with(model, "vector", drifting(1000))), List.of(with(model, "vector", drifting(1100))))
                .rows()
                .getFirst();
        assertThat(unpaired.verdict()).as("two runs").isEqualTo(Change.INCONCLUSIVE);
        assertThatThrownBy(() -> Comparison.of(
                        before,
                        new ComparisonSide("x", List.of(vector, scalar), record(2, "id", "A", "scalar")),
                        DEFAULT))
                .hasMessage("x.against: expected 2 rows, as many as x of the same session, got 1");
    }

    @Test
    void oneSessionIsOneMachineWhateverItsSidesCouldTell() {
        List<BenchmarkRow> rows = List.of(row("a", "thrpt", 1000, 4, 0.001));
        var before = new ComparisonSide("x.against", rows, record(2, "id", "B", "old.jar"));
        var machine = new MachineIdentity("Zen", 2, 0, "Linux", "25", List.of(), "unknown", "unknown");
        var session = new BenchmarkSession("id", "A", "", "old.jar", "jar", 0, List.of(), "", List.of(), Map.of());
        var now = new ComparisonSide("x", rows, new RunRecord("commit", Instant.EPOCH, List.of(), machine, session));
        Comparison comparison = Comparison.ofSides(before, now, DEFAULT);
        assertThat(comparison.differences()).containsExactly("simd: 256 bits, now unknown");
        var other = new ComparisonSide("x", rows, record(2, "other", "A", "old.jar"));
        assertRefused(
                () -> Comparison.ofSides(before, other, DEFAULT),
                "x.against: expected the other side of x, got one of another run");
    }

    @Test
    void aRunThatWasCutGivesNoVerdictAndABenchmarkWithoutRowsIsNamed() {
        List<BenchmarkRow> before = List.of(row("a", "thrpt", 1000, 10, 0.001));
        List<BenchmarkRow> now = List.of(row("a", "thrpt", 500, 10, 0.001));
        String cut = "cut by --limit-minutes after 20 of 40 forks";
        var lacking = new BenchmarkSession.Unmeasured("X.b", new TreeMap<>(), Change.GONE, "not measured");
        for (String id : List.of("id", "another run")) {
            RunRecord whole = record(2, id, "B", "old.jar");
            RunRecord other = whole.withSession(new BenchmarkSession(
                    "id", "A", "", "old.jar", "jar", 0, List.of(), cut, List.of(lacking), Map.of()));
            var a = new ComparisonSide("x.against", before, whole);
            var b = new ComparisonSide("x", now, other);
            assertThat(Comparison.of(a, b, DEFAULT).rows().getFirst()).satisfies(row -> {
                assertThat(row.verdict()).isEqualTo(Change.INCONCLUSIVE);
                assertThat(row.note()).isEqualTo(cut);
                assertThat(row.ratio()).isCloseTo(0.5, within(0.01));
            });
            assertThat(Comparison.of(b, a, DEFAULT).with(Change.FASTER)).isEmpty();
            assertThat(Comparison.of(a, b, DEFAULT).with(Change.GONE))
                    .extracting(ComparisonRow::shortName)
                    .isEqualTo(id.equals("id") ? List.of("X.b (not measured)") : List.of());
        }
    }

    @Test
    void aRowThatAFileHasTwiceIsRefused() {
        BenchmarkRow row = row("a", "thrpt", 1000, 4, 0.001);
        assertThatThrownBy(() -> compare(List.of(row, row), List.of(row)))
                .hasMessage("before: expected each row once, got twice org.lemmata.X.a size=4 (thrpt)");
    }

    @Test
    void theDocumentIsReadAsItWasWritten() throws Exception {
        Comparison comparison = compare(
                List.of(row("gone", "thrpt", 1, 3, 0.1), row("a", "avgt", 1, 1, 0.1), row("b", "avgt", 1, 3, 0.1)),
                List.of(row("a", "avgt", 2, 1, 0.1), row("b", "avgt", 1.1, 3, 0.1)));
        Path file = directory.resolve("comparison.json");
        Files.writeString(file, Json.indented(comparison));
        assertThat(Comparison.read(file)).isEqualTo(comparison);
        Comparison refused = Comparison.refused("before", "now", "cores");
        Files.writeString(file, Json.indented(refused));
        assertThat(Comparison.read(file)).isEqualTo(refused);
        Files.writeString(file, "{\"rows\": [], \"baseline\": 1}");
        assertThatThrownBy(() -> Comparison.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("baseline")
                .hasMessageContaining("expected a string");
    }

    private static Comparison.Method method(Comparison comparison) {
        Comparison.Method method = comparison.method();
        if (method == null) {
            throw new AssertionError("refused: " + comparison.refused());
        }
        return method;
    }

    private static ComparisonRow compared(BenchmarkRow before, BenchmarkRow now) {
        return compare(List.of(before), List.of(now)).rows().getFirst();
    }

    private static Comparison compare(List<BenchmarkRow> before, List<BenchmarkRow> now) {
        return compare(before, now, DEFAULT);
    }

    private static Comparison compare(List<BenchmarkRow> before, List<BenchmarkRow> now, ComparisonOptions options) {
        return Comparison.of(new ComparisonSide("before", before, null), new ComparisonSide("now", now, null), options);
    }

    /** Forks with evenly spaced scores of relative standard deviation {@code spread}, shuffled by row. */
    private static BenchmarkRow row(String method, String mode, double score, int forks, double spread) {
        var random = new SplittableRandom(method.hashCode() + forks);
        List<List<Double>> samples = new ArrayList<>();
        for (int fork = 0; fork < forks; fork++) {
            double at = forks == 1 ? 0 : Math.sqrt(3) * (2.0 * fork / (forks - 1) - 1);
            double center = score * (1 + spread * at);
            samples.add(random.doubles(5, -0.001, 0.001)
                    .mapToObj(noise -> center * (1 + noise * spread))
                    .toList());
        }
        String unit = mode.equals("thrpt") ? "ops/s" : "us/op";
        return Rows.with(
                DemoInput.row("org.lemmata.X." + method, mode, unit, score, Map.of("size", "4"), samples, Map.of()),
                SETTINGS);
    }

    private static BenchmarkRow with(BenchmarkRow row, String method, List<List<Double>> samples) {
        return Rows.with(row, method, row.settings(), samples);
    }

    private static List<List<Double>> drifting(double score) {
        return IntStream.range(0, 6)
                .mapToObj(fork -> List.of(score * (1 - 0.06 * fork + 0.001 * (fork % 2 + score % 3))))
                .toList();
    }

    private static RunRecord record(int cores, String session, String side, String against) {
        var machine = new MachineIdentity("Zen", cores, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        var of = new BenchmarkSession(session, side, "", against, "jar", 0, List.of(), "", List.of(), Map.of());
        return new RunRecord("commit", Instant.EPOCH, List.of(), machine, of);
    }

    private static final String LINE = "2026-12-31  org.example.Work.run a=1 b=#2 (avgt)  # issue 12: checks inputs";

    private static Comparison comparison(Change verdict) {
        var params = new LinkedHashMap<String, String>();
        params.put("b", "#2");
        params.put("a", "1");
        ComparisonRow row =
                Rows.compared("org.example.Work.run", params, verdict, 0.5, new Interval(0.4, 0.6), 1.1, null);
        return new Comparison("before", "now", null, List.of(), "", List.of(row.withNote("one note")));
    }

    private ComparisonRow after(String text, Change verdict, String today) throws IOException {
        Path file = Files.writeString(directory.resolve("accepted"), text);
        return AcceptedRegressions.read(file)
                .applyTo(comparison(verdict), LocalDate.parse(today))
                .rows()
                .getFirst();
    }

    @Test
    void aSlowDownIsAcceptedUntilItsDay() throws IOException {
        String text = "# ours\n\n" + LINE + "\n";
        for (Change slower : List.of(Change.SLOWER, Change.PROBABLY_SLOWER)) {
            ComparisonRow accepted = after(text, slower, "2026-12-31");
            assertThat(accepted.verdict()).isEqualTo(Change.ACCEPTED);
            assertThat(accepted.note()).isEqualTo("one note; until 2026-12-31: issue 12: checks inputs");
        }
        ComparisonRow expired = after(text, Change.SLOWER, "2027-01-01");
        assertThat(expired.verdict()).isEqualTo(Change.SLOWER);
        assertThat(expired.note()).isEqualTo("one note; was accepted until 2026-12-31: issue 12: checks inputs");
    }

    @Test
    void aReasonMayHaveTheNumberOfAnIssueAndAnEntryWithoutARowIsNamed() throws IOException {
        assertThat(after(LINE + ", see #12", Change.SLOWER, "2026-12-31").note())
                .isEqualTo("one note; until 2026-12-31: issue 12: checks inputs, see #12");
        Path file = Files.writeString(directory.resolve("accepted"), LINE + "\n" + LINE.replace("a=1", "a=10"));
        assertThat(AcceptedRegressions.read(file).unmatched(comparison(Change.SLOWER)))
                .containsExactly("org.example.Work.run a=10 b=#2 (avgt)");
    }

    @Test
    void noOtherVerdictAndNoOtherRowChanges() throws IOException {
        assertThat(after(LINE, Change.FASTER, "2026-12-31").note()).isEqualTo("one note");
        String other = LINE.replace("a=1", "a=10");
        assertThat(after(other, Change.SLOWER, "2026-12-31").verdict()).isEqualTo(Change.SLOWER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"org.example.Work.run (avgt) # why", "2026-13-01  X.y (avgt)  # why", "2026-12-31  X.y (avgt) #"
            })
    void aLineOfAnotherFormIsRefused(String line) {
        assertThatThrownBy(() -> after("\n" + line, Change.SLOWER, "2026-12-31"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageEndingWith(
                        "line 2: expected a date, a benchmark's name and why: 2026-12-31 NAME (MODE) # WHY");
    }
}
