package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.MicroKernel.COLUMNS;
import static org.lemmata.kernel.matmul.MicroKernel.LANES;
import static org.lemmata.kernel.matmul.MicroKernel.ROWS;

/**
 * On SIMD lanes: c_ij is the chain of fused multiply-adds fma(a_il, b_lj, c_ij) over the inner index in ascending
 * order, from 0 or from the old c_ij.
 *
 * <p>Blocks and lanes never cut that chain, so the bits are the same for every lane width, block size and thread, and
 * on the path without lanes for products too small for them.
 *
 * <p>B is packed into panels, one of which stays in the first-level cache while rows of A pass by it. A is read where
 * it lies, unless so many panels use it that packing pays. A call allocates nothing once its thread's packing space has
 * grown to the sizes it uses.
 *
 * <p>Source of the loop order: Goto and van de Geijn (2008), Anatomy of High-Performance Matrix Multiplication.
 */
public final class VectorMatMul implements MatMul {

    private static final ThreadLocal<Packing> PACKING = ThreadLocal.withInitial(Packing::new);

    /** From this many columns on, reading a packed A saves more than packing it costs. */
    private static final int MIN_COLUMNS_TO_PACK_A = 4 * COLUMNS;

    @Override
    public void multiply(
            Form form,
            boolean accumulate,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        if (m == 0 || n == 0) {
            return;
        }
        if ((long) n * k < LANES) {
            multiplySmall(form, accumulate, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
            return;
        }
        Packing packing = PACKING.get();
        boolean packA = n >= MIN_COLUMNS_TO_PACK_A;
        int maxRows = packA ? Packing.MAX_ROWS : m;
        // Blocks of even depth.
        int blocks = Math.ceilDiv(k, Packing.MAX_DEPTH);
        int maxDepth = Math.ceilDiv(k, blocks);
        for (int j = 0; j < n; j += Packing.MAX_COLUMNS) {
            int columns = Math.min(Packing.MAX_COLUMNS, n - j);
            for (int block = 0; block < blocks; block++) {
                int l = block * maxDepth;
                int depth = Math.min(maxDepth, k - l);
                boolean add = accumulate || block > 0;
                packing.packB(
                        form,
                        b,
                        bOffset + (form == Form.NT ? j * bStride + l : l * bStride + j),
                        bStride,
                        columns,
                        depth);
                for (int i = 0; i < m; i += maxRows) {
                    int rows = Math.min(maxRows, m - i);
                    int cAt = cOffset + i * cStride + j;
                    int aAt = aOffset + (form == Form.TN ? l * aStride + i : i * aStride + l);
                    if (packA) {
                        packing.packA(form, a, aAt, aStride, rows, depth);
                        multiplyBlock(
                                Form.NN, add, c, cAt, cStride, packing.a(), 0, depth, packing, rows, columns, depth);
                    } else {
                        multiplyBlock(form, add, c, cAt, cStride, a, aAt, aStride, packing, rows, columns, depth);
                    }
                }
            }
        }
    }

    /**
     * For a B that does not fill a vector, such as the weights of a model of width 1: packing it would be all the work.
     */
    private static void multiplySmall(
            Form form,
            boolean accumulate,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        int aRowStep = form == Form.TN ? 1 : aStride;
        int aInnerStep = form == Form.TN ? aStride : 1;
        int bInnerStep = form == Form.NT ? 1 : bStride;
        int bColumnStep = form == Form.NT ? bStride : 1;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int at = cOffset + i * cStride + j;
                float sum = accumulate ? c[at] : 0;
                for (int l = 0; l < k; l++) {
                    int aAt = aOffset + i * aRowStep + l * aInnerStep;
                    sum = Math.fma(a[aAt], b[bOffset + l * bInnerStep + j * bColumnStep], sum);
                }
                c[at] = sum;
            }
        }
    }

    /** A block of C from rows of op(A) and all packed panels, A being transposed if {@code form} is TN. */
    private static void multiplyBlock(
            Form form,
            boolean accumulate,
            float[] c,
            int cAt,
            int cStride,
            float[] a,
            int aAt,
            int aStride,
            Packing packing,
            int m,
            int n,
            int depth) {
        if (n < LANES) {
            multiplyNarrow(form, accumulate, c, cAt, cStride, a, aAt, aStride, packing, m, n, depth);
            return;
        }
        int panelAt = 0;
        for (int j = 0, width; j < n; j += width, panelAt += depth * COLUMNS) {
            width = Packing.panelWidth(n - j);
            for (int i = 0; i < m; i += ROWS) {
                multiplyTile(
                        form,
                        accumulate,
                        c,
                        cAt + i * cStride + j,
                        cStride,
                        width - LANES,
                        a,
                        aAt + i * (form == Form.TN ? 1 : aStride),
                        aStride,
                        packing,
                        panelAt,
                        Math.min(ROWS, m - i),
                        depth);
            }
        }
    }

    /** For a C narrower than a vector: each tile is computed aside. */
    private static void multiplyNarrow(
            Form form,
            boolean accumulate,
            float[] c,
            int cAt,
            int cStride,
            float[] a,
            int aAt,
            int aStride,
            Packing packing,
            int m,
            int n,
            int depth) {
        float[] tile = packing.tile();
        for (int i = 0; i < m; i += ROWS) {
            int rows = Math.min(ROWS, m - i);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(c, cAt + (i + row) * cStride, tile, row * LANES, n);
            }
            int aTile = aAt + i * (form == Form.TN ? 1 : aStride);
            multiplyTile(form, accumulate, tile, 0, LANES, 0, a, aTile, aStride, packing, 0, rows, depth);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(tile, row * LANES, c, cAt + (i + row) * cStride, n);
            }
        }
    }

    private static void multiplyTile(
            Form form,
            boolean accumulate,
            float[] c,
            int cAt,
            int cStride,
            int second,
            float[] a,
            int aAt,
            int aStride,
            Packing packing,
            int panelAt,
            int rows,
            int depth) {
        float[] panels = packing.b();
        if (form != Form.TN) {
            MicroKernel.rows(accumulate, c, cAt, cStride, second, a, aAt, aStride, panels, panelAt, rows, depth);
        } else if (rows == ROWS) {
            MicroKernel.columns(accumulate, c, cAt, cStride, second, a, aAt, aStride, panels, panelAt, depth);
        } else {
            // The last rows, fewer than a tile has: the kernel that can repeat a row needs them untransposed.
            packing.packA(form, a, aAt, aStride, rows, depth);
            MicroKernel.rows(accumulate, c, cAt, cStride, second, packing.a(), 0, depth, panels, panelAt, rows, depth);
        }
    }
}
