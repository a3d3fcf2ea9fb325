package org.lemmata.random;

/**
 * 2^32 blocks of {@link Philox}, independent of those of any other stream: block b is that of the key {@code seed} and
 * the counter (b, stream, step), low words first.
 *
 * @param seed of a run
 * @param stream which use of random numbers: a layer, say
 * @param step which training step
 */
public record RandomStream(long seed, int stream, long step) {

    /** Writes the four words of a block from {@code words[at]} on. */
    public void blockInto(int[] words, int at, int block) {
        Philox.blockInto(words, at, block, stream, (int) step, (int) (step >>> 32), (int) seed, (int) (seed >>> 32));
    }
}
