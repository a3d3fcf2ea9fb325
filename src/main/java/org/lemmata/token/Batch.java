package org.lemmata.token;

import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.index.RaggedOffsets;

/**
 * Sequences of any lengths, concatenated in one {@code int[]} without padding: row start(i) + t is token t of sequence
 * i.
 *
 * <p>In a batch of examples, row scoredRows()[j] has the answer targets()[j] or values()[j].
 */
public final class Batch {

    private final int[] ids;
    private final RaggedOffsets sequences;
    private final int[] targets;
    private final float[] values;
    private final int[] scoredRows;

    private Batch(int[] ids, RaggedOffsets sequences, int[] targets, float[] values, int[] scoredRows) {
        this.ids = ids;
        this.sequences = sequences;
        this.targets = targets;
        this.values = values;
        this.scoredRows = scoredRows;
    }

    /**
     * A batch of {@code sequences} without answers.
     *
     * @throws IllegalArgumentException if an id is negative
     */
    public static Batch of(List<int[]> sequences) {
        int[] lengths = new int[sequences.size()];
        Arrays.setAll(lengths, i -> sequences.get(i).length);
        var offsets = RaggedOffsets.ofLengths(lengths);
        int[] ids = new int[offsets.total()];
        for (int i = 0; i < lengths.length; i++) {
            System.arraycopy(sequences.get(i), 0, ids, offsets.start(i), lengths[i]);
        }
        requireIds(ids, offsets);
        return new Batch(ids, offsets, new int[0], new float[0], new int[0]);
    }

    /**
     * A batch of {@code examples}, with their answers in order.
     *
     * @throws IllegalArgumentException if some answers are tokens and others numbers
     */
    public static Batch ofExamples(List<Example> examples) {
        int[] lengths = new int[examples.size()];
        int targetCount = 0;
        int valueCount = 0;
        for (int i = 0; i < lengths.length; i++) {
            Example example = examples.get(i);
            lengths[i] = example.length();
            targetCount += example.targetCount();
            valueCount += example.valueCount();
        }
        Refuse.when(targetCount > 0 && valueCount > 0, "examples", "targets or values in all of them", "both");
        var offsets = RaggedOffsets.ofLengths(lengths);
        int[] ids = new int[offsets.total()];
        int[] targets = new int[targetCount];
        float[] values = new float[valueCount];
        int[] scoredRows = new int[targetCount + valueCount];
        int scored = 0;
        for (int i = 0; i < lengths.length; i++) {
            Example example = examples.get(i);
            example.copyInto(ids, offsets.start(i), targets, values, scoredRows, scored);
            scored += example.targetCount() + example.valueCount();
        }
        return new Batch(ids, offsets, targets, values, scoredRows);
    }

    private static void requireIds(int[] ids, RaggedOffsets sequences) {
        for (int i = 0; i < sequences.count(); i++) {
            for (int t = 0; t < sequences.length(i); t++) {
                int id = ids[sequences.start(i) + t];
                if (id < 0) {
                    throw new IllegalArgumentException(
                            "sequence " + i + ": expected ids from 0, got " + id + " at position " + t);
                }
            }
        }
    }

    /** The ids of all rows, not a copy; kernels read them in place. */
    public int[] ids() {
        return ids;
    }

    public RaggedOffsets sequences() {
        return sequences;
    }

    /** The target ids, one per scored row; empty if answers are numbers. Not a copy. */
    public int[] targets() {
        return targets;
    }

    /** The target numbers, one per scored row; empty if answers are tokens. Not a copy. */
    public float[] values() {
        return values;
    }

    /** The rows of {@link #targets()} or {@link #values()}, strictly ascending. Not a copy. */
    public int[] scoredRows() {
        return scoredRows;
    }
}
