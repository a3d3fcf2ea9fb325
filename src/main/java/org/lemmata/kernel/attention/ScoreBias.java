package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The score bias phi of one head, for one strip at a time. Along a row of a strip, the distance grows by one per lane,
 * so the biases of a row are a slice of the table. Zeros pad the table at both ends.
 */
final class ScoreBias {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** QUERIES zeros, then the bias or its gradient for each distance, then QUERIES zeros. */
    private float[] table = {};

    private int span;

    void set(float[] biases, int at, int newSpan) {
        clear(newSpan);
        System.arraycopy(biases, at, table, QUERIES, newSpan);
    }

    void clear(int newSpan) {
        span = newSpan;
        table = atLeast(table, newSpan + 2 * QUERIES);
        Arrays.fill(table, 0, newSpan + 2 * QUERIES, 0);
    }

    void copyInto(float[] biases, int at) {
        System.arraycopy(table, QUERIES, biases, at, span);
    }

    /** Replaces each x of a strip by {@code scale} x + bias. The distance of query 0 to key 0 is {@code distance}. */
    void scaleAndAddInto(float[] strip, int keys, int distance, float scale) {
        for (int key = 0; key < keys; key++) {
            int d = distance - key;
            if (d > -QUERIES && d < span) {
                scaleAndAddRow(strip, key * QUERIES, QUERIES + d, scale);
            } else {
                scaleRow(strip, key * QUERIES, scale);
            }
        }
    }

    private void scaleAndAddRow(float[] strip, int at, int tableAt, float scale) {
        for (int lane = 0; lane < QUERIES; lane += LANES) {
            FloatVector.fromArray(SPECIES, strip, at + lane)
                    .mul(scale)
                    .add(FloatVector.fromArray(SPECIES, table, tableAt + lane))
                    .intoArray(strip, at + lane);
        }
    }

    private static void scaleRow(float[] strip, int at, float scale) {
        for (int lane = 0; lane < QUERIES; lane += LANES) {
            FloatVector.fromArray(SPECIES, strip, at + lane).mul(scale).intoArray(strip, at + lane);
        }
    }

    /**
     * Adds each number of a strip to the bias gradient of its distance, key after key, for the queries that see the
     * key. Vectors also include neighbouring queries, whose numbers are 0.
     */
    void accumulate(float[] strip, int keys, int queries, int diagonal, int distance) {
        if (span == 0) {
            return;
        }
        for (int key = 0; key < keys; key++) {
            int d = distance - key;
            if (d > -QUERIES && d < span) {
                int from = Math.max(0, key - diagonal) / LANES * LANES;
                accumulateRow(strip, key * QUERIES, QUERIES + d, from, queries);
            }
        }
    }

    private void accumulateRow(float[] strip, int at, int tableAt, int from, int to) {
        for (int lane = from; lane < to; lane += LANES) {
            FloatVector.fromArray(SPECIES, table, tableAt + lane)
                    .add(FloatVector.fromArray(SPECIES, strip, at + lane))
                    .intoArray(table, tableAt + lane);
        }
    }
}
