package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.Exercise;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.depth.logic.TruthTable;
import org.lemmata.token.Batch;
import org.lemmata.train.TrainingListener;

class BooleanAnswersTest extends MeasuredRunFixture {

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
