package org.lemmata.token;

import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * A sequence with its answers: position scoredPositions[j] of the inputs has the answer targets[j], a token, or
 * values[j], a real number.
 *
 * <p>Positions are counted from 0. Positions that are not scored have no answer. The constructor and the accessors copy
 * the arrays.
 *
 * @param inputs the input ids
 * @param targets the target ids, one per scored position, or none if answers are numbers
 * @param values the target numbers, one per scored position, or none if answers are tokens
 * @param scoredPositions positions of the inputs, strictly ascending
 */
// Components are arrays because kernels read int[]. equals and hashCode are defined, and the arrays never escape.
@SuppressWarnings("ArrayRecordComponent")
public record Example(int[] inputs, int[] targets, float[] values, int[] scoredPositions) {

    private static final float[] NO_VALUES = {};

    public Example {
        inputs = inputs.clone();
        targets = targets.clone();
        values = values.clone();
        scoredPositions = scoredPositions.clone();
        requireIds("inputs", inputs);
        requireIds("targets", targets);
        if (targets.length > 0 && values.length > 0) {
            throw new IllegalArgumentException(
                    "targets, values: expected one of them, got " + targets.length + " and " + values.length);
        }
        if (targets.length + values.length != scoredPositions.length) {
            throw new IllegalArgumentException("targets: expected one per scored position, " + scoredPositions.length
                    + ", got " + (targets.length + values.length));
        }
        int previous = -1;
        for (int position : scoredPositions) {
            if (position <= previous || position >= inputs.length) {
                throw new IllegalArgumentException("scoredPositions: expected strictly ascending positions below "
                        + inputs.length + ", got " + Arrays.toString(scoredPositions));
            }
            previous = position;
        }
    }

    public Example(int[] inputs, int[] targets, int[] scoredPositions) {
        this(inputs, targets, NO_VALUES, scoredPositions);
    }

    /**
     * A regression example: the answer at the last position is a number.
     *
     * @throws IllegalArgumentException if the sequence is empty
     */
    public static Example regression(int[] inputs, float value) {
        Refuse.when(inputs.length == 0, "inputs", "at least one token", "none");
        return new Example(inputs, new int[0], new float[] {value}, new int[] {inputs.length - 1});
    }

    /**
     * A next-token prediction example: the answer at every position except the last is the next token.
     *
     * <p>The inputs are the whole sequence, so a position table needs as many rows as the sequence has tokens.
     */
    public static Example nextToken(int... sequence) {
        int[] positions = new int[Math.max(0, sequence.length - 1)];
        Arrays.setAll(positions, i -> i);
        int[] targets = sequence.length == 0 ? sequence : Arrays.copyOfRange(sequence, 1, sequence.length);
        return new Example(sequence, targets, positions);
    }

    /** The number of input tokens. */
    public int length() {
        return inputs.length;
    }

    @Override
    public int[] inputs() {
        return inputs.clone();
    }

    @Override
    public int[] targets() {
        return targets.clone();
    }

    @Override
    public float[] values() {
        return values.clone();
    }

    @Override
    public int[] scoredPositions() {
        return scoredPositions.clone();
    }

    int targetCount() {
        return targets.length;
    }

    int valueCount() {
        return values.length;
    }

    /** Copies the example into the arrays of a batch: tokens from {@code row} on, answers from {@code scored} on. */
    void copyInto(int[] ids, int row, int[] batchTargets, float[] batchValues, int[] scoredRows, int scored) {
        System.arraycopy(inputs, 0, ids, row, inputs.length);
        if (targets.length > 0) {
            System.arraycopy(targets, 0, batchTargets, scored, targets.length);
        } else if (values.length > 0) {
            System.arraycopy(values, 0, batchValues, scored, values.length);
        }
        for (int i = 0; i < scoredPositions.length; i++) {
            scoredRows[scored + i] = row + scoredPositions[i];
        }
    }

    private static void requireIds(String argument, int[] ids) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0) {
                throw new IllegalArgumentException(
                        argument + ": expected ids from 0, got " + ids[i] + " at position " + i);
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Example that
                && Arrays.equals(inputs, that.inputs)
                && Arrays.equals(targets, that.targets)
                && Arrays.equals(values, that.values)
                && Arrays.equals(scoredPositions, that.scoredPositions);
    }

    @Override
    public int hashCode() {
        int answers = 31 * Arrays.hashCode(targets) + Arrays.hashCode(values);
        return 31 * (31 * Arrays.hashCode(inputs) + answers) + Arrays.hashCode(scoredPositions);
    }

    @Override
    public String toString() {
        return "Example[inputs=" + Arrays.toString(inputs) + ", targets=" + Arrays.toString(targets) + ", values="
                + Arrays.toString(values) + ", scoredPositions=" + Arrays.toString(scoredPositions) + "]";
    }
}
