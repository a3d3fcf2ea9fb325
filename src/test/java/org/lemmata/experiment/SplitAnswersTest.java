package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Objective;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.Exercise;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.depth.logic.TruthTable;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.TrainingListener;

/** Correct answers of a split by length and to Boolean questions, and those of trivial baselines. */
class SplitAnswersTest extends MeasuredRunFixture {

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
                        ("loss.test.2 exact.test.2 accuracy.test.2 majority.test.2 position.test.2 copy.test.2 "
                                        + "margin.test.2")
                                .split(" ", -1));
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
        try (TrainingRun run = TrainingRun.of(settings(yaml))) {
            List<SplitAnswers> rows = run.answers();
            assertThat(rows).hasSize(4);
            assertThat(rows).allMatch(row -> value(row, "position") < 1);
            assertThat(run.answers()).isEqualTo(rows);
        }
    }

    private static final String RUN = """
        seed: 3
        steps: 4
        batch: 4
        task: {name: boolean-expressions, settings: {variables: 2, k: 1, q: 1, window: 48, heldOut: 3}}
        data: {validation: 0, test: 0}
        model: {width: 8, layers: 1}
        """;

    private static BooleanAnswers asked(String more) throws IOException {
        return plan(RUN + more).measures().stream()
                .map(BooleanAnswers.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyKindOfQuestionIsAskedWithTheSameBitsForAnyThreads() throws IOException {
        String asked = "evaluation: {every: 0, questions: 40, question-depths: [1, 2], decoding: sampled}";
        Map<String, Measurement> measured = run("one", 1, RUN + asked);
        assertThat(run("three", 3, RUN + asked)).isEqualTo(measured);
        for (String kind : List.of("inSample.q1", "inSample.q2", "outOfSample.q1", "outOfSample.q2")) {
            for (String what : List.of("", ".equal", ".majority")) {
                assertThat(of(measured, "answers." + kind + what).n()).isEqualTo(40);
            }
            assertThat(value(measured, "answers." + kind))
                    .isLessThanOrEqualTo(value(measured, "answers." + kind + ".equal"));
        }
    }

    @Test
    void questionsAreOfTheirKindAndLeaveRoomForTheAnswer() throws IOException {
        BooleanAnswers settings = asked("evaluation: {questions: 1, question-depths: [1, 3]}");
        var drawn = settings.draw(300, 48, 3);
        assertThat(drawn).containsOnlyKeys("inSample.q1", "inSample.q3", "outOfSample.q1", "outOfSample.q3");
        BooleanExpressions task = settings.task();
        var functions = new ArrayList<List<TruthTable>>();
        drawn.forEach((kind, questions) -> {
            assertThat(questions).hasSize(300);
            functions.add(questions.stream().map(each -> function(task, each)).toList());
            int deepest = questions.stream()
                    .mapToInt(each -> task.nestingDepth(each.question()).orElse(0))
                    .max()
                    .orElse(0);
            assertThat(deepest).as(kind).isEqualTo(kind.endsWith("q3") ? 3 : 1);
            assertThat(questions).allMatch(each -> each.question().length + each.answer().length + 1 <= 48);
        });
        // The kinds are in the order of their names.
        assertThat(functions.get(0)).doesNotContainAnyElementsOf(functions.get(2));
        assertThat(functions.get(1)).doesNotContainAnyElementsOf(functions.get(3));
        assertThat(functions.get(3)).containsAnyElementsOf(functions.get(2));
    }

    private static TruthTable function(BooleanExpressions task, Exercise exercise) {
        int[] question = exercise.question();
        return task.language().evaluate(Arrays.copyOfRange(question, 1, question.length - 1));
    }

    /** Compares with the sum of log-probabilities of the correct answer and its end, token by token. */
    @Test
    void theLossOfAnswersLeavesQuestionsOut() throws IOException {
        String more = "evaluation: {every: 0, questions: 30, answer-loss: true}";
        try (TrainingRun run = TrainingRun.of(settings(RUN + more))) {
            run.train(directory.resolve("run"), false, new TrainingListener() {}, line -> {});
            var model = new Transformer(run.transformer().orElseThrow(), PrecisionPolicy.none(), Kernels.best());
            Map<String, Double> measured = Objects.requireNonNull(run.measure().get("answers"));
            BooleanAnswers settings = asked(more);
            settings.draw(30, 48, run.seed()).forEach((kind, questions) -> {
                double sum = 0;
                int count = 0;
                for (Exercise each : questions) {
                    int[] line = Arrays.copyOf(each.question(), each.question().length + each.answer().length + 1);
                    System.arraycopy(each.answer(), 0, line, each.question().length, each.answer().length);
                    line[line.length - 1] = settings.task().end();
                    double[] logits = model.logits(Batch.of(List.of(line)));
                    int columns = logits.length / line.length;
                    for (int t = each.question().length; t < line.length; t++) {
                        double[] row = Arrays.copyOfRange(logits, (t - 1) * columns, t * columns);
                        double all = Arrays.stream(row).map(Math::exp).sum();
                        sum += Math.log(all) - row[line[t]];
                        count++;
                    }
                }
                assertThat(measured.get(kind + ".loss")).as(kind).isCloseTo(sum / count, within(1e-5));
            });
        }
    }

    /** Compares with answers that are generated again, one by one and beyond their end, and checked by the function. */
    @Test
    void aTrainedModelIsGradedByWhatItWrites() throws IOException {
        String more = """
            curve: 1000
            optimizer: {learning-rate: 1e-2}
            evaluation: {every: 0, questions: 120}
            """;
        try (TrainingRun run = TrainingRun.of(settings(RUN.replace("steps: 4", "steps: 150") + more))) {
            run.train(directory.resolve("run"), false, new TrainingListener() {}, line -> {});
            var model = new Transformer(run.transformer().orElseThrow(), PrecisionPolicy.none(), Kernels.best());
            Map<String, Double> measured = Objects.requireNonNull(run.measure().get("answers"));
            BooleanAnswers settings = asked("evaluation: {questions: 1}");
            settings.draw(120, 48, run.seed()).forEach((kind, questions) -> {
                long equal = questions.stream()
                        .filter(each -> isEqual(settings.task(), each, model))
                        .count();
                assertThat(measured.get(kind + ".equal")).as(kind).isEqualTo(equal / 120.0);
            });
            assertThat(measured.get("inSample.q1.equal")).isGreaterThan(0.2);
        }
    }

    private static boolean isEqual(BooleanExpressions task, Exercise exercise, Transformer model) {
        int[] tokens = Generation.complete(model, List.of(exercise.question()), 48, new Decoding.Greedy())
                .getFirst()
                .tokens();
        int end = exercise.question().length;
        while (end < tokens.length && tokens[end] != task.language().end()) {
            end++;
        }
        if (end == tokens.length) {
            return false;
        }
        try {
            int[] written = Arrays.copyOfRange(tokens, exercise.question().length, end);
            return task.language().evaluate(written).equals(function(task, exercise));
        } catch (IllegalArgumentException noExpression) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        evaluation.questions=1; task.settings.outOfSample=true| evaluation.questions: expected 0 if the held-out functions are trained on, got 1
        evaluation.question-depths=[2]| evaluation.question-depths: expected no such key
        evaluation.questions=1; evaluation.question-depths=3| evaluation.question-depths: expected a list
        evaluation.questions=1; evaluation.question-depths=[3, 3]| evaluation.question-depths: expected a list of different integers
        evaluation.questions=1; evaluation.question-depths=[17]| evaluation.question-depths: expected an integer from 0 to 16, got 17
        """)
    void whatCannotBeAskedIsRefused(String overrides, String problem) {
        Configuration settings = settings(RUN, overrides.split("; ", -1));
        assertThatThrownBy(() -> TrainingPlan.read(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void questionsThatDoNotFitAreRefused() throws IOException {
        BooleanAnswers settings = asked("evaluation: {questions: 1, question-depths: [9]}");
        assertThatThrownBy(() -> settings.draw(1, 48, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "question-depths: expected expressions that fit into the 48 positions of the model, got none"
                                + " in 1000 draws of depth 9");
    }
}
