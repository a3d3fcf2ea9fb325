package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;
import static org.lemmata.kernel.matmul.Blocking.MIN_COLUMNS_TO_PACK_A;

import java.util.Arrays;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The loops around the tiles, for one thread, with packing space that grows as needed and is kept.
 *
 * <p>A block of B is packed into {@link Panels}, unless it is read directly, and multiplied by all rows of A.
 * {@link Blocking} defines its size. The rows of one tile stay in the first-level cache while they are multiplied by
 * all panels. With low tiles and few panels, the order of the loops is swapped: a panel stays in the cache while it is
 * multiplied by all rows. If a panel is wider than one vector but narrower than two, the vectors overlap, so that edges
 * need no masks.
 *
 * <p>A tile reads its part of C (as the start of the sums) and writes it, so tiles of C must not overlap.
 */
final class BlockedProduct {

    static final ThreadLocal<BlockedProduct> OF_THREAD =
            ThreadLocal.withInitial(() -> new BlockedProduct(Blocking.CHOSEN));

    private static final float[] NOTHING = {};

    /**
     * Up to this depth, many low tiles per call are faster than tall tiles. Each tall tile needs a call, which takes
     * about 25 ns on Zen 5.
     */
    private static final int MAX_LOW_DEPTH = 32;

    /** The number of floats in a cache line of 64 bytes. */
    private static final int FLOATS_A_LINE = 16;

    private final Blocking blocking;
    private final float[] packedA;

    /** The packed rows of A that {@link Tile6x2#packed} reads. */
    private float[] tilesOfA = NOTHING;

    private final float[] tileOfC = new float[Tile12x2.ROWS * COLUMNS];
    private final Panels panels = new Panels();

    // The current block: for each matrix, the offset of element (0, 0) and the row stride.
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
    /** Whether rows of C are filled with zeros before their tiles are computed. */
    private boolean fetchesC;

    private int rows;
    private int columns;
    private int depth;

