package org.lemmata.token;

import java.util.Arrays;

/**
 * A sequence that carries its own answer: the token targets[j] is expected at position scoredPositions[j] of the
 * inputs.
 *
 * <p>Positions count from 0. An input position that is not scored has no target. The arrays are copied on the way in
 * and out.
 *
 * @param inputs the input ids
 * @param targets the expected ids, one a scored position
 * @param scoredPositions positions of the inputs, strictly ascending
 */
// Arrays, since every kernel reads int[]; equality and hash are written out below, and the arrays never escape.
@SuppressWarnings("ArrayRecordComponent")
public record Example(int[] inputs, int[] targets, int[] scoredPositions) {

    public Example {
        inputs = inputs.clone();
        targets = targets.clone();
        scoredPositions = scoredPositions.clone();
        requireIds("inputs", inputs);
        requireIds("targets", targets);
        if (targets.length != scoredPositions.length) {
            throw new IllegalArgumentException("targets: expected one a scored position, that is "
                    + scoredPositions.length + ", got " + targets.length);
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

    /**
     * The example of next-token prediction on one sequence: every position but the last expects the token after it.
     *
     * <p>The inputs are the whole sequence, so a position table has as many rows as the sequence has tokens.
     */
    public static Example nextToken(int... sequence) {
        int[] positions = new int[Math.max(0, sequence.length - 1)];
        Arrays.setAll(positions, i -> i);
        int[] targets = sequence.length == 0 ? sequence : Arrays.copyOfRange(sequence, 1, sequence.length);
        return new Example(sequence, targets, positions);
    }

    /** How many tokens are read. */
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
    public int[] scoredPositions() {
        return scoredPositions.clone();
    }

    static void requireIds(String argument, int[] ids) {
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
                && Arrays.equals(scoredPositions, that.scoredPositions);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(inputs) + Arrays.hashCode(targets)) + Arrays.hashCode(scoredPositions);
    }

    @Override
    public String toString() {
        return "Example[inputs=" + Arrays.toString(inputs) + ", targets=" + Arrays.toString(targets)
                + ", scoredPositions=" + Arrays.toString(scoredPositions) + "]";
    }
}
