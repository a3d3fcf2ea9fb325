package org.lemmata.kernel.elementary;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.random.Philox;
import org.lemmata.random.RandomStream;

/**
 * {@link Philox} on lanes of 64 bits, one block per lane, because a product of two 32-bit words has 64 bits.
 *
 * <p>A word is the lower half of its lane. The upper half is cleared only before multiplications and before words are
 * written: exclusive ors and sums do not carry it into the lower half.
 */
public final class VectorPhilox {

    private static final VectorSpecies<Long> SPECIES = VectorSpecies.of(long.class, Species.FLOAT.vectorShape());

    private static final int LANES = SPECIES.length();

    private static final int BLOCKS = RandomStream.TILE / Philox.WORDS;

    private static final long LOW = 0xFFFFFFFFL;

    private VectorPhilox() {}

    /**
     * Writes the words of {@code tiles} tiles, beginning with {@code firstTile}, to {@code words} from index 0 on. The
     * order within a tile is that of {@link RandomStream#tileInto}.
     */
    public static void tilesInto(int[] words, int firstTile, int tiles, RandomStream stream) {
        for (int tile = 0; tile < tiles; tile++) {
            for (int block = 0; block < BLOCKS; block += LANES) {
                blocksInto(words, tile * RandomStream.TILE + 2 * block, (firstTile + tile) * BLOCKS + block, stream);
            }
        }
    }

    /** Writes the words of one block per lane: words 0 and 1 at {@code at}, words 2 and 3 half a tile later. */
    private static void blocksInto(int[] words, int at, int firstBlock, RandomStream stream) {
        LongVector multiplier0 = LongVector.broadcast(SPECIES, Philox.MULTIPLIER_0 & LOW);
        LongVector multiplier1 = LongVector.broadcast(SPECIES, Philox.MULTIPLIER_1 & LOW);
        LongVector weyl0 = LongVector.broadcast(SPECIES, Philox.WEYL_0);
        LongVector weyl1 = LongVector.broadcast(SPECIES, Philox.WEYL_1);
        LongVector key0 = LongVector.broadcast(SPECIES, stream.seed());
        LongVector key1 = LongVector.broadcast(SPECIES, stream.seed() >>> 32);
        LongVector x0 = LongVector.broadcast(SPECIES, firstBlock).addIndex(1);
        LongVector x1 = LongVector.broadcast(SPECIES, stream.stream());
        LongVector x2 = LongVector.broadcast(SPECIES, stream.step());
        LongVector x3 = LongVector.broadcast(SPECIES, stream.step() >>> 32);
        for (int round = 0; round < Philox.ROUNDS; round++) {
            LongVector product0 = x0.and(LOW).mul(multiplier0);
            LongVector product1 = x2.and(LOW).mul(multiplier1);
            x0 = product1.lanewise(VectorOperators.LSHR, 32)
                    .lanewise(VectorOperators.XOR, x1)
                    .lanewise(VectorOperators.XOR, key0);
            x1 = product1;
            x2 = product0.lanewise(VectorOperators.LSHR, 32)
                    .lanewise(VectorOperators.XOR, x3)
                    .lanewise(VectorOperators.XOR, key1);
            x3 = product0;
            // Keys are vectors, because scalars would have to be broadcast in each round.
            key0 = key0.add(weyl0);
            key1 = key1.add(weyl1);
        }
        x0.and(LOW)
                .or(x1.lanewise(VectorOperators.LSHL, 32))
                .reinterpretAsInts()
                .intoArray(words, at);
        x2.and(LOW)
                .or(x3.lanewise(VectorOperators.LSHL, 32))
                .reinterpretAsInts()
                .intoArray(words, at + RandomStream.TILE / 2);
    }
}
