package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;
import static org.lemmata.kernel.matmul.Blocking.MIN_COLUMNS_TO_PACK_A;

import java.util.Arrays;

/**
 * The loops of one thread around the tiles, with the space that it packs into, which grows to what is asked for and is
 * kept.
 *
 * <p>A block of B, at most {@link Blocking#depth} by {@link Blocking#columns}, is packed into {@link Panels}, and all
 * rows of A pass by it. The rows of one tile stay in the first-level cache while panels pass by them or, of few panels
 * with low tiles, a panel does while all rows pass by it. The vectors of a panel narrower than two overlap: edges need
 * neither masks nor other code.
 *
 * <p>C is read (as the start of the sums) and written by the same tile, so no part of it may belong to two tiles.
 */
final class BlockedProduct {

    private static final ThreadLocal<BlockedProduct> OF_THREAD =
            ThreadLocal.withInitial(() -> new BlockedProduct(Blocking.CHOSEN));

    private static final float[] NOTHING = {};

    /** Up to so many steps, many low tiles a call, which costs 25 ns on Zen 5, win over tall ones that read B less. */
    private static final int MAX_LOW_DEPTH = 32;

    /** A cache line of 64 bytes. */
    private static final int FLOATS_A_LINE = 16;

    private final Blocking blocking;
    private final float[] packedA;

    /** Rows of A for {@link Tile6x2#packed}. */
    private float[] tilesOfA = NOTHING;

    private final float[] tileOfC = new float[Tile12x2.ROWS * COLUMNS];
    private final Panels panels = new Panels();

    // The block at hand: where element (0, 0) of each matrix lies, and how far apart its rows do.
    private boolean transposedA;
    private float[] start = NOTHING;
    private int startAt;
    private int startStep;
    private int startColumnStep;
    private float[] c = NOTHING;
    private int cAt;
    private int cStride;
    private float[] a = NOTHING;
    private int aAt;
    private int aStride;
    private boolean directB;
    private float[] b = NOTHING;
    private int bAt;
    private int bStep;
    /** Whether rows of C are written before the tiles of them. */
    private boolean fetchesC;

    private int rows;
    private int columns;
    private int depth;

    /** What reading ahead has read, so that the reads are not left out. */
    @SuppressWarnings("UnusedVariable")
    private int readAhead;

    BlockedProduct(Blocking blocking) {
        this.blocking = blocking;
        packedA = new float[Tile12x2.ROWS * blocking.depth()];
    }

    static BlockedProduct ofThread() {
        return OF_THREAD.get();
    }

    /** Computes the part of C that has {@code m} rows from {@code row} on and {@code n} columns from {@code column}. */
    void multiply(Product product, int row, int m, int column, int n) {
        try {
            transposedA = product.form == MatMul.Form.TN;
            boolean direct = blocking.readsDirectly(product.form, m, n, product.k);
            c = product.c;
            cStride = product.cStride;
            fetchesC = !product.startsFromC() && blocking.fetchesC(m, n, product.k);
            a = product.a;
            aStride = product.aStride;
            rows = m;
            int k = product.k;
            if (blocking.packsTiles(product.form, n, k)) {
                multiplyPacked(product, row, m, column, n);
                return;
            }
            // Blocks of even size.
            int maxDepth = even(k, blocking.depth(), 1);
            int maxColumns = even(n, fetchesC ? blocking.columns() : blocking.columnsAt(maxDepth), COLUMNS);
            for (int j = 0; j < n; j += maxColumns) {
                columns = Math.min(maxColumns, n - j);
                // A last block narrower than a vector would be read past its end.
                directB = direct && columns >= LANES;
                for (int l = 0; l < k; l += maxDepth) {
                    depth = Math.min(maxDepth, k - l);
                    take(product, row, column + j, l);
                    multiplyBlock();
                }
            }
        } finally {
            start = NOTHING;
            c = NOTHING;
            a = NOTHING;
            b = NOTHING;
        }
    }

    /** Makes the block of C from (row, column) on, summed from inner index l on, the one at hand. */
    private void take(Product product, int row, int column, int l) {
        cAt = product.cOffset + row * cStride + column;
        aAt = product.aOffset + (transposedA ? l * aStride + row : row * aStride + l);
        if (l == 0) {
            start = product.start;
            startStep = product.startRowStep;
            startColumnStep = product.startColumnStep;
            startAt = product.startOffset + row * startStep + column * startColumnStep;
        } else {
            start = c;
            startStep = cStride;
            startColumnStep = 1;
            startAt = cAt;
        }
        if (directB) {
            b = product.b;
            bAt = product.bOffset + l * product.bStride + column;
            bStep = product.bStride;
        } else {
            packB(product, column, l);
        }
    }

