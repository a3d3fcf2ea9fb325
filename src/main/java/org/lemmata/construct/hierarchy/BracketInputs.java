package org.lemmata.construct.hierarchy;

import java.util.Arrays;

/** The input of a construction for a string of brackets, and its answer as probabilities. */
public final class BracketInputs {

    private BracketInputs() {}

    /** The brackets, after {@code <bos>} if the construction has one. */
    public static int[] of(BracketTransformer transformer, int... brackets) {
        if (!transformer.hasStart()) {
            return brackets;
        }
        int[] input = new int[brackets.length + 1];
        input[0] = transformer.tokens().start();
        System.arraycopy(brackets, 0, input, 1, brackets.length);
        return input;
    }

    /** exp(x_i) / sum of exp(x_j), for {@code count} logits from index {@code from} on. */
    public static double[] softmax(double[] logits, int from, int count) {
        double[] probabilities = Arrays.copyOfRange(logits, from, from + count);
        double maximum = Arrays.stream(probabilities).max().orElseThrow();
        Arrays.setAll(probabilities, i -> Math.exp(probabilities[i] - maximum));
        double sum = Arrays.stream(probabilities).sum();
        Arrays.setAll(probabilities, i -> probabilities[i] / sum);
        return probabilities;
    }
}
