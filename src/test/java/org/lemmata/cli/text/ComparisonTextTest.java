package org.lemmata.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.Rows;

class ComparisonTextTest {

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 3"})
    void aSlowerRowFailsUnlessTheJvmsDiffer(boolean otherJvms, int code) {
        ComparisonRow row = Rows.compared("X.a", Change.SLOWER, 0.5, new Interval(0.4, 0.6), 1.1);
        var method = new Comparison.Method(Center.MEDIAN, 0.05, 1, 0.95, 1, false, 0, false, otherJvms, 0);
        var comparison = new Comparison("before", "now", method, List.of(), "", List.of(row));
        assertThat(ComparisonText.exitCode(comparison, Set.of())).isEqualTo(code);
        assertThat(ComparisonText.exitCode(comparison, Set.of(Change.SLOWER))).isEqualTo(code);
    }

    private static final List<String> WORDS = List.of("Bench.*x$", "--against", "HEAD~1");

    private static String next(boolean itself, List<String> command, ComparisonRow... rows) {
        var method =
                new Comparison.Method(Center.MEAN_OF_MEDIANS, 0.05, rows.length, 0.95, 1, true, 0, itself, false, 0);
        return ComparisonText.nextStep(
                new Comparison("HEAD", "now", method, List.of(), "", List.of(rows)),
                command,
                List.of("bin/lemmata", "bench", "--jar", "my jars/b.jar"));
    }

    private static ComparisonRow row(String name, Change verdict, double ratio, int takes) {
        var interval = new Interval(ratio / 1.1, ratio * 1.1);
        return Rows.compared(
                "org.example.Bench." + name,
                Map.of("n", "1"),
                verdict,
                ratio,
                interval,
                1.1 * ratio,
                takes > 0 ? takes : null);
    }

    @Test
    void aSlowerRowIsProfiled() {
        assertThat(next(
                        false,
                        WORDS,
                        row("a", Change.SLOWER, 0.9, 0),
                        row("b", Change.SLOWER, 0.5, 0),
                        row("c", Change.INCONCLUSIVE, 1, 40)))
                .isEqualTo("next: to see where the time goes: bin/lemmata bench --jar 'my jars/b.jar' 'Bench.b$' -p n=1"
                        + " -f 1 --prof async; to test this machine for false alarms: --aa instead of --against");
    }

    @Test
    void asManyForksAsDecideAreACommand() {
        assertThat(next(
                        false,
                        List.of("bin/lemmata", "bench", "Bench.*x$", "-f", "10", "--against", "HEAD~1"),
                        row("a", Change.INCONCLUSIVE, 1, 24),
                        row("b", Change.INCONCLUSIVE, 1, 40),
                        row("c", Change.INCONCLUSIVE, 1, 400),
                        row("d", Change.SAME, 1, 0)))
                .isEqualTo(
                        "next: bin/lemmata bench 'Bench.*x$' --against HEAD~1 -f 40 should decide 2 of 3 rows, if their"
                                + " spread stays the same");
        assertThat(ComparisonText.withForks(List.of("-f=3", "--args=-f 4 -i 6", "it's"), 7))
                .containsExactly("--args=-i 6", "it's", "-f", "7");
        assertThat(ComparisonText.shellLine(List.of("it's", "a$"))).isEqualTo("'it'\\''s' 'a$'");
    }

    @Test
    void whereForksDoNotHelpItSaysWhatMay() {
        assertThat(next(false, WORDS, row("a", Change.INCONCLUSIVE, 1, 0)))
                .startsWith("next: more than 100 forks per version would be needed");
        assertThat(next(false, WORDS, row("a", Change.INCONCLUSIVE, Double.NaN, 0)))
                .startsWith("next: the versions never ran together")
                .endsWith("--in-turn");
        ComparisonRow several = row("a", Change.INCONCLUSIVE, 1, 0);
        var one = new ComparisonRow(
                several.benchmark(),
                several.mode(),
                several.params(),
                several.verdict(),
                several.ratio(),
                several.interval(),
                several.noiseFloor(),
                several.margin(),
                1,
                null,
                "",
                null);
        assertThat(next(false, WORDS, one)).startsWith("next: one fork per version shows no spread");
        assertThat(next(false, WORDS, row("a", Change.SAME, 1, 0))).startsWith("next: nothing is slower");
    }

    @Test
    void rowsThatAreMostlyLeftOutWantAQuietMachine() {
        ComparisonRow leftOut = row("a", Change.LEFT_OUT, 1, 0);
        String advice = "next: 1 row is mostly left out, because other programs ran: try again when they have ended, or"
                + " with --in-turn";
        assertThat(next(false, WORDS, leftOut, row("b", Change.SAME, 1, 0))).isEqualTo(advice);
        assertThat(next(true, WORDS, leftOut)).isEqualTo(advice);
        assertThat(next(true, WORDS, leftOut, row("b", Change.INCONCLUSIVE, Double.NaN, 0)))
                .isEqualTo(advice);
        assertThat(next(false, WORDS, leftOut, row("b", Change.SLOWER, 0.5, 0)))
                .startsWith("next: to see where the time");
        assertThat(next(false, WORDS, leftOut, row("b", Change.INCONCLUSIVE, 1, 40)))
                .endsWith("-f 40 should decide 1 row, if their spread stays the same");
        assertThat(next(true, WORDS, leftOut, row("b", Change.SAME, 1.2, 0)))
                .startsWith("next: with this number of forks, differences below 1.320 are noise;");
    }

    @Test
    void besideItselfNoiseIsWhatIsLearnt() {
        assertThat(next(
                        true,
                        WORDS,
                        row("a", Change.SAME, 1, 0),
                        row("b", Change.INCONCLUSIVE, 1.2, 0),
                        row("c", Change.SAME, 1, 0)))
                .startsWith(
                        "next: with this number of forks, differences below 1.100 (median row; 1.320 the noisiest) are"
                                + " noise;");
        ComparisonRow uninformative =
                Rows.compared("org.example.Bench.a", Change.INCONCLUSIVE, 1, new Interval(1e-4, 1e4), 1e4);
        for (ComparisonRow row : List.of(row("a", Change.INCONCLUSIVE, Double.NaN, 0), uninformative)) {
            assertThat(next(true, WORDS, row))
                    .isEqualTo("next: these forks have no noise floor: try more of them (-f 10), longer iterations or a"
                            + " quieter machine");
        }
    }
}
