package org.lemmata.kernel.matmul;

import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * How {@link VectorMatMul} cuts a product, chosen by the vector species.
 *
 * @param tall whether 24 sums and 3 operands fit the vector registers, which {@link Tile12x2} asks for: AVX-512 has 32,
 *     AVX2 16; NEON, with 32 of 128 bits, gets the low tiles that every machine of 128 bits can hold
 * @param depth the most steps of the inner index between two accesses to C: the rows of A that a tile reads, {@code 12
 *     * depth * 4} bytes, take at most 3/5 of a first-level cache of 32 KiB, and the 24 loads and 24 stores of C are at
 *     most 1/100 of the {@code 24 * depth} multiply-adds
 * @param columns the most columns of B packed together: {@code depth * columns * 4} bytes are at most 3/5 of the
 *     second-level cache, 1 MiB where there is AVX-512, else 512 KiB
 * @param minColumnsToPackA from so many columns on, copying the rows of A that a tile reads is less than 1/20 of the
 *     work that reads the copy, and spares it the cache sets that rows a power of two apart share
 * @param maxDirectRows up to so many rows of Aᵀ B, B is read where it lies, since too few tiles would read the copy
 */
record Blocking(boolean tall, int depth, int columns, int minColumnsToPackA, int maxDirectRows) {

    static final int LANES = Species.FLOAT.length();

    /** The width of a panel of B. */
    static final int COLUMNS = 2 * LANES;

    static final Blocking CHOSEN = of(Species.FLOAT);

    static Blocking of(VectorSpecies<Float> species) {
        return species.vectorBitSize() >= 512
                ? new Blocking(true, 384, 384, 4 * COLUMNS, 128)
                : new Blocking(false, 256, 256, 4 * COLUMNS, 128);
    }
}
