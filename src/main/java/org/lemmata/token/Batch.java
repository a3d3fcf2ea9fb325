package org.lemmata.token;

import java.util.Arrays;
import java.util.List;
import org.lemmata.index.RaggedOffsets;

/**
 * Sequences of any lengths, one after the other in one {@code int[]}: row start(i) + t is token t of sequence i.
 *
 * <p>There is no padding, so nothing is computed on padding. Where the batch was made of examples, targets()[j], or
 * the number values()[j], is expected at row scoredRows()[j].
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
     * The batch of sequences that carry no targets.
     *
     * @throws IllegalArgumentException if an id is negative
     */
    public static Batch of(List<int[]> sequences) {
        var offsets = RaggedOffsets.ofLengths(
                sequences.stream().mapToInt(sequence -> sequence.length).toArray());
        int[] ids = new int[offsets.total()];
        for (int i = 0; i < sequences.size(); i++) {
            Example.requireIds("sequence " + i, sequences.get(i));
            System.arraycopy(sequences.get(i), 0, ids, offsets.start(i), offsets.length(i));
        }
        return new Batch(ids, offsets, new int[0], new float[0], new int[0]);
    }

    /**
     * The batch of examples, with their answers in order.
     *
     * @throws IllegalArgumentException if some expect tokens and others numbers
     */
    public static Batch ofExamples(List<Example> examples) {
        Batch inputs = of(examples.stream().map(Example::inputs).toList());
        int[] targets = examples.stream()
                .map(Example::targets)
                .flatMapToInt(Arrays::stream)
                .toArray();
        float[] values = values(examples);
        if (targets.length > 0 && values.length > 0) {
            throw new IllegalArgumentException("examples: expected targets or values in all of them, got both");
        }
        int[] scoredRows = new int[targets.length + values.length];
        int next = 0;
        for (int i = 0; i < examples.size(); i++) {
            for (int position : examples.get(i).scoredPositions()) {
                scoredRows[next++] = inputs.sequences.start(i) + position;
            }
        }
        return new Batch(inputs.ids, inputs.sequences, targets, values, scoredRows);
    }

    private static float[] values(List<Example> examples) {
        float[] values = new float[examples.stream().mapToInt(example -> example.values().length).sum()];
        int next = 0;
        for (Example example : examples) {
            for (float value : example.values()) {
                values[next++] = value;
            }
        }
        return values;
    }

    /** The ids of all rows; the array itself, since kernels read it in place: not to be written to. */
    public int[] ids() {
        return ids;
    }

    /** Where each sequence lies in {@link #ids()}. */
    public RaggedOffsets sequences() {
        return sequences;
    }

    /** The ids expected, one a scored row, empty where none are; the array itself, not to be written to. */
    public int[] targets() {
        return targets;
    }

    /** The numbers expected, one a scored row, empty where none are; the array itself, not to be written to. */
    public float[] values() {
        return values;
    }

    /** The rows that {@link #targets()} or {@link #values()} belong to, strictly ascending; the array itself, not to be written to. */
    public int[] scoredRows() {
        return scoredRows;
    }
}
