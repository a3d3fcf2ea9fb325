package org.lemmata.task.hierarchy;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * p(next | prefix) of a random word. If no bracket is open, the next token is "(t" with probability r pi_t, or the end
 * with probability 1 - r.
 *
 * <p>Otherwise, in Dyck_k, it is "(t" with probability q pi_t, or the closing bracket of the last open bracket with
 * probability 1 - q. In Shuffle-Dyck_k, it is "(t" with probability q pi_t / Z, or ")t" of an open type with
 * probability (1 - q) pibar_t / Z, where Z normalizes the sum to 1.
 *
 * <p>Source: Hayakawa and Sato (2024), definitions 8 and 10.
 *
 * @param language the language of the words
 * @param tokens the brackets
 * @param q within (0, 1)
 * @param r within (0, 1)
 * @param opening pi: one positive number per type, with sum 1
 * @param closing pibar: one positive number per type, with sum 1; without effect in Dyck_k
 */
public record GenerationProcess(
        BracketLanguage language,
        BracketTokens tokens,
        double q,
        double r,
        List<Double> opening,
        List<Double> closing) {

    private static final double SUM_TOLERANCE = 1e-9;

    public GenerationProcess {
        requireProbability("q", q);
        requireProbability("r", r);
        opening = distribution("pi", opening, tokens.types());
        closing = distribution("piBar", closing, tokens.types());
    }

    private static void requireProbability(String name, double value) {
        Refuse.when(!(value > 0 && value < 1), name, "a probability between 0 and 1", value);
    }

    private static List<Double> distribution(String name, List<Double> values, int types) {
        double sum = values.stream().mapToDouble(Double::doubleValue).sum();
        if (values.size() != types
                || values.stream().anyMatch(value -> !(value > 0))
                || Math.abs(sum - 1) > SUM_TOLERANCE) {
            throw new IllegalArgumentException(
                    name + ": expected " + types + " positive numbers, one per type, with sum 1, got " + values);
        }
        return List.copyOf(values);
    }

    /** 1/k for each type. */
    public static List<Double> uniform(int types) {
        return Collections.nCopies(types, 1.0 / types);
    }

    /** The process of Dyck_k with uniform types; the paper's experiments have q = 0.5 and r = 0.9. */
    public static GenerationProcess dyck(int types, double q, double r) {
        return uniform(BracketLanguage.DYCK, types, q, r);
    }

    /** The process of Shuffle-Dyck_k with uniform types; the paper's experiments have q = 0.3 and r = 0.97. */
    public static GenerationProcess shuffleDyck(int types, double q, double r) {
        return uniform(BracketLanguage.SHUFFLE_DYCK, types, q, r);
    }

    private static GenerationProcess uniform(BracketLanguage language, int types, double q, double r) {
        return new GenerationProcess(language, new BracketTokens(types), q, r, uniform(types), uniform(types));
    }

    /**
     * The probabilities of all tokens after the start and a prefix, by id.
     *
     * @param prefix brackets that are a prefix of a word
     */
    public double[] next(int... prefix) {
        var state = new State();
        for (int bracket : prefix) {
            state.read(bracket);
        }
        return state.next();
    }

    /**
     * The probabilities of the next token before each token of a word, in time linear in the word's length. Row j is
     * for the token {@code from + j} of the word and has one column per token.
     *
     * @param from the first token, counted from 0
     * @param word brackets that are a prefix of a word, optionally with the end token
     */
    public double[] along(int from, int... word) {
        return along(null, from, word);
    }

    /** {@link #along(int, int...)} under the condition {@code inTime}, if it is not null. */
    double[] along(@Nullable EndingInTime inTime, int from, int... word) {
        double[] rows = new double[Math.max(0, word.length - from) * tokens.count()];
        var state = new State();
        for (int i = 0; i < word.length; i++) {
            if (i >= from) {
                System.arraycopy(state.next(inTime), 0, rows, (i - from) * tokens.count(), tokens.count());
            }
            if (word[i] != tokens.end()) {
                state.read(word[i]);
            }
        }
        return rows;
    }

    private final class State {

        private final IntArrayList stack = new IntArrayList();
        private final int[] open = new int[tokens.types()];
        private int read;
        private int total;

        double[] next() {
            double[] next = new double[tokens.count()];
            double opens = total == 0 ? r : q;
            for (int type = 0; type < tokens.types(); type++) {
                next[tokens.open(type)] = opens * opening.get(type);
            }
            if (total == 0) {
                next[tokens.end()] = 1 - r;
            } else if (language == BracketLanguage.DYCK) {
                next[tokens.close(stack.topInt())] = 1 - q;
            } else {
                for (int type = 0; type < tokens.types(); type++) {
                    next[tokens.close(type)] = open[type] > 0 ? (1 - q) * closing.get(type) : 0;
                }
                double z = Arrays.stream(next).sum();
                Arrays.setAll(next, id -> next[id] / z);
            }
            return next;
        }

        double[] next(@Nullable EndingInTime inTime) {
            double[] next = next();
            if (inTime != null) {
                inTime.condition(next, read, total);
            }
            return next;
        }

        void read(int bracket) {
            read++;
            int rise = tokens.rise(bracket);
            total += rise;
            open[tokens.type(bracket)] += rise;
            if (rise > 0) {
                stack.push(tokens.type(bracket));
            } else {
                stack.popInt();
            }
        }
    }

    /**
     * Draws a word, cut off after {@code maxLength} tokens. It ends with the end token unless it was cut off.
     *
     * @param maxLength n_max, at least 1
     */
    public int[] sample(RandomGenerator random, int maxLength) {
        return sample(null, random, maxLength);
    }

    /** {@link #sample(RandomGenerator, int)} under the condition {@code inTime}, if it is not null. */
    int[] sample(@Nullable EndingInTime inTime, RandomGenerator random, int maxLength) {
        var word = new IntArrayList();
        var state = new State();
        while (word.size() < maxLength) {
            int token = draw(state.next(inTime), random);
            word.add(token);
            if (token == tokens.end()) {
                break;
            }
            state.read(token);
        }
        return word.toIntArray();
    }

    /** Draws an id by its probability. Rounding errors never lead to an id of probability 0. */
    private static int draw(double[] probabilities, RandomGenerator random) {
        double rest = random.nextDouble();
        int drawn = 0;
        for (int id = 0; id < probabilities.length; id++) {
            if (probabilities[id] > 0) {
                drawn = id;
                rest -= probabilities[id];
                if (rest < 0) {
                    break;
                }
            }
        }
        return drawn;
    }
}
