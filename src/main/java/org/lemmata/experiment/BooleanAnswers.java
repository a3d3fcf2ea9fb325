package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntImmutableList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.objects.Object2IntOpenCustomHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.Exercise;
import org.lemmata.task.Task;
import org.lemmata.task.depth.logic.AnswerGrade;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.token.Example;
import org.lemmata.train.Evaluation;
import org.lemmata.train.ExampleStream;

/**
 * How often a model simplifies Boolean expressions correctly. The model reads {@code <start> expression =} and writes
 * until {@code <end>}.
 *
 * <p>The measurements for questions with clauses of depth up to 3 are: {@code inSample.q3}, the share of answers that
 * the paper counts as right ({@link AnswerGrade#isCounted}); {@code inSample.q3.equal}, the share of answers with the
 * right function; {@code inSample.q3.majority}, the share of right answers if the most frequent answer is always given;
 * and, if {@code answerLoss}, {@code inSample.q3.loss}, the mean loss over the tokens of the right answers and
 * {@code <end>}, but not over the tokens of questions, which cannot be predicted. {@code outOfSample} has the same
 * measurements for held-out functions.
 *
 * <p>Questions are short enough that the answer fits in the model's positions. Source: Richard (2024), section 2.2.
 *
 * @param count the number of questions of each kind
 * @param decoding the choice of tokens
 * @param answerLoss whether the loss of the right answers is measured
 */
