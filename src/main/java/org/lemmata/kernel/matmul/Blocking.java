package org.lemmata.kernel.matmul;

import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The block sizes of {@link VectorMatMul}, chosen by the vector species, the number of registers and the caches.
 *
 * @param tall whether 24 sums and 3 operands fit in the vector registers, as {@link Tile12x2} requires: AVX-512 and
 *     NEON have 32 registers, AVX2 has 16
 * @param depth maximum number of steps of the inner index between two accesses to C. The rows of A that a tall tile
 *     reads, {@code 12 * depth * 4} bytes, fill at most 3/5 of a first-level cache of 32 KiB. The 24 loads and 24
 *     stores of C are at most 1/100 of the {@code 24 * depth} multiply-adds. For low tiles, {@code 6 * depth * 4} bytes
 *     fill at most 3/4 of the first-level cache, and the depth is even; C then rarely comes from beyond the second
 *     level
 * @param columns maximum number of columns of B packed together at full {@code depth}. With tall tiles, {@code depth *
 *     columns * 4} bytes are at most 3/5 of the second-level cache, which is 1 MiB with AVX-512 and otherwise 512 KiB;
 *     with low tiles, at most 1/8 of the third-level cache and 4 MiB, but at least {@code nearColumns} columns
 * @param nearColumns for low tiles, the number of columns that a group of rows of A is multiplied by before the next
 *     columns; at full depth, they fill at most half of the second-level cache
 * @param rows for low tiles, the number of rows of a group; a group fills at most a fifth of the second-level cache
 * @param minSizeToFetchC minimum number of elements of C for {@link #fetchesC}
 */
record Blocking(boolean tall, int depth, int columns, int nearColumns, int rows, int minSizeToFetchC) {

    static final int LANES = Species.FLOAT.length();

    /** The width of a panel of B. */
    static final int COLUMNS = 2 * LANES;

    static final Blocking CHOSEN = of(Species.FLOAT, Species.REGISTERS, Caches.OF_MACHINE);

    /**
     * From this number of columns on (four panels), the rows of A that a tile reads are copied. Copying is less than
     * 1/20 of the work. It avoids cache conflicts between rows whose distance is a power of two.
     */
    static final int MIN_COLUMNS_TO_PACK_A = 4 * COLUMNS;

    /** Maximum number of columns of a block of B for low tiles at full depth. More columns are not faster. */
    private static final int MAX_COLUMNS = 1024;

    /** Up to this many rows of C (eleven tiles), copying B would be more than 1/30 of the work. */
    private static final int MAX_DIRECT_ROWS = 128;

    /** Maximum number of elements of a B that is read without a copy: 3/4 of a first-level cache of 32 KiB. */
    private static final int MAX_DIRECT_SIZE = 6144;

    /** Up to this number of columns, the rows of B are close together, so that reading a panel is one stream. */
    private static final int MAX_NEAR_COLUMNS = 4 * COLUMNS;

    /** Maximum number of elements of a B that stays in a second-level cache of 1 MiB while all rows of A use it. */
    private static final int MAX_NEAR_SIZE = 1 << 18;

    /**
     * The size of the first-level cache of Zen 4, where {@link #fetchesC} is faster. Zen 5, where it is slower, has 48
     * KiB. Other processors with AVX-512 were not measured.
     */
    private static final int MAX_FIRST_TO_FETCH_C = 32 << 10;

    /** Up to this number of multiply-adds per element, C is computed faster than memory can store it. */
    private static final int MAX_DEPTH_TO_FETCH_C = 64;

    /** From this many elements on (8 MiB), C is assumed not to be in a cache. */
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

    /** Whether reading B directly (the width of a panel from every row) is as fast as reading a copy. */
    private static boolean isNear(int n, int k) {
        return n <= MAX_NEAR_COLUMNS || (long) n * k <= MAX_NEAR_SIZE;
    }

    /**
     * Whether low tiles read copies of A. Copying takes one cycle per element, or a third of a cycle for Aᵀ.
     * Multiplying takes one cycle per element of A for every sixteen columns of B.
     */
    boolean packsTiles(MatMul.Form form, int n, int k) {
        return !tall && n >= (form == MatMul.Form.TN ? 4 : 8) * COLUMNS && k > 32;
    }

    /**
     * Whether rows of C whose old values are not read are filled with zeros before the tiles write them. Memory is then
     * accessed as one stream. A product of 65536 x 256 x 16 becomes 1.35 times as fast on Zen 4, but a quarter slower
     * on Zen 5, and a tenth slower with AVX2 on Zen 3.
     */
    boolean fetchesC(int m, int n, int k) {
        return k <= MAX_DEPTH_TO_FETCH_C && (long) m * n >= minSizeToFetchC;
    }

    /** The multiple of {@code unit} with about as many elements at {@code depth} as {@code size} has at full depth. */
    int at(int depth, int size, int unit) {
        return this.depth * size / depth / unit * unit;
    }

    /** Whether tiles read B without a copy; low tiles need panels. */
    boolean readsDirectly(MatMul.Form form, int m, int n, int k) {
        return switch (form) {
            case NN -> tall && (m <= Tile12x2.ROWS || (m <= MAX_DIRECT_ROWS && (long) n * k <= MAX_DIRECT_SIZE));
            case NT -> false;
            case TN -> tall && (m < Tile12x2.ROWS || (m <= MAX_DIRECT_ROWS && isNear(n, k)));
        };
    }
}