    private void packB(Product product, int column, int l) {
        int stride = product.bStride;
        if (product.form == MatMul.Form.NT) {
            panels.packTransposed(product.b, product.bOffset + column * stride + l, stride, depth, columns);
        } else {
            panels.pack(product.b, product.bOffset + l * stride + column, stride, depth, columns);
        }
        b = panels.data();
        bAt = 0;
        bStep = COLUMNS;
    }

    /** Where the panel that begins with column j does. */
    private int panelAt(int j) {
        return directB ? bAt + j : panels.at(j);
    }

    /** What needs tiles of one vector: a first panel, or all of a narrow C; returns the column behind it. */
    private int multiplyFirst() {
        int width = Panels.width(columns, 0);
        if (width < LANES) {
            multiplyNarrow();
        } else if (width == LANES) {
            multiplyOddPanel();
        } else {
            return 0;
        }
        return width;
    }

    private void multiplyBlock() {
        int from = multiplyFirst();
        if (from >= columns) {
            return;
        }
        // Many low tiles a call ask for a packed B; transposing A, or a narrower last panel, takes back what they win.
        boolean shallow = !directB && depth <= MAX_LOW_DEPTH && !transposedA && (columns - from) % COLUMNS == 0;
        boolean low = !blocking.tall() || shallow;
        int below = low ? multiplyDown(from) : 0;
        for (int i = below, height; i < rows; i += height) {
            int left = rows - i;
            height = !low && left >= Tile12x2.ROWS ? Tile12x2.ROWS : Math.min(Tile6x2.ROWS, left);
            if (fetchesC) {
                fetchC(i, height, from);
            }
            multiplyRows(i, height, from);
        }
    }

    /**
     * Low tiles over copies of A. A block of B is read in parts that stay in the second-level cache while a few rows of
     * A pass by, and comes from the third-level one for the next rows. Where C is wide and has few rows, all of A is
     * copied once instead, and B is packed in those parts, so that its copy never leaves the second-level cache.
     */
    private void multiplyPacked(Product product, int row, int m, int column, int n) {
        int k = product.k;
        int maxDepth = even(k, blocking.depth(), 2);
        int near = blocking.at(maxDepth, blocking.nearColumns(), COLUMNS);
        boolean keepsA = m < n && m <= blocking.columns();
        int maxColumns = even(n, keepsA ? near : blocking.columnsAt(maxDepth), COLUMNS);
        int maxRows = keepsA ? m : blocking.at(maxDepth, blocking.rows(), Tile6x2.ROWS);
        reserveTiles(Math.min(m, maxRows) * maxDepth);
        rows = m;
        for (int l = 0; l < k; l += maxDepth) {
            depth = Math.min(maxDepth, k - l);
            for (int j = 0; j < n; j += maxColumns) {
                columns = Math.min(maxColumns, n - j);
                take(product, row, column + j, l);
                multiplyPackedBlock(maxRows, near, keepsA && j > 0);
            }
        }
    }

    private void reserveTiles(int size) {
        if (tilesOfA.length < size) {
            tilesOfA = new float[size];
        }
    }

    private void multiplyPackedBlock(int maxRows, int near, boolean isPacked) {
        int from = multiplyFirst();
        int whole = rows / Tile6x2.ROWS * Tile6x2.ROWS;
        for (int i = 0, count; i < whole && from < columns; i += count) {
            count = Math.min(maxRows, whole - i);
            if (!isPacked) {
                packTiles(i, count);
            }
            for (int j = from; j < columns; j += near) {
                int width = Math.min(near, columns - j);
                for (int tile = 0; tile < count; tile += Tile6x2.ROWS) {
                    multiplyTiles(i + tile, j, width, tile * depth);
                }
            }
        }
        if (whole < rows && from < columns) {
            multiplyRows(whole, rows - whole, from);
        }
    }

    /**
     * The size of blocks of even size, a multiple of {@code unit}, that {@code size} is cut into: {@code most}, or
     * less.
     */
    private static int even(int size, int most, int unit) {
        return Math.ceilDiv(Math.ceilDiv(size, Math.ceilDiv(size, most)), unit) * unit;
    }

