package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.task.Task;
import org.lemmata.token.Batch;

/**
 * Inputs of one length, on which a model's answers are compared with a target.
 *
 * @param inputs every input of the length, or a sample
 */
record TaskInputs(int length, List<int[]> inputs) {

    /** The number of tokens of an input that messages show. */
    private static final int LONGEST_TEXT = 16;

    static TaskInputs all(int tokens, int length) {
        return new TaskInputs(length, Sequences.every(tokens, length));
    }

    /**
     * All inputs of {@code shortest} to {@code exhaustive} tokens, and samples of the given lengths from
     * {@code shortest} on.
     *
     * @param tasks the task of each length, which draws the samples
     */
    static List<TaskInputs> of(
            int tokens,
            int shortest,
            int exhaustive,
            List<Integer> lengths,
            int draws,
            IntFunction<Task> tasks,
            RandomGenerator random) {
        var inputs = new ArrayList<TaskInputs>();
        for (int length = shortest; length <= exhaustive; length++) {
            inputs.add(all(tokens, length));
        }
        for (int length : lengths) {
            if (length >= shortest) {
                Task task = tasks.apply(length);
                inputs.add(new TaskInputs(
                        length,
                        Stream.generate(() -> task.sample(random, length).inputs())
                                .limit(draws)
                                .toList()));
            }
        }
        return inputs;
    }

    /** The settings of a construction, followed by those that all constructions of tasks have. */
    static List<Setting> settings(String ofConstruction) {
        return Setting.numbers(ofConstruction + """
            p | 1..126 | 10 | bits of the thresholded softmax
            bits | 2..53 | 53 | significand bits of weights and answer: with 24 it runs in binary32
            lengths | 1..1000000 | 10,100,1000,10000,100000 | of drawn inputs
            """);
    }

    /**
     * The maximum distance of the model's answers to a target; infinite if an answer is NaN. An answer that is further
     * off than allowed is a counterexample.
     *
     * @param place the beginning of a counterexample's text
     */
    double distance(LanguageModel model, ToDoubleFunction<int[]> target, double allowed, String place, Tally tally) {
        double[] values = model.lastLogits(Batch.of(inputs));
        double maximum = 0;
        for (int i = 0; i < values.length; i++) {
            int[] input = inputs.get(i);
            double value = values[i];
            double expected = target.applyAsDouble(input);
            double distance = Math.abs(value - expected);
            tally.require(
                    distance <= allowed, () -> place + "input " + text(input) + ": " + value + " for " + expected);
            maximum = Math.max(maximum, Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance);
        }
        return maximum;
    }

    private static String text(int[] input) {
        String start = Arrays.stream(input)
                .limit(LONGEST_TEXT)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
        return input.length > LONGEST_TEXT ? start + " ... of " + input.length + " tokens" : start;
    }

    /** The hardmax length of the closed forms. With one token, attention is always hardmax. */
    private static final long MIN_LENGTH = 2;

    /**
     * A closed form.
     *
     * @param name such as "Delta = 2"
     * @param norm the upper bound of L
     */
    record Case(String name, LimitFunction function, double norm) {}

    /**
     * Requires theorem 4.1's constants of the closed forms: the hardmax length H and the norm L.
     *
     * <p>Both tasks' forms have scores p and 0 at p bits, so H = 2. The remarks after the theorem say that H can be
     * small, and section 5 says that L = Theta(1) for ModPTask.
     */
    static void addConstants(List<Case> cases, Tally tally) {
        for (Case one : cases) {
            String name = one.name();
            LimitFunction function = one.function();
            long hardmaxLength = LogitMargin.hardmaxLength(function.attention());
            tally.atMost("hardmax length, " + name, (double) hardmaxLength, "tokens", 1, MIN_LENGTH);
            tally.atMost("L, " + name, function.norm(), "", 1, one.norm());
            tally.atMost("L as printed, " + name, function.printedNorm(), "", 1, one.norm());
            tally.require(
                    hardmaxLength <= MIN_LENGTH && function.norm() <= one.norm(),
                    () -> name + ": hardmax from " + hardmaxLength + " tokens on, L = " + function.norm() + " against "
                            + one.norm());
        }
    }
}
