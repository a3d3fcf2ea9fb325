package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.model.Objective;
import org.lemmata.model.ParameterView;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Correct answers of a split by length, and those of trivial baselines. */
class SplitAnswersTest {

    /** Answers each position with the token that is read there, with a loss of its position's length. */
    private static final Objective ECHO = new Objective() {
        @Override
        public List<ParameterView> layout() {
            return List.of();
        }

        @Override
        public float[] parameters() {
            return new float[0];
        }

        @Override
        public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
            throw new UnsupportedOperationException();
        }

        @Override
        public double loss(Batch batch) {
            return batch.sequences().length(0);
        }

        @Override
        public BitSet right(Batch batch) {
            var right = new BitSet();
            for (int i = 0; i < batch.scoredRows().length; i++) {
                int read = batch.ids()[batch.scoredRows()[i]];
                right.set(
                        i,
                        batch.values().length > 0 ? (read > 0) == (batch.values()[i] > 0) : read == batch.targets()[i]);
            }
            return right;
        }
    };

    private static Example answer(int[] inputs, int[] targets, int... positions) {
        return new Example(inputs, targets, positions);
    }

    private static Measurement of(SplitAnswers row, String kind) {
        return Objects.requireNonNull(row.measured().get(kind));
    }

    private static double value(SplitAnswers row, String kind) {
        return of(row, kind).value();
    }

    /** The answers to examples; the majority answer, 9, is never correct. */
    private static SplitAnswers answers(List<Example> examples) {
        var other = new SplitAnswers.TrivialAnswers(List.of(answer(new int[] {3}, new int[] {9}, 0)), 0);
        return SplitAnswers.of("test", examples, 0, other, ECHO, 8).getFirst();
    }

    @Test
    void trivialAnswersAreThoseOfTheTrainingExamples() {
        var trivial = new SplitAnswers.TrivialAnswers(
                List.of(
                        answer(new int[] {0, 1, 2}, new int[] {3, 3}, 1, 2),
                        answer(new int[] {0, 1, 2}, new int[] {1, 3}, 1, 2),
                        answer(new int[] {0, 1, 2}, new int[] {1}, 1)),
                0);
        // The most frequent answer is 3; at position 1 it is 1, and at position 2 it is 3.
        assertThat(trivial.right(answer(new int[] {5, 5, 5}, new int[] {1, 3}, 1, 2)))
                .containsExactly(1, 2, 0);
        // A position without a majority has the overall majority.
        assertThat(trivial.right(answer(new int[] {5, 5, 5, 5}, new int[] {3, 3}, 2, 3)))
                .containsExactly(2, 2, 0);
        // The j-th answer is the j-th token.
        assertThat(trivial.right(answer(new int[] {6, 7, 8, 9}, new int[] {6, 7}, 2, 3)))
                .containsExactly(0, 0, 2);
    }

    @Test
    void aTokenBeforeTheInputIsNotCopied() {
        var trivial = new SplitAnswers.TrivialAnswers(List.of(answer(new int[] {9, 6, 7}, new int[] {6}, 2)), 1);
        assertThat(trivial.right(answer(new int[] {9, 6, 7}, new int[] {6}, 2))).containsExactly(1, 1, 1);
        // The predicted token has not been read yet.
        assertThat(trivial.right(Example.nextToken(9, 5, 7))[2]).isZero();
        assertThat(trivial.right(Example.nextToken(9, 9, 9))[2]).isEqualTo(2);
    }

    @Test
    void numbersAreAnsweredByTheirSign() {
        var training = List.of(
                Example.regression(new int[] {1}, 2),
                Example.regression(new int[] {1, 1}, -1),
                Example.regression(new int[] {1}, 3),
                Example.regression(new int[] {1, 1}, -1),
                Example.regression(new int[] {1}, 0.5f));
        var trivial = new SplitAnswers.TrivialAnswers(training, 0);
        assertThat(trivial.right(Example.regression(new int[] {0}, 7))).startsWith(1, 1);
        assertThat(trivial.right(Example.regression(new int[] {0, 0}, -7))).startsWith(0, 1);
        assertThat(trivial.right(Example.regression(new int[] {0}, 0))).startsWith(0, 0);
        // The number 0 has no sign, so it is not a majority.
        var mostlyZero = List.of(
                Example.regression(new int[] {1}, 0),
                Example.regression(new int[] {1}, 0),
                Example.regression(new int[] {1}, 5));
        assertThat(new SplitAnswers.TrivialAnswers(mostlyZero, 0).right(Example.regression(new int[] {0}, 7)))
                .startsWith(1, 1);
        SplitAnswers all =
                SplitAnswers.of("train", training, 0, trivial, ECHO, 2).getFirst();
        assertThat(all.measured().keySet())
                .containsExactly("loss", "exact", "accuracy", "majority", "position", "margin");
        assertThat(value(all, "accuracy")).isEqualTo(0.6);
        assertThat(value(all, "position")).isEqualTo(1);
        assertThat(all.isLearned()).isFalse();
    }

    @Test
    void countsByLengthAndComparesWithTheBestTrivialAnswer() {
        var examples = new ArrayList<Example>();
        for (int i = 0; i < 10; i++) {
            // Two answers; the model is correct in both, majority and position in one.
            examples.add(answer(new int[] {i % 2, 1 - i % 2}, new int[] {i % 2, 1 - i % 2}, 0, 1));
            // One answer; the model is wrong, and all trivial answers except the copy are correct.
            examples.add(answer(new int[] {4, 4, 4}, new int[] {5}, 2));
        }
        List<SplitAnswers> rows =
                SplitAnswers.of("test", examples, 0, new SplitAnswers.TrivialAnswers(examples, 0), ECHO, 3);
        assertThat(rows)
                .extracting(SplitAnswers::length)
                .containsExactly(OptionalInt.empty(), OptionalInt.of(2), OptionalInt.of(3));
        SplitAnswers two = rows.get(1);
        assertThat(two.measured().values())
                .extracting(Measurement::name)
                .containsExactly(
                        "loss.test.2",
                        "exact.test.2",
                        "accuracy.test.2",
                        "majority.test.2",
                        "position.test.2",
                        "copy.test.2",
                        "margin.test.2");
        assertThat(value(two, "accuracy")).isEqualTo(1);
        assertThat(value(two, "copy")).isEqualTo(1);
        // The copy is as good as the model.
        assertThat(value(two, "margin")).isZero();
        assertThat(two.isLearned()).isFalse();
        SplitAnswers three = rows.get(2);
        assertThat(value(three, "exact")).isZero();
        assertThat(value(three, "margin")).isEqualTo(-1);
        SplitAnswers all = rows.getFirst();
        assertThat(of(all, "exact").n()).isEqualTo(20);
        assertThat(of(all, "accuracy").n()).isEqualTo(20);
        assertThat(value(all, "exact")).isEqualTo(0.5);
        assertThat(value(all, "accuracy")).isEqualTo(20.0 / 30, within(1e-15));
        assertThat(value(all, "loss")).isEqualTo((2 * 20 + 3 * 10) / 30.0, within(1e-15));
    }

    @Test
    void amarginNeedsMoreThanItsNoise() {
        // The majority answer is never correct; the model is correct in 1 of 30, then in 10 of 30.
        for (int right : new int[] {1, 10}) {
            var examples = new ArrayList<Example>();
            for (int i = 0; i < 30; i++) {
                examples.add(answer(new int[] {3, 1}, new int[] {i < right ? 1 : 2}, 1));
            }
            SplitAnswers all = answers(examples);
            assertThat(value(all, "margin")).isEqualTo(right / 30.0, within(1e-15));
            assertThat(all.isLearned()).isEqualTo(right == 10);
        }
        SplitAnswers one = answers(List.of(answer(new int[] {3, 1}, new int[] {1}, 1)));
        assertThat(value(one, "margin")).isEqualTo(1);
        assertThat(one.isLearned()).isFalse();
    }

    /** Ten examples with one to ten equal answers; the model is correct in every second example. */
    @Test
    void intervalsAreOverExamplesOfDifferentLengths() {
        var examples = new ArrayList<Example>();
        double[] linear = new double[10];
        double ratio = 30.0 / 55;
        for (int i = 0; i < 10; i++) {
            int answers = i + 1;
            int[] inputs = IntStream.range(0, 2 * answers)
                    .map(at -> at < answers ? 3 : 1)
                    .toArray();
            int right = i % 2;
            int[] targets = IntStream.generate(() -> 2 - right).limit(answers).toArray();
            examples.add(answer(
                    inputs, targets, IntStream.range(answers, 2 * answers).toArray()));
            linear[i] = ratio + (right - ratio) * answers / 5.5;
        }
        SplitAnswers all = answers(examples);
        Interval expected = Interval.mean(linear);
        for (String kind : List.of("accuracy", "margin")) {
            Interval interval = of(all, kind).interval();
            assertThat(value(all, kind)).isEqualTo(ratio, within(1e-15));
            assertThat(interval.low()).isEqualTo(expected.low(), within(1e-12));
            assertThat(interval.high()).isEqualTo(expected.high(), within(1e-12));
        }
    }

    @Test
    void equalExamplesLeaveRoomForOthers() {
        for (int n : new int[] {2, 20}) {
            Example whole = answer(new int[] {3, 3, 1, 1}, new int[] {1, 1}, 2, 3);
            SplitAnswers all = answers(Collections.nCopies(n, whole));
            Interval margin = of(all, "margin").interval();
            double exact = of(all, "exact").interval().low();
            assertThat(of(all, "accuracy").interval().low()).isEqualTo(exact, within(1e-15));
            // 1 - 0.025^(1/2) is 0.842, and 1 - 0.025^(1/20) is 0.168.
            assertThat(margin.low()).isEqualTo(n == 2 ? -0.684 : 0.663, within(1e-3));
            assertThat(margin.high()).isEqualTo(1);
            assertThat(all.isLearned()).isEqualTo(n == 20);
        }
    }

    /** If they came from the single test example, every answer by position would be correct. */
    @Test
    void trivialAnswersOfDrawnExamplesAreThoseOfATrainingSample() throws IOException {
        String yaml = """
            steps: 1
            task: {name: copying, settings: {alphabet: 20}}
            data: {validation: 1, test: 1}
            model: {width: 8, layers: 1}
            """;
        try (TrainingRun run = TrainingRun.of(MeasuredRunFixture.settings(yaml))) {
            List<SplitAnswers> rows = run.answers();
            assertThat(rows).hasSize(4);
            assertThat(rows).allMatch(row -> value(row, "position") < 1);
            assertThat(run.answers()).isEqualTo(rows);
        }
    }
}