    /** Keeps the results of reading ahead, so that the compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int readAhead;

    BlockedProduct(Blocking blocking) {
        this.blocking = blocking;
        packedA = new float[Tile12x2.ROWS * blocking.depth()];
    }

    /** Computes {@code m} rows of C from {@code row} on, in {@code n} columns from {@code column} on. */
    void multiply(Product product, int row, int m, int column, int n) {
        try {
            transposedA = product.form == MatMul.Form.TN;
            boolean direct = blocking.readsDirectly(product.form, m, n, product.k);
            c = product.c.array();
            cStride = product.c.stride();
            // With a step, sums start from C.
            fetchesC = product.startRowStep == 0 && blocking.fetchesC(m, n, product.k);
            a = product.a.array();
            aStride = product.a.stride();
            rows = m;
            int k = product.k;
            if (blocking.packsTiles(product.form, n, k)) {
                multiplyPacked(product, row, m, column, n);
                return;
            }
            // All blocks have nearly the same size.
            int maxDepth = even(k, blocking.depth(), 1);
            int maxColumns =
                    even(n, fetchesC ? blocking.columns() : blocking.at(maxDepth, blocking.columns(), 1), COLUMNS);
            for (int j = 0; j < n; j += maxColumns) {
                columns = Math.min(maxColumns, n - j);
                // If the last block is narrower than a vector, reading it directly would read past its end.
                directB = direct && columns >= LANES;
                for (int l = 0; l < k; l += maxDepth) {
                    depth = Math.min(maxDepth, k - l);
                    setBlock(product, row, column + j, l);
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

    /** Sets the current block: C from (row, column) on, and sums from inner index l on. */
    private void setBlock(Product product, int row, int column, int l) {
        cAt = product.c.start(row) + column;
        aAt = product.a.offset() + (transposedA ? l * aStride + row : row * aStride + l);
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
            b = product.b.array();
            bAt = product.b.start(l) + column;
            bStep = product.b.stride();
        } else {
            packB(product, column, l);
        }
    }

    private void packB(Product product, int column, int l) {
        Matrix given = product.b;
        if (product.form == MatMul.Form.NT) {
            panels.packTransposed(given.array(), given.start(column) + l, given.stride(), depth, columns);
        } else {
            panels.pack(given.array(), given.start(l) + column, given.stride(), depth, columns);
        }
        b = panels.data();
        bAt = 0;
        bStep = COLUMNS;
    }

    private int panelAt(int j) {
        return directB ? bAt + j : panels.at(j);
    }

    /** Computes the first panel if it is at most one vector wide. Returns the first column after it, or 0. */
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
        // Many low tiles per call need a packed B. Transposing A, or a narrower last panel, would cancel the gain.
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
     * Multiplies with low tiles and a copy of A. A block of B is read in parts that stay in the second-level cache
     * while they are multiplied by a few rows of A. For the next rows, the block comes from the third-level cache. If C
     * is wide and has few rows, all of A is copied once, and B is packed in parts small enough to stay in the
     * second-level cache.
     */
    private void multiplyPacked(Product product, int row, int m, int column, int n) {
        int k = product.k;
        int maxDepth = even(k, blocking.depth(), 2);
        int near = blocking.at(maxDepth, blocking.nearColumns(), COLUMNS);
        boolean keepsA = m < n && m <= blocking.columns();
        int maxColumns = even(n, keepsA ? near : blocking.at(maxDepth, blocking.columns(), 1), COLUMNS);
        int maxRows = keepsA ? m : blocking.at(maxDepth, blocking.rows(), Tile6x2.ROWS);
        int size = Math.min(m, maxRows) * maxDepth;
        if (tilesOfA.length < size) {
            tilesOfA = new float[size];
        }
        rows = m;
        for (int l = 0; l < k; l += maxDepth) {
            depth = Math.min(maxDepth, k - l);
            for (int j = 0; j < n; j += maxColumns) {
                columns = Math.min(maxColumns, n - j);
                setBlock(product, row, column + j, l);
                multiplyPackedBlock(maxRows, near, keepsA && j > 0);
            }
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

    /** The block size that divides {@code size} evenly into blocks of at most {@code most}, in whole {@code unit}s. */
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

    /** Multiplies six rows of A, packed at {@code at}, by {@code width} columns of B from column j on. */
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
     * Writes zeros to the rows of C that the next tiles will overwrite. Goes row by row, so that memory is accessed as
     * one stream; the tiles themselves write a few columns of many rows.
     */
    private void fetchC(int i, int height, int from) {
        for (int row = i; row < i + height; row++) {
            int rowAt = cAt + row * cStride;
            Arrays.fill(c, rowAt + from, rowAt + columns, 0);
        }
    }

    /** Multiplies the rows of one tile by all panels from column {@code from} on. */
    private void multiplyRows(int i, int height, int from) {
        boolean tall = height == Tile12x2.ROWS;
        boolean wide = columns >= MIN_COLUMNS_TO_PACK_A;
        // If rows of A are contiguous, they need no copy. Tall tiles then prefetch the next rows instead.
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

    /** If there are few panels, computes all whole tiles panel by panel. Returns the row below the tiles. */
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

    /** Computes {@code count} whole low tiles from (i, j) on, downwards or to the right. */
    private void multiplyLow(int i, int j, float[] rowsOfA, int at, int step, boolean down, int count) {
        int s = startAt + i * startStep + j * startColumnStep;
        int to = cAt + i * cStride + j;
        int panel = panelAt(j);
        Tile6x2.tiles(
                start, s, startStep, startColumnStep, c, to, cStride, rowsOfA, at, step, b, panel, down, depth, count);
    }

    /**
     * Prefetches the rows of A that the next tiles read, from row i on. Each panel prefetches a part that is
     * proportional to its share of the columns, so that memory access overlaps with computing.
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
     * Copies rows i ... i + height - 1 of op(A) without gaps. If A is transposed, a tall tile reads columns, so the
     * copy keeps their order. A low tile reads rows, so the copy is transposed.
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
        Packing.columns(packedA, a, aAt(i), aStride, depth);
        return height;
    }

    /** Computes the first panel, one vector wide. */
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

    /** Computes a C narrower than a vector, with B padded with columns of zeros. */
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
