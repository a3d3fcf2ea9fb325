package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/** Copies parts of A and B in the order in which tiles read them. */
final class Packing {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** Transposing uses squares of four by four, at any vector width. */
    private static final VectorSpecies<Float> FOUR = FloatVector.SPECIES_128;

    private static final VectorShuffle<Float> INTERLEAVE_LOW = VectorShuffle.fromValues(FOUR, 0, 4, 1, 5);
    private static final VectorShuffle<Float> INTERLEAVE_HIGH = VectorShuffle.fromValues(FOUR, 2, 6, 3, 7);
    private static final VectorShuffle<Float> FIRST_HALVES = VectorShuffle.fromValues(FOUR, 0, 1, 4, 5);
    private static final VectorShuffle<Float> SECOND_HALVES = VectorShuffle.fromValues(FOUR, 2, 3, 6, 7);

    /**
     * Number of panels that are packed together. Packing them one at a time would read one or two cache lines from each
     * row of B, and each row is on a different page. Packing then took an eighth of the time of a 1,024 x 1,024 x 1,024
     * product.
     */
    private static final int PANELS_AT_ONCE = 8;

    private Packing() {}

    /** Packs {@code count} whole panels, {@code depth * COLUMNS} apart; row l of B is at {@code at + l * stride}. */
    static void panels(float[] panels, int panelAt, float[] b, int at, int stride, int count, int depth) {
        int panelSize = depth * COLUMNS;
        for (int panel = 0; panel < count; panel += PANELS_AT_ONCE) {
            int atOnce = Math.min(PANELS_AT_ONCE, count - panel);
            for (int l = 0; l < depth; l++) {
                int to = panelAt + panel * panelSize + l * COLUMNS;
                rowOfPanels(panels, to, panelSize, b, at + l * stride + panel * COLUMNS, atOnce);
            }
        }
    }

    private static void rowOfPanels(float[] panels, int to, int panelSize, float[] b, int from, int count) {
        for (int panel = 0; panel < count; panel++) {
            int at = to + panel * panelSize;
            int of = from + panel * COLUMNS;
            FloatVector.fromArray(SPECIES, b, of).intoArray(panels, at);
            FloatVector.fromArray(SPECIES, b, of + LANES).intoArray(panels, at + LANES);
        }
    }

    /** Packs a panel: row l of B, at {@code at + l * stride}, goes to {@code l * COLUMNS} in the panel. */
    static void panel(float[] panel, int panelAt, float[] b, int at, int stride, int width, int depth) {
        if (width < LANES) {
            for (int l = 0; l < depth; l++) {
                int row = panelAt + l * COLUMNS;
                System.arraycopy(b, at + l * stride, panel, row, width);
                Arrays.fill(panel, row + width, row + LANES, 0);
            }
            return;
        }
        // In a panel narrower than two vectors, the second vector overlaps the first.
        int second = width - LANES;
        for (int l = 0; l < depth; l++) {
            FloatVector.fromArray(SPECIES, b, at + l * stride).intoArray(panel, panelAt + l * COLUMNS);
            FloatVector.fromArray(SPECIES, b, at + l * stride + second)
                    .intoArray(panel, panelAt + l * COLUMNS + second);
        }
    }

    /** Packs a panel of Bᵀ: column j of the panel is the row of B at {@code at + j * stride}. */
    static void transposedPanel(float[] panel, int panelAt, float[] b, int at, int stride, int width, int depth) {
        int j = 0;
        for (; j <= width - 4; j += 4) {
            transposeFour(panel, panelAt + j, b, at + j * stride, stride, depth);
        }
        for (; j < width; j++) {
            transposeOne(panel, panelAt + j, b, at + j * stride, depth);
        }
        for (; j < LANES; j++) {
            for (int l = 0; l < depth; l++) {
                panel[panelAt + l * COLUMNS + j] = 0;
            }
        }
    }

    /** Transposes four rows in squares of four. Copying single elements takes three times as long. */
    private static void transposeFour(float[] panel, int panelAt, float[] b, int at, int stride, int depth) {
        int at1 = at + stride;
        int at2 = at1 + stride;
        int at3 = at2 + stride;
        int l = 0;
        for (; l <= depth - 4; l += 4) {
            transposeSquare(panel, panelAt + l * COLUMNS, COLUMNS, b, at + l, stride);
        }
        for (; l < depth; l++) {
            int to = panelAt + l * COLUMNS;
            panel[to] = b[at + l];
            panel[to + 1] = b[at1 + l];
            panel[to + 2] = b[at2 + l];
            panel[to + 3] = b[at3 + l];
        }
    }