record BooleanAnswers(
        BooleanExpressions task,
        int count,
        IntImmutableList depths,
        DyckCompletions.DecodingChoice decoding,
        boolean answerLoss)
        implements Measure {

    static final List<Setting> KEYS = Setting.table("""
        implied questions | 0 | number of expressions of each kind that the model simplifies, to measure the share of
          right answers; for Boolean expressions
        implied question-depths | | list of maximum depths of the expressions' clauses; by default the task's `q`
        implied answer-loss | false | whether to measure the loss of the right answers, without the expressions before
          them
        """);

    private static final int BATCH = 64;

    private static final int LOOKED_AT = 8;

    /** The number of draws after which no question is expected to fit in the model's positions. */
    private static final int MOST_DRAWS = 1000;

    static Optional<BooleanAnswers> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        int count = section.integer("questions", 0, Integer.MAX_VALUE);
        if (count == 0) {
            return Optional.empty();
        }
        BooleanExpressions asked =
                task.require(task.task().questions(), section, "questions", "0 except for Boolean expressions");
        section.refuseWhen(asked.isOutOfSample(), "questions", "0 if the held-out functions are trained on", count);
        IntImmutableList depths = section.integers("question-depths", 0, asked.maxDepth(), asked.depth());
        return Optional.of(new BooleanAnswers(
                asked,
                count,
                depths,
                section.choice("decoding", DyckCompletions.DecodingChoice.class),
                section.flag("answer-loss")));
    }

    @Override
    public String inEvaluations() {
        return "answers";
    }

    /** Assumes that each answer is as long as the right answer. */
    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        double drawn = draw(LOOKED_AT, count.architecture().maxLength(), plan.seed()).values().stream()
                .flatMap(List::stream)
                .mapToDouble(exercise -> {
                    int read = exercise.question().length + exercise.answer().length;
                    return count.forward(read, exercise.answer().length + 1.0);
                })
                .sum();
        return drawn * this.count * (answerLoss ? 2 : 1) / LOOKED_AT;
    }

    /** @throws IllegalArgumentException if the model is too short for the questions */
    @Override
    public Metric draw(TrainingData data, Measured measured) {
        var questions = draw(count, measured.architecture().maxLength(), measured.seed());
        return parameters -> measurements(measured, measured.model(parameters), questions);
    }

    SequencedMap<String, BooleanExpressions> kinds() {
        var kinds = new TreeMap<String, BooleanExpressions>();
        for (int depth : depths) {
            BooleanExpressions inSample = task.withDepth(depth);
            kinds.put("inSample.q" + depth, inSample);
            inSample.outOfSample().flatMap(Task::questions).ifPresent(held -> kinds.put("outOfSample.q" + depth, held));
        }
        return kinds;
    }

    /**
     * Draws questions of each kind that have at most {@code length} tokens including the answer and {@code <end>}.
     *
     * @throws IllegalArgumentException if almost no question is short enough
     */
    SequencedMap<String, List<Exercise>> draw(int each, int length, long seed) {
        var questions = new TreeMap<String, List<Exercise>>();
        kinds().forEach((kind, asked) -> {
            int stream = Streams.QUESTIONS - questions.size();
            var drawn = new ArrayList<Exercise>();
            for (int i = 0; i < each; i++) {
                drawn.add(question(asked, length, new PhiloxGenerator(seed, stream, i)));
            }
            questions.put(kind, drawn);
        });
        return questions;
    }

    private static Exercise question(BooleanExpressions asked, int length, PhiloxGenerator random) {
        for (int draw = 0; draw < MOST_DRAWS; draw++) {
            Exercise exercise = asked.sampleExercise(random);
            if (exercise.question().length + exercise.answer().length < length) {
                return exercise;
            }
        }
        throw new IllegalArgumentException("question-depths: expected expressions that fit into the " + length
                + " positions of the model, got none in " + MOST_DRAWS + " draws of depth "
                + asked.depth());
    }

    private List<Measurement> measurements(
            Measured measured, Transformer model, SequencedMap<String, List<Exercise>> questions) {
        var all = new ArrayList<Measurement>();
        int kind = 0;
        for (var each : questions.entrySet()) {
            List<AnswerGrade> grades = grades(measured, model, each.getValue(), kind++);
            all.add(share(each.getKey(), grades, AnswerGrade::isCounted));
            all.add(share(each.getKey() + ".equal", grades, AnswerGrade::isEqual));
            all.add(majority(each.getKey() + ".majority", each.getValue()));
            if (answerLoss) {
                all.add(loss(each.getKey() + ".loss", measured, model, each.getValue()));
            }
        }
        return all;
    }

    private Measurement loss(String name, Measured measured, Transformer model, List<Exercise> exercises) {
        List<Example> answers =
                exercises.stream().map(each -> scored(each, task.end())).toList();
        double loss = Evaluation.loss(
                new Backpropagation(model.parameters(), measured.precision(), measured.kernels()),
                ExampleStream.batches(answers, BATCH));
        return Measurement.exact(name, loss, "nats", exercises.size());
    }

    /** A question with its right answer. Only the answer and {@code <end>} are scored. */
    static Example scored(Exercise exercise, int end) {
        int read = exercise.question().length;
        int[] targets = Arrays.copyOf(exercise.answer(), exercise.answer().length + 1);
        targets[targets.length - 1] = end;
        int[] inputs = Arrays.copyOf(exercise.question(), read + exercise.answer().length);
        System.arraycopy(exercise.answer(), 0, inputs, read, exercise.answer().length);
        return new Example(
                inputs, targets, IntStream.range(read - 1, inputs.length).toArray());
    }

    private List<AnswerGrade> grades(Measured measured, LanguageModel model, List<Exercise> exercises, int kind) {
        int end = task.end();
        List<Generation> answered = Generation.complete(
                model,
                exercises.stream().map(Exercise::question).toList(),
                measured.architecture().maxLength(),
                decoding.decoding(measured.seed(), Streams.ANSWER, kind),
                IntSet.of(end));
        return answered.stream()
                .<AnswerGrade>map(generation -> task.grade(generation.prefix(), answer(generation, end)))
                .toList();
    }

    /** The generated tokens before {@code <end>}; empty if the model never wrote it. */
    private static int[] answer(Generation generation, int end) {
        int[] tokens = generation.tokens();
        int last = tokens.length - 1;
        return tokens[last] == end ? Arrays.copyOfRange(tokens, generation.prefixLength(), last) : new int[0];
    }

    private static Measurement share(String name, List<AnswerGrade> grades, Predicate<AnswerGrade> condition) {
        int right = (int) grades.stream().filter(condition).count();
        return Measurement.share(name, grades.size(), right);
    }

    private static Measurement majority(String name, List<Exercise> exercises) {
        var counts = new Object2IntOpenCustomHashMap<>(IntArrays.HASH_STRATEGY);
        int most = 0;
        for (Exercise each : exercises) {
            most = Math.max(most, 1 + counts.addTo(each.answer(), 1));
        }
        return Measurement.share(name, exercises.size(), most);
    }
}
