package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.task.depth.PrefixLaw;

/** Judges every figure from models that have learned nothing. */
class TrivialAnswersTest {

    private static final Offset<Double> DIGITS = within(5e-5);

    /** A measurement within 1% of {@code value}, different for each of five seeds. */
    private static Measurement figure(Cell cell, String name, double value) {
        double own = value * (1 + (cell.seed() - 3) * 0.005);
        int n = 1024;
        return new Measurement(name, own, "", Interval.proportion(n, (int) Math.round(own * n)), n, null);
    }

    private static int setting(Cell cell, String key) {
        return Integer.parseInt(Objects.requireNonNull(cell.settings().get(key)));
    }

    private static List<Measurement> untrained(Cell cell) {
        var all = new ArrayList<Measurement>();
        // The values of answers by position, of uniform attention, and of initial weights.
        for (String kind : List.of("inSample", "deeper", "unseen")) {
            all.add(figure(cell, "completions." + kind, 0.2));
        }
        for (String kind : List.of("inSample.q3", "inSample.q6", "outOfSample.q3", "outOfSample.q6")) {
            all.add(figure(cell, "answers." + kind, 0.3));
            all.add(figure(cell, "answers." + kind + ".majority", 0.3));
        }
        all.add(figure(cell, "attention.0.0.relevant", 1.0 / 80));
        all.add(figure(cell, "attention.0.0.others", 1.0 / 80));
        all.add(figure(cell, "positions.spread", 0.02 * Math.sqrt(16.5)));
        // Other measurements are missing.
        all.addAll(MadeUpCells.DIVERGED);
        double constant = switch (cell.settings().getOrDefault("task.name", "")) {
            case "symbolic-programs", "copying" ->
                Math.log(setting(cell, "task.settings.alphabet") + 2 * setting(cell, "task.settings.heldOut"));
            default -> 1;
        };
        double own = constant * (1 + (cell.seed() - 3) * 0.005);
        for (String loss : List.of("testLoss", "validationLoss", "lastTestLoss", "lowestTrainLoss")) {
            all.add(Measurement.exact(loss, own, "", 1));
        }
        all.add(figure(cell, "testAccuracy", 0.5));
        for (String key : List.of("test", "testUnigram", "testBigram", "test.77", "test.128")) {
            all.add(Measurement.exact("perplexity." + key, 10 * own, "", 1));
        }
        cell.settings().forEach((key, value) -> {
            if (key.matches("evaluation[.]lengths[.][0-9]+")) {
                all.add(figure(cell, "lengths." + value, 0.3));
                all.add(figure(cell, "right." + value, 0.15));
            } else if (key.startsWith("evaluation.law-lengths.")) {
                for (String answer : List.of("", ".coin", ".position", ".close")) {
                    all.add(figure(cell, "law.closing." + value + answer, 0.2));
                    all.add(figure(cell, "law.right." + value + answer, 0.2));
                    all.add(figure(cell, "law.variation." + value + answer, 0.4));
                }
            } else if (key.startsWith("evaluation.completion-lengths.")) {
                all.add(figure(cell, "completions.length." + value, 0.2));
            }
        });
        return all;
    }

    @ParameterizedTest
    @MethodSource("org.lemmata.claim.Claims#figures")
    void modelsThatHaveLearnedNothingDecideNothing(FigureClaim claim) throws IOException {
        Finding finding = MadeUpCells.judge(claim, TrivialAnswersTest::untrained);
        assertOutcome(finding, Outcome.NOT_LEARNED);
        assertThat(finding.trivial()).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.value()).as(answer.name()).isFinite();
            assertThat(answer.name()).isNotBlank();
        });
        assertThat(finding.measured()).anyMatch(each -> each.name().startsWith("learned: "));
        // All pictures show a baseline, except training lengths by omega or Delta, which have no axis of losses.
        assertThat(finding.figures())
                .filteredOn(picture -> !picture.yLabel().contains("training length"))
                .allSatisfy(picture -> assertThat(picture.series())
                        .as(picture.title())
                        .extracting(Figure.Series::name)
                        .anyMatch(name -> name.matches(".*(without learning|majority answer|initialization).*")));
    }

    /** Compared with separately computed values: words of D_32 cut anywhere, at depth 9 and at depth 13. */
    @Test
    void completionsWithoutLearningAreExact() {
        double[] openings = PrefixLaw.openings(16, 16);
        assertThat(values(PrefixLaw.ofCuts(16, 1, 16), openings))
                .satisfiesExactly(
                        coin -> assertThat(coin).isCloseTo(0.0793, DIGITS),
                        rates -> assertThat(rates).isCloseTo(0.2192, DIGITS),
                        likelier -> assertThat(likelier).isCloseTo(0.1720, DIGITS),
                        closing -> assertThat(closing).isCloseTo(0.0860, DIGITS));
        assertThat(values(PrefixLaw.ofCuts(16, 9, 16), PrefixLaw.openings(16, 8)))
                .satisfiesExactly(
                        coin -> assertThat(coin).isCloseTo(0.0963, DIGITS),
                        rates -> assertThat(rates).isCloseTo(0.2825, DIGITS),
                        likelier -> assertThat(likelier).isCloseTo(0.2704, DIGITS),
                        closing -> assertThat(closing).isCloseTo(0.2546, DIGITS));
        assertThat(values(PrefixLaw.ofCuts(16, 13, 16), openings).getLast()).isCloseTo(0.4583, DIGITS);
    }

    private static List<Double> values(PrefixLaw law, double... openings) {
        return TrivialAnswer.completions(law, openings).stream()
                .map(TrivialAnswer::value)
                .toList();
    }

    @Test
    void aBaselineShowsItsIntervalIfItHasOne() {
        assertThat(new TrivialAnswer("a coin", 0.5).text()).isEqualTo("a coin 0.500");
        assertThat(new TrivialAnswer("a coin", 0.5, new Interval(0.25, 0.75)).text())
                .isEqualTo("a coin 0.500 [0.250, 0.750]");
    }
}
