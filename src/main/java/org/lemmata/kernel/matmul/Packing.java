package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.MicroKernel.COLUMNS;
import static org.lemmata.kernel.matmul.MicroKernel.LANES;
import static org.lemmata.kernel.matmul.MicroKernel.ROWS;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/** The space that one thread packs blocks of A and B into; it grows to what is asked for and is kept. */
final class Packing {

    /**
     * The greatest depth of a block: a panel of B takes MAX_DEPTH * COLUMNS * 4 bytes, 24 KiB of a first-level cache of
     * 32.
     */
    static final int MAX_DEPTH = 192;

    /**
     * The most rows of A packed together: MAX_ROWS * MAX_DEPTH * 4 bytes are 144 KiB, within the second-level cache.
     */
    static final int MAX_ROWS = 32 * ROWS;

    /** The most columns of B packed together: MAX_COLUMNS * MAX_DEPTH * 4 bytes are 768 KiB. */
    static final int MAX_COLUMNS = 1024;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private final float[] tile = new float[ROWS * LANES];
    private float[] a = {};
    private float[] b = {};

    /** Row i of the packed block of op(A) at {@code i * depth}. */
    float[] a() {
        return a;
    }

    /** The panels of op(B), each of {@code depth} rows of {@code COLUMNS} elements. */
    float[] b() {
        return b;
    }

    /** Space for one tile of C, {@code LANES} columns wide. */
    float[] tile() {
        return tile;
    }

    /** The width of the next panel, such that none is narrower than a vector unless the whole matrix is. */
    static int panelWidth(int columnsLeft) {
        return columnsLeft <= COLUMNS ? columnsLeft : Math.min(COLUMNS, Math.max(LANES, columnsLeft - LANES));
    }

    /** Packs rows of op(A) one after the other. */
    void packA(MatMul.Form form, float[] source, int at, int stride, int rows, int depth) {
        a = grown(a, rows * depth);
        if (form != MatMul.Form.TN) {
            for (int i = 0; i < rows; i++) {
                System.arraycopy(source, at + i * stride, a, i * depth, depth);
            }
            return;
        }
        for (int l = 0; l < depth; l++) {
            for (int i = 0; i < rows; i++) {
                a[i * depth + l] = source[at + l * stride + i];
            }
        }
    }

    /** Packs columns of op(B) into panels. */
    void packB(MatMul.Form form, float[] source, int at, int stride, int columns, int depth) {
        b = grown(b, Math.ceilDiv(columns, LANES) * depth * COLUMNS);
        int panelAt = 0;
        for (int j = 0, width; j < columns; j += width, panelAt += depth * COLUMNS) {
            width = panelWidth(columns - j);
            if (form == MatMul.Form.NT) {
                packTransposed(b, panelAt, source, at + j * stride, stride, width, depth);
            } else if (width < LANES) {
                packNarrow(b, panelAt, source, at + j, stride, width, depth);
            } else {
                pack(b, panelAt, source, at + j, stride, width, depth);
            }
        }
    }

    /** Two vectors of each row; the second one overlaps the first in a panel narrower than two. */
    private static void pack(float[] panel, int panelAt, float[] b, int bAt, int stride, int width, int depth) {
        int second = width - LANES;
        for (int l = 0; l < depth; l++) {
            FloatVector.fromArray(SPECIES, b, bAt + l * stride).intoArray(panel, panelAt + l * COLUMNS);
            FloatVector.fromArray(SPECIES, b, bAt + l * stride + second)
                    .intoArray(panel, panelAt + l * COLUMNS + LANES);
        }
    }

    /** Both vectors alike: they overlap wholly in the tile that {@link #tile()} is. */
    private static void packNarrow(float[] panel, int panelAt, float[] b, int bAt, int stride, int width, int depth) {
        for (int l = 0; l < depth; l++) {
            int row = panelAt + l * COLUMNS;
            System.arraycopy(b, bAt + l * stride, panel, row, width);
            Arrays.fill(panel, row + width, row + LANES, 0);
            System.arraycopy(panel, row, panel, row + LANES, LANES);
        }
    }

    /** Column j of the panel is a row of B. */
    private static void packTransposed(
            float[] panel, int panelAt, float[] b, int bAt, int stride, int width, int depth) {
        int second = Math.max(0, width - LANES);
        for (int j = 0; j < COLUMNS; j++) {
            // To the right of a matrix narrower than a vector, the last column is repeated.
            int column = Math.min(width - 1, j < LANES ? j : second + j - LANES);
            for (int l = 0; l < depth; l++) {
                panel[panelAt + l * COLUMNS + j] = b[bAt + column * stride + l];
            }
        }
    }

    private static float[] grown(float[] space, int length) {
        return space.length >= length ? space : new float[length];
    }
}
