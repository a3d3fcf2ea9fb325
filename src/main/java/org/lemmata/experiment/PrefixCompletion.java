package org.lemmata.experiment;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.task.Exercise;
import org.lemmata.task.Task;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.logic.AnswerGrade;
import org.lemmata.task.depth.logic.BooleanExpressions;

/**
 * Completes prefixes with a model. A completion ends at an end token or at a maximum length. By default, this is the
 * length of the task's words or sequences; without a task, it is the model's number of positions. Unless the task has
 * words of brackets, a prefix of at least this length gets one more token, such as an answer.
 */
public final class PrefixCompletion {

    /**
     * Options for completions.
     *
     * @param temperature the sampling temperature; empty for greedy decoding
     * @param seed the seed; random numbers depend on the seed and the line number
     * @param length the total number of tokens in prefix and completion, without a start token; empty for the default
     */
    public record Options(OptionalDouble temperature, long seed, OptionalInt length) {}

    private final SavedModel saved;
    private final LanguageModel model;
    private final Options options;

    /**
     * @param policy the rounding; empty for the rounding of the training run
     * @throws IllegalArgumentException if the model does not predict tokens or has too few positions, or the
     *     temperature is not legal
     */
    public PrefixCompletion(SavedModel saved, Optional<PrecisionPolicy> policy, Kernels kernels, Options options)
            throws IOException {
        this.saved = saved;
        this.model = saved.transformer(policy, kernels);
        this.options = options;
        Refuse.when(
                model.architecture().output().kind() == OutputOptions.Kind.REGRESSION,
                saved.stored().file().toString(),
                "a model of next tokens",
                "a regression model; lemmata logits prints its value");
        decoding(0);
        if (options.length.isPresent()) {
            Refuse.outside("--length", options.length.getAsInt(), 1, longest() - before());
        }
    }

    private int longest() {
        // The model never reads the last token.
        return model.architecture().maxLength() + 1;
    }

    /** The number of start tokens, which the user's prefixes and lengths do not include. */
    private int before() {
        return saved.hasStart() ? 1 : 0;
    }

    private Decoding decoding(long line) {
        return options.temperature.isEmpty()
                ? new Decoding.Greedy()
                : new Decoding.Sampling(
                        new PhiloxGenerator(options.seed, Streams.PROMPT, line),
                        options.temperature.getAsDouble(),
                        Decoding.Sampling.ALL);
    }

    private int length(int prefix) {
        if (options.length.isPresent()) {
            return options.length.getAsInt() + before();
        }
        boolean isWord = saved.task().flatMap(Task::words).isPresent();
        return isWord ? saved.length() : Math.min(longest(), Math.max(saved.length(), prefix + 1));
    }

    /**
     * Completes a line. The field {@code completion} is the text with its prefix. For a task with words of brackets,
     * {@code balanced} is whether the text is balanced. For questions, {@code right} and {@code equal} are grades of
     * the answer. For other tasks, if the text is not longer than their sequences, {@code accepted} is whether it is
     * one of them. {@code probabilities} has the probability of each chosen token.
     *
     * @throws IllegalArgumentException if the line is not a legal prefix
     */
    public Map<String, Object> answer(String line, long number) {
        int[] prefix = saved.read(line);
        int length = length(prefix.length);
        Refuse.when(
                prefix.length > length,
                "prefix",
                "at most " + (length - before()) + " tokens",
                prefix.length - before());
        Generation generation = Generation.complete(model, List.of(prefix), length, decoding(number), saved.ends())
                .getFirst();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("completion", saved.shown(generation.tokens()));
        saved.task().ifPresent(task -> addJudgement(answer, task, saved.ofTask(generation.tokens())));
        answer.put("probabilities", probabilities(generation));
        return answer;
    }

    private static void addJudgement(Map<String, Object> answer, Task task, int[] ids) {
        Optional<DyckWords> words = task.words();
        Optional<BooleanExpressions> questions = task.questions();
        boolean own = Arrays.stream(ids).allMatch(id -> id < task.vocabulary().size());
        if (words.isPresent()) {
            answer.put("balanced", own && DyckWords.isBalanced(ids));
        } else if (questions.isPresent()) {
            List<Exercise> exercises = questions.get().exercises(ids);
            if (!exercises.isEmpty()) {
                AnswerGrade grade = questions
                        .get()
                        .grade(
                                exercises.getLast().question(),
                                exercises.getLast().answer());
                answer.put("right", grade.isCounted());
                answer.put("equal", grade.isEqual());
            }
        } else if (ids.length <= task.defaultLength()) {
            answer.put("accepted", own && task.accepts(ids));
        }
    }

    private static List<Double> probabilities(Generation generation) {
        return IntStream.range(0, generation.logits().size())
                .mapToObj(i -> {
                    double[] logits = generation.logits().get(i);
                    double taken = logits[generation.tokens()[generation.prefixLength() + i]];
                    return 1
                            / Arrays.stream(logits)
                                    .map(logit -> Math.exp(logit - taken))
                                    .sum();
                })
                .toList();
    }
}