    private static void transposeSquare(float[] to, int toAt, int toStride, float[] from, int at, int stride) {
        FloatVector row0 = FloatVector.fromArray(FOUR, from, at);
        FloatVector row1 = FloatVector.fromArray(FOUR, from, at + stride);
        FloatVector row2 = FloatVector.fromArray(FOUR, from, at + 2 * stride);
        FloatVector row3 = FloatVector.fromArray(FOUR, from, at + 3 * stride);
        FloatVector low01 = row0.rearrange(INTERLEAVE_LOW, row1);
        FloatVector high01 = row0.rearrange(INTERLEAVE_HIGH, row1);
        FloatVector low23 = row2.rearrange(INTERLEAVE_LOW, row3);
        FloatVector high23 = row2.rearrange(INTERLEAVE_HIGH, row3);
        low01.rearrange(FIRST_HALVES, low23).intoArray(to, toAt);
        low01.rearrange(SECOND_HALVES, low23).intoArray(to, toAt + toStride);
        high01.rearrange(FIRST_HALVES, high23).intoArray(to, toAt + 2 * toStride);
        high01.rearrange(SECOND_HALVES, high23).intoArray(to, toAt + 3 * toStride);
    }

    private static void transposeOne(float[] panel, int panelAt, float[] b, int at, int depth) {
        for (int l = 0; l < depth; l++) {
            panel[panelAt + l * COLUMNS] = b[at + l];
        }
    }

    /** Packs whole low tiles of A, one tile after the other, each column by column. */
    static void tiles(float[] packed, float[] a, int at, int stride, int rows, int depth) {
        for (int i = 0; i < rows; i++) {
            int tile = i / Tile6x2.ROWS * Tile6x2.ROWS;
            column(packed, tile * depth + i - tile, Tile6x2.ROWS, a, at + i * stride, depth);
        }
    }

    /** Packs low tiles from Aᵀ, eight at a time: a single tile would use only part of each row's cache line. */
    static void transposedTiles(float[] packed, float[] a, int at, int stride, int rows, int depth) {
        int together = 8 * Tile6x2.ROWS;
        for (int i = 0; i < rows; i += together) {
            int end = Math.min(rows, i + together);
            for (int l = 0; l < depth; l++) {
                for (int tile = i; tile < end; tile += Tile6x2.ROWS) {
                    int from = at + l * stride + tile;
                    int to = tile * depth + l * Tile6x2.ROWS;
                    int last = Tile6x2.ROWS - FOUR.length();
                    FloatVector.fromArray(FOUR, a, from).intoArray(packed, to);
                    FloatVector.fromArray(FOUR, a, from + last).intoArray(packed, to + last);
                }
            }
        }
    }

    private static void column(float[] packed, int to, int step, float[] a, int at, int depth) {
        for (int l = 0; l < depth; l++) {
            packed[to + l * step] = a[at + l];
        }
    }

    static void rows(float[] packed, float[] a, int at, int stride, int rows, int depth) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(a, at + i * stride, packed, i * depth, depth);
        }
    }

    /**
     * Copies the first {@link Tile12x2#ROWS} columns of {@code depth} rows, row by row, for a tall tile. Uses no
     * vectors: if a long method inlines this method, the compiler boxes vectors, which took 13 cycles per number.
     */
    static void columns(float[] packed, float[] a, int at, int stride, int depth) {
        for (int l = 0; l < depth; l++) {
            int from = at + l * stride;
            int to = l * Tile12x2.ROWS;
            for (int i = 0; i < Tile12x2.ROWS; i++) {
                packed[to + i] = a[from + i];
            }
        }
    }

    /** Copies the first {@code columns} columns of {@code depth} rows, column by column. */
    static void transposedRows(float[] packed, float[] a, int at, int stride, int columns, int depth) {
        int l = 0;
        if (columns >= FOUR.length()) {
            for (; l <= depth - FOUR.length(); l += FOUR.length()) {
                // The last square overlaps the one before it.
                int last = columns - FOUR.length();
                for (int i = 0; i < last; i += FOUR.length()) {
                    transposeSquare(packed, i * depth + l, depth, a, at + l * stride + i, stride);
                }
                transposeSquare(packed, last * depth + l, depth, a, at + l * stride + last, stride);
            }
        }
        for (; l < depth; l++) {
            for (int i = 0; i < columns; i++) {
                packed[i * depth + l] = a[at + l * stride + i];
            }
        }
    }
}
