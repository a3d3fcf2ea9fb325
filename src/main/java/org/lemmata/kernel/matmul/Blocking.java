package org.lemmata.kernel.matmul;

import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * How {@link VectorMatMul} cuts a product, chosen by the vector species and the caches.
 *
 * @param tall whether 24 sums and 3 operands fit the vector registers, which {@link Tile12x2} asks for: AVX-512 and
 *     NEON have 32, AVX2 has 16
 * @param depth the most steps of the inner index between two accesses to C. Of tall tiles, the rows of A that one
 *     reads, {@code 12 * depth * 4} bytes, take at most 3/5 of a first-level cache of 32 KiB, and the 24 loads and 24
 *     stores of C are at most 1/100 of the {@code 24 * depth} multiply-adds; of low ones, {@code 6 * depth * 4} bytes
 *     take at most 3/4 of that cache, and it is even: C then seldom comes from beyond the second-level cache
 * @param columns the most columns of B packed together at that depth. With tall tiles, {@code depth * columns * 4}
 *     bytes are at most 3/5 of the second-level cache, 1 MiB where there is AVX-512, else 512 KiB; with low ones, 1/8
 *     of the third-level cache and 4 MiB
 * @param nearColumns of low tiles, the columns of such a block that a few rows of A pass by before the next few do: at
 *     full depth, half of the second-level cache
 * @param rows of low tiles, these rows: a fifth of the second-level cache
 * @param minSizeToFetchC the least elements of C for {@link #fetchesC}
 */
record Blocking(boolean tall, int depth, int columns, int nearColumns, int rows, int minSizeToFetchC) {

    static final int LANES = Species.FLOAT.length();

    /** The width of a panel of B. */
    static final int COLUMNS = 2 * LANES;

    static final Blocking CHOSEN = of(Species.FLOAT, Species.REGISTERS, Caches.OF_MACHINE);

    /**
     * From so many columns on, four panels, the rows of A that a tile reads are copied: that is less than 1/20 of the
     * work that reads the copy, and spares it the cache sets that rows a power of two apart share.
     */
    static final int MIN_COLUMNS_TO_PACK_A = 4 * COLUMNS;

    /** The most columns of a block of B of low tiles: more make nothing faster. */
    private static final int MAX_COLUMNS = 1024;

    /** Up to so many rows of C, eleven tiles, copying B is more than 1/30 of the work that reads the copy. */
    private static final int MAX_DIRECT_ROWS = 128;

    /** The most elements of a B that all rows of A pass by where it lies: 3/4 of a first-level cache of 32 KiB. */
    private static final int MAX_DIRECT_SIZE = 6144;

    /** Up to so many columns of B, its rows lie close together, and a panel of it comes from memory as one stream. */
    private static final int MAX_NEAR_COLUMNS = 4 * COLUMNS;

    /** The most elements of a B that stays in a second-level cache of 1 MiB while the rows of A pass by it. */
    private static final int MAX_NEAR_SIZE = 1 << 18;

    /**
     * The first-level cache of Zen 4, on which {@link #fetchesC} pays; that of Zen 5, on which it does not, has 48 KiB.
     * Other processors with AVX-512 are not measured.
     */
    private static final int MAX_FIRST_TO_FETCH_C = 32 << 10;

    /** Up to so many multiply-adds an element, C is written faster than memory takes it. */
    private static final int MAX_DEPTH_TO_FETCH_C = 64;

    /** From so many elements on, 8 MiB, C is taken to lie beyond the caches. */
    private static final int BEYOND_CACHES = 1 << 21;

    private static final int NEVER = Integer.MAX_VALUE;

    static Blocking of(VectorSpecies<Float> species, int registers, Caches caches) {
        if (species.vectorBitSize() >= 512) {
            boolean fetches = caches.first() <= MAX_FIRST_TO_FETCH_C && !caches.equals(Caches.SMALLEST);
            return new Blocking(true, 384, 384, 384, Tile12x2.ROWS, fetches ? BEYOND_CACHES : NEVER);
        }
        if (registers == 32) {
            return new Blocking(true, 256, 256, 256, Tile12x2.ROWS, NEVER);
        }
        int depth = Math.min(1024, caches.first() * 3 / 4 / (Tile6x2.ROWS * Float.BYTES)) & -2;
        int step = depth * Float.BYTES;
        int near = Math.clamp(caches.second() / 2L / step / COLUMNS * COLUMNS, COLUMNS, MAX_COLUMNS);
        int rows = Math.max(Tile6x2.ROWS, caches.second() / 5 / step / Tile6x2.ROWS * Tile6x2.ROWS);
        return new Blocking(false, depth, Math.clamp(caches.third() / 8 / step, near, MAX_COLUMNS), near, rows, NEVER);
    }

    /** Whether reading B where it lies, a panel's width of every row, is as fast as reading a copy. */
    private static boolean isNear(int n, int k) {
        return n <= MAX_NEAR_COLUMNS || (long) n * k <= MAX_NEAR_SIZE;
    }

    /** The most columns of B packed together in a block of {@code depth} rows: as many elements as at full depth. */
    int columnsAt(int depth) {
        return this.depth * columns / depth;
    }

    /**
     * Whether low tiles read copies of A. Copying takes a cycle an element, or a third where Aᵀ is given; multiplying
     * takes one for sixteen columns.
     */
    boolean packsTiles(MatMul.Form form, int n, int k) {
        return !tall && n >= (form == MatMul.Form.TN ? 4 : 8) * COLUMNS && k > 32;
    }

    /**
     * Whether rows of a C that is not read are written before the tiles write them, so that they come from memory as
     * one stream: 65536 x 256 x 16 is 1.35 times as fast for it on Zen 4, a quarter slower on Zen 5, and a tenth slower
     * with AVX2 on Zen 3.
     */
    boolean fetchesC(int m, int n, int k) {
        return k <= MAX_DEPTH_TO_FETCH_C && (long) m * n >= minSizeToFetchC;
    }

    /** How many rows or columns have as many elements at {@code depth} as {@code size} at full depth. */
    int at(int depth, int size, int unit) {
        return this.depth * size / depth / unit * unit;
    }

    /** Whether tiles read B where it lies: low tiles of rows of A ask for panels. */
    boolean readsDirectly(MatMul.Form form, int m, int n, int k) {
        return switch (form) {
            case NN -> tall && (m <= Tile12x2.ROWS || (m <= MAX_DIRECT_ROWS && (long) n * k <= MAX_DIRECT_SIZE));
            case NT -> false;
            case TN -> tall && (m < Tile12x2.ROWS || (m <= MAX_DIRECT_ROWS && isNear(n, k)));
        };
    }
}