    private void packTiles(int i, int count) {
        if (transposedA) {
            Packing.transposedTiles(tilesOfA, a, aAt(i), aStride, count, depth);
        } else {
            Packing.tiles(tilesOfA, a, aAt(i), aStride, count, depth);
        }
    }

    /** Six rows, packed at {@code at}, by {@code width} columns from column j on. */
    private void multiplyTiles(int i, int j, int width, int at) {
        int s = startAt + i * startStep + j * startColumnStep;
        int to = cAt + i * cStride + j;
        int narrow = width % COLUMNS;
        int count = width / COLUMNS;
        Tile6x2.packed(start, s, startStep, startColumnStep, c, to, cStride, tilesOfA, at, b, panelAt(j), depth, count);
        if (narrow > 0) {
            int last = j + width - narrow;
            copyStart(i, Tile6x2.ROWS, last, narrow);
            Tile6x2.packed(tileOfC, 0, COLUMNS, 0, tileOfC, 0, COLUMNS, tilesOfA, at, b, panelAt(last), depth, 1);
            copyResult(i, Tile6x2.ROWS, last, narrow);
        }
    }

    /**
     * Writes what the next tiles will write, row by row, so that they come from memory as one stream: tiles write a few
     * columns of many rows.
     */
    private void fetchC(int i, int height, int from) {
        for (int row = i; row < i + height; row++) {
            int rowAt = cAt + row * cStride;
            Arrays.fill(c, rowAt + from, rowAt + columns, 0);
        }
    }

    /** The rows of one tile: all panels from column {@code from} on. */
    private void multiplyRows(int i, int height, int from) {
        boolean tall = height == Tile12x2.ROWS;
        boolean wide = columns >= MIN_COLUMNS_TO_PACK_A;
        // Rows that follow one another lie as a copy would; without the copy, tall tiles read them ahead.
        boolean dense = !transposedA && aStride == depth;
        float[] rowsOfA = a;
        int at = aAt(i);
        int step = aStride;
        if ((transposedA && !tall) || (wide && !dense)) {
            step = packA(i, height);
            rowsOfA = packedA;
            at = 0;
        }
        int beside = from;
        if (!directB && height == Tile6x2.ROWS) {
            int count = (columns - from) / COLUMNS;
            multiplyLow(i, from, rowsOfA, at, step, false, count);
            beside += count * COLUMNS;
        }
        for (int j = beside, width; j < columns; j += width) {
            width = Math.min(COLUMNS, columns - j);
            int second = width - LANES;
            if (tall && wide && dense) {
                readAhead(i + height, j - from, width, columns - from);
            }
            int s = startAt + i * startStep + j * startColumnStep;
            int to = cAt + i * cStride + j;
            int panel = panelAt(j);
            if (!tall) {
                Tile6x2.rows(
                        start, s, startStep, c, to, cStride, second, rowsOfA, at, step, b, panel, bStep, height, depth);
            } else if (transposedA) {
                Tile12x2.columns(
                        start, s, startStep, c, to, cStride, second, rowsOfA, at, step, b, panel, bStep, depth);
            } else {
                Tile12x2.rows(start, s, startStep, c, to, cStride, second, rowsOfA, at, step, b, panel, bStep, depth);
            }
        }
    }

    /**
     * Of few panels those tiles that are whole, a panel after the other; returns the row below them. A C of one panel
     * is written as one stream as it is.
     */
    private int multiplyDown(int from) {
        if (transposedA && columns < MIN_COLUMNS_TO_PACK_A) {
            int count = rows / Tile5x2.ROWS;
            for (int j = from, width; j < columns; j += width) {
                width = Math.min(COLUMNS, columns - j);
                int s = startAt + j * startColumnStep;
                int to = cAt + j;
                int second = width - LANES;
                Tile5x2.columns(
                        start, s, startStep, c, to, cStride, second, a, aAt(0), aStride, b, panelAt(j), depth, count);
            }
            return count * Tile5x2.ROWS;
        }
        if (!transposedA && columns - from == COLUMNS) {
            int count = rows / Tile6x2.ROWS;
            multiplyLow(0, from, a, aAt(0), aStride, true, count);
            return count * Tile6x2.ROWS;
        }
        return 0;
    }

