package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * A Boolean function of up to eight variables as a bit mask: bit a is its value where p_i = (a &gt;&gt;&gt; i) &amp; 1.
 *
 * <p>Expressions are equivalent if their tables are equal. A table of n variables has 2^n bits in max(1, 2^n / 64)
 * longs; unused bits are 0.
 */
public final class TruthTable {

    public static final int MAX_VARIABLES = 8;

    private static final int WORD_VARIABLES = 6;

    /** The table of p_i within a long, for i below 6. */
    private static final long[] PATTERNS = {
        0xAAAAAAAAAAAAAAAAL,
        0xCCCCCCCCCCCCCCCCL,
        0xF0F0F0F0F0F0F0F0L,
        0xFF00FF00FF00FF00L,
        0xFFFF0000FFFF0000L,
        0xFFFFFFFF00000000L
    };

    private final int variables;
    private final long[] words;

    private TruthTable(int variables, long[] words) {
        this.variables = variables;
        this.words = words;
    }

    /**
     * The table of the given bits.
     *
     * @throws IllegalArgumentException unless there are 1 to 8 variables and the matching number of longs, and unused
     *     bits are 0
     */
    public static TruthTable of(int variables, long... words) {
        requireVariables(variables);
        if (words.length != wordCount(variables)) {
            throw new IllegalArgumentException("words: expected " + wordCount(variables) + " longs for " + variables
                    + " variables, got " + words.length);
        }
        if ((words[0] & ~wordMask(variables)) != 0) {
            throw new IllegalArgumentException("words: expected no bit at or beyond " + (1 << variables) + ", got 0x"
                    + Long.toHexString(words[0]));
        }
        return new TruthTable(variables, words.clone());
    }

    /** The table of {@code false} or {@code true}. */
    public static TruthTable constant(int variables, boolean value) {
        requireVariables(variables);
        long[] words = new long[wordCount(variables)];
        Arrays.fill(words, value ? wordMask(variables) : 0);
        return new TruthTable(variables, words);
    }

    /** The table of p_i. */
    public static TruthTable variable(int variables, int i) {
        requireVariables(variables);
        Refuse.outside("variable", i, 0, variables - 1);
        long[] words = new long[wordCount(variables)];
        for (int word = 0; word < words.length; word++) {
            if (i < WORD_VARIABLES) {
                words[word] = PATTERNS[i] & wordMask(variables);
            } else {
                words[word] = (word >>> (i - WORD_VARIABLES) & 1) == 1 ? -1 : 0;
            }
        }
        return new TruthTable(variables, words);
    }

    static void requireVariables(int variables) {
        Refuse.outside("variables", variables, 1, MAX_VARIABLES);
    }

    static int wordCount(int variables) {
        return variables <= WORD_VARIABLES ? 1 : 1 << (variables - WORD_VARIABLES);
    }

    static long wordMask(int variables) {
        return variables >= WORD_VARIABLES ? -1 : (1L << (1 << variables)) - 1;
    }

    public int variables() {
        return variables;
    }

    /** A copy of the bits. */
    public long[] words() {
        return words.clone();
    }

    /** The value at an assignment: p_i is its bit i. */
    public boolean value(int assignment) {
        return (words[assignment / Long.SIZE] >>> assignment & 1) == 1;
    }

    /** The number of assignments at which the function is true. */
    public int ones() {
        return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }

    public TruthTable and(TruthTable other) {
        return joined(other, (a, b) -> a & b);
    }

    public TruthTable or(TruthTable other) {
        return joined(other, (a, b) -> a | b);
    }

    public TruthTable not() {
        long[] result = new long[words.length];
        Arrays.setAll(result, word -> ~words[word] & wordMask(variables));
        return new TruthTable(variables, result);
    }

    private TruthTable joined(TruthTable other, LongBinaryOperator join) {
        if (other.variables != variables) {
            throw new IllegalArgumentException(
                    "table: expected one of " + variables + " variables, got one of " + other.variables);
        }
        long[] result = new long[words.length];
        Arrays.setAll(result, word -> join.applyAsLong(words[word], other.words[word]));
        return new TruthTable(variables, result);
    }

    /** The variables on which the function depends, ascending. */
    public int[] essential() {
        return IntStream.range(0, variables).filter(this::dependsOn).toArray();
    }

    private boolean dependsOn(int i) {
        return IntStream.range(0, 1 << variables)
                .anyMatch(assignment -> value(assignment) != value(assignment ^ (1 << i)));
    }

    /**
     * The function of only the {@code chosen} variables, renamed to p_0, p_1, ...; the other variables are set to
     * false.
     */
    TruthTable projected(int... chosen) {
        long[] result = new long[wordCount(chosen.length)];
        for (int a = 0; a < 1 << chosen.length; a++) {
            int assignment = 0;
            for (int i = 0; i < chosen.length; i++) {
                assignment |= (a >>> i & 1) << chosen[i];
            }
            result[a / Long.SIZE] |= (value(assignment) ? 1L : 0L) << a;
        }
        return new TruthTable(chosen.length, result);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TruthTable that && variables == that.variables && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
        return 31 * variables + Arrays.hashCode(words);
    }

    /** The bits as hexadecimal digits, beginning with the highest assignments. */
    @Override
    public String toString() {
        var digits = new StringBuilder();
        for (int digit = Math.max(1, (1 << variables) / 4) - 1; digit >= 0; digit--) {
            digits.append(Character.forDigit((int) (words[digit / 16] >>> (4 * digit) & 15), 16));
        }
        return digits.toString();
    }
}
