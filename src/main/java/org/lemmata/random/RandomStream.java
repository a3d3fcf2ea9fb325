package org.lemmata.random;

/**
 * 2^32 blocks of {@link Philox}, independent of the blocks of any other stream. Block b has the key {@code seed} and
 * the counter (b, stream, step), low words first.
 *
 * @param seed the seed of a run
 * @param stream the use of the random numbers, for example a layer
 * @param step the training step, or the index of a generator
 */
public record RandomStream(long seed, int stream, long step) {

    /** The number of words of a tile: eight blocks, and a multiple of the lanes of vectors of up to 512 bits. */
    public static final int TILE = 32;

    private static final int TILE_BLOCKS = TILE / Philox.WORDS;

    /** Writes the four words of a block from {@code words[at]} on. */
    public void blockInto(int[] words, int at, int block) {
        Philox.blockInto(words, at, block, stream, (int) step, (int) (step >>> 32), (int) seed, (int) (seed >>> 32));
    }

    /**
     * Writes the {@value #TILE} words of a tile from {@code words[at]} on: words 0 and 1 of blocks 8 tile, 8 tile + 1,
     * ..., 8 tile + 7, then words 2 and 3 of the same blocks.
     */
    public void tileInto(int[] words, int at, int tile) {
        int[] block = new int[Philox.WORDS];
        for (int b = 0; b < TILE_BLOCKS; b++) {
            blockInto(block, 0, tile * TILE_BLOCKS + b);
            words[at + 2 * b] = block[0];
            words[at + 2 * b + 1] = block[1];
            words[at + TILE / 2 + 2 * b] = block[2];
            words[at + TILE / 2 + 2 * b + 1] = block[3];
        }
    }

    /**
     * The word of an element, if each element uses one word: word {@code element % 32} of tile {@code element / 32}.
     */
    public int word(long element) {
        int[] words = new int[TILE];
        tileInto(words, 0, (int) (element / TILE));
        return words[(int) (element % TILE)];
    }

    /** One of up to 16 parts of this stream. Its stream number is {@code 16 stream + part}. */
    public RandomStream part(int part) {
        return new RandomStream(seed, 16 * stream + part, step);
    }
}