    /** So many whole low tiles from (i, j) on, one below the other or one beside the other. */
    private void multiplyLow(int i, int j, float[] rowsOfA, int at, int step, boolean down, int count) {
        int s = startAt + i * startStep + j * startColumnStep;
        int to = cAt + i * cStride + j;
        int panel = panelAt(j);
        Tile6x2.tiles(
                start, s, startStep, startColumnStep, c, to, cStride, rowsOfA, at, step, b, panel, down, depth, count);
    }

    /**
     * Reads what the next tiles will read of A, from row i on: at each panel the part of it that the panel is of all
     * columns, so that memory gives it while there is other work.
     */
    private void readAhead(int i, int column, int width, int allColumns) {
        int size = Math.min(Tile12x2.ROWS, rows - i) * depth;
        int end = aAt(i) + (int) ((long) size * (column + width) / allColumns);
        int bits = 0;
        for (int at = aAt(i) + (int) ((long) size * column / allColumns); at < end; at += FLOATS_A_LINE) {
            bits ^= Float.floatToRawIntBits(a[at]);
        }
        readAhead ^= bits;
    }

    private int aAt(int i) {
        return transposedA ? aAt + i : aAt + i * aStride;
    }

    /**
     * Copies the rows i ... i + height - 1 of op(A) closer together: of Aᵀ as they lie for a tall tile, which reads
     * columns, and transposed for a low one, which reads rows.
     *
     * @return the step from one row of the copy to the next
     */
    private int packA(int i, int height) {
        if (!transposedA) {
            Packing.rows(packedA, a, aAt(i), aStride, height, depth);
            return depth;
        }
        if (height < Tile12x2.ROWS) {
            Packing.transposedRows(packedA, a, aAt(i), aStride, height, depth);
            return depth;
        }
        Packing.columns(packedA, a, aAt(i), aStride, height, depth);
        return height;
    }

    /** The first panel, one vector wide. */
    private void multiplyOddPanel() {
        if (depth == Tile1x1.STEPS && blocking.tall() && !transposedA) {
            Tile1x1.rows(start, startAt, startStep, c, cAt, cStride, a, aAt(0), aStride, b, bAt, bStep, rows);
            return;
        }
        for (int i = 0, height; i < rows; i += height) {
            height = heightOfNarrow(i);
            multiplyOneVector(i, height, start, startAt + i * startStep, startStep, c, cAt + i * cStride, cStride);
        }
    }

    /** All of a C narrower than a vector, beside columns of zeros. */
    private void multiplyNarrow() {
        for (int i = 0, height; i < rows; i += height) {
            height = heightOfNarrow(i);
            copyStart(i, height, 0, columns);
            multiplyOneVector(i, height, tileOfC, 0, COLUMNS, tileOfC, 0, COLUMNS);
            copyResult(i, height, 0, columns);
        }
    }

    private int heightOfNarrow(int i) {
        int left = rows - i;
        return left >= Tile12x1.ROWS ? Tile12x1.ROWS : Math.min(Tile6x2.ROWS, left);
    }

    /** The rows of a tile one vector wide, read and written where the caller says. */
    private void multiplyOneVector(
            int i, int height, float[] start, int s, int startStep, float[] c, int to, int cStride) {
        if (height == Tile12x1.ROWS && transposedA) {
            Tile12x1.columns(start, s, startStep, c, to, cStride, a, aAt(i), aStride, b, bAt, bStep, depth);
        } else if (height == Tile12x1.ROWS) {
            Tile12x1.rows(start, s, startStep, c, to, cStride, a, aAt(i), aStride, b, bAt, bStep, depth);
        } else if (transposedA) {
            int step = packA(i, height);
            Tile6x2.rows(start, s, startStep, c, to, cStride, 0, packedA, 0, step, b, bAt, bStep, height, depth);
        } else {
            Tile6x2.rows(start, s, startStep, c, to, cStride, 0, a, aAt(i), aStride, b, bAt, bStep, height, depth);
        }
    }

    private void copyStart(int i, int height, int j, int width) {
        for (int row = 0; row < height; row++) {
            int from = startAt + (i + row) * startStep + j * startColumnStep;
            System.arraycopy(start, from, tileOfC, row * COLUMNS, width);
        }
    }

    private void copyResult(int i, int height, int j, int width) {
        for (int row = 0; row < height; row++) {
            System.arraycopy(tileOfC, row * COLUMNS, c, cAt + (i + row) * cStride + j, width);
        }
    }
}
