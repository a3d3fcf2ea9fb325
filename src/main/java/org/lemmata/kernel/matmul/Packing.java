package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/** Copies of parts of A and B in the order in which tiles read them. */
final class Packing {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Packing() {}

    /** A panel of {@code width} columns: row l of B at {@code at + l * stride}, of the panel at {@code l * COLUMNS}. */
    static void panel(float[] panel, int panelAt, float[] b, int at, int stride, int width, int depth) {
        if (width < LANES) {
            for (int l = 0; l < depth; l++) {
                int row = panelAt + l * COLUMNS;
                System.arraycopy(b, at + l * stride, panel, row, width);
                Arrays.fill(panel, row + width, row + LANES, 0);
            }
            return;
        }
        // In a panel narrower than two vectors the second one overlaps the first.
        int second = width - LANES;
        for (int l = 0; l < depth; l++) {
            FloatVector.fromArray(SPECIES, b, at + l * stride).intoArray(panel, panelAt + l * COLUMNS);
            FloatVector.fromArray(SPECIES, b, at + l * stride + second)
                    .intoArray(panel, panelAt + l * COLUMNS + second);
        }
    }

    /** A panel of Bᵀ: column j of the panel is the row of B at {@code at + j * stride}. */
    static void transposedPanel(float[] panel, int panelAt, float[] b, int at, int stride, int width, int depth) {
        int j = 0;
        for (; j <= width - 8; j += 8) {
            transposeEight(panel, panelAt + j, b, at + j * stride, stride, depth);
        }
        for (; j < width; j++) {
            for (int l = 0; l < depth; l++) {
                panel[panelAt + l * COLUMNS + j] = b[at + j * stride + l];
            }
        }
        for (; j < LANES; j++) {
            for (int l = 0; l < depth; l++) {
                panel[panelAt + l * COLUMNS + j] = 0;
            }
        }
    }

    /** Eight rows become eight columns: what is written together lies together. */
    private static void transposeEight(float[] panel, int panelAt, float[] b, int at, int stride, int depth) {
        int row1 = at + stride;
        int row2 = row1 + stride;
        int row3 = row2 + stride;
        int row4 = row3 + stride;
        int row5 = row4 + stride;
        int row6 = row5 + stride;
        int row7 = row6 + stride;
        for (int l = 0; l < depth; l++) {
            int to = panelAt + l * COLUMNS;
            panel[to] = b[at + l];
            panel[to + 1] = b[row1 + l];
            panel[to + 2] = b[row2 + l];
            panel[to + 3] = b[row3 + l];
            panel[to + 4] = b[row4 + l];
            panel[to + 5] = b[row5 + l];
            panel[to + 6] = b[row6 + l];
            panel[to + 7] = b[row7 + l];
        }
    }

    /** {@code rows} rows of {@code length} elements from {@code at} on, one after the other, {@code step} apart. */
    static void rows(float[] packed, int step, float[] a, int at, int stride, int rows, int length) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(a, at + i * stride, packed, i * step, length);
        }
    }
}
