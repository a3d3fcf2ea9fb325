package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.Task;
import org.lemmata.token.Batch;

/**
 * Inputs of one length, and how far a model's answers to them are from a target.
 *
 * @param length their length
 * @param inputs every input of the length, or drawn ones
 * @param exhaustive whether these are all
 */
record TaskInputs(int length, List<int[]> inputs, boolean exhaustive) {

    /** Tokens of an input that a text shows. */
    private static final int LONGEST_TEXT = 16;

    /**
     * The maximum distance to the target, and where it is beyond what is allowed.
     *
     * @param maximum infinite where an answer is no number
     * @param counterexamples a text for each input that is further off than allowed
     */
    record Distance(double maximum, List<String> counterexamples) {}

    static TaskInputs all(int tokens, int length) {
        int count = Math.toIntExact(Math.round(Math.pow(tokens, length)));
        List<int[]> inputs = IntStream.range(0, count)
                .mapToObj(code -> {
                    int[] input = new int[length];
                    for (int i = 0, rest = code; i < length; i++, rest /= tokens) {
                        input[i] = rest % tokens;
                    }
                    return input;
                })
                .toList();
        return new TaskInputs(length, inputs, true);
    }

    /** Drawn by a task that has this length. */
    static TaskInputs drawn(Task task, int length, int count, RandomGenerator random) {
        return new TaskInputs(
                length,
                Stream.generate(() -> task.sample(random, length).inputs())
                        .limit(count)
                        .toList(),
                false);
    }

    /** Of the model's answers, compared with a target. */
    Distance distance(LanguageModel model, ToDoubleFunction<int[]> target, double allowed) {
        double[] values = model.lastLogits(Batch.of(inputs));
        double maximum = 0;
        List<String> counterexamples = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            double expected = target.applyAsDouble(inputs.get(i));
            double distance = Math.abs(values[i] - expected);
            if (!(distance <= allowed)) {
                counterexamples.add("input " + text(inputs.get(i)) + ": " + values[i] + " for " + expected);
            }
            maximum = Math.max(maximum, Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance);
        }
        return new Distance(maximum, counterexamples);
    }

    private static String text(int[] input) {
        String start = Arrays.stream(input)
                .limit(LONGEST_TEXT)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
        return input.length > LONGEST_TEXT ? start + " ... of " + input.length + " tokens" : start;
    }
}
