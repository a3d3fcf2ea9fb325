package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * The sizes and the kind of a causal attention.
 *
 * @param weighting how scores become weights
 * @param heads number of heads, at least 1
 * @param headWidth width of a head, at least 1; head h owns columns [h * headWidth, (h + 1) * headWidth) of a row
 * @param scoreScale factor of the inner product of query and key
 */
public record AttentionShape(Weighting weighting, int heads, int headWidth, float scoreScale) {

    /** How the scores s_i1 ... s_ii of row i become weights u_i1 ... u_ii, before they are divided by their sum. */
    public enum Weighting {
        /** exp(s_ij - max_l s_il). */
        SOFTMAX,
        /** 1: the scores, and so queries and keys, are not read. */
        UNIFORM,
        /** 1 where s_ij is the greatest score of the row, else 0. */
        HARDMAX
    }

    public AttentionShape {
        if (heads < 1 || headWidth < 1) {
            throw new IllegalArgumentException(
                    "heads, headWidth: expected at least 1, got " + heads + ", " + headWidth);
        }
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
    }

    /** Columns of a row of queries, keys, values and outputs: heads * headWidth. */
    public int width() {
        return heads * headWidth;
    }

    void check(float[] outputs, float[] queries, float[] keys, float[] values, RaggedOffsets sequences) {
        long needed = (long) sequences.total() * width();
        checkLength("outputs", outputs, needed);
        checkLength("values", values, needed);
        if (weighting != Weighting.UNIFORM) {
            checkLength("queries", queries, needed);
            checkLength("keys", keys, needed);
        }
    }

    private static void checkLength(String name, float[] data, long needed) {
        if (data.length < needed) {
            throw new IllegalArgumentException(
                    name + ": expected at least " + needed + " elements, got " + data.length);
        }
    }
}
