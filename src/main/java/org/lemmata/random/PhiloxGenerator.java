package org.lemmata.random;

import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * The random numbers of a {@link RandomStream}, one after the other: number i is the lower half of block i / 2 where i
 * is even, else the upper half.
 *
 * <p>Which numbers come follows from (seed, stream, index) and the position alone, so that there is no state to save
 * but the position, and none at all where each index draws one thing.
 */
public final class PhiloxGenerator implements RandomGenerator {

    /** The numbers of a generator: two a block. */
    public static final long LENGTH = 1L << 33;

    private static final long LOW = 0xFFFFFFFFL;

    private final RandomStream stream;
    private final int[] words = new int[Philox.WORDS];
    private long position;

    /**
     * @param seed of a run
     * @param stream which use of random numbers
     * @param index which of the generators of that use, all of them independent
     */
    public PhiloxGenerator(long seed, int stream, long index) {
        this.stream = new RandomStream(seed, stream, index);
    }

    /** How many numbers have been taken. */
    public long position() {
        return position;
    }

    /**
     * Goes to where {@code position} numbers have been taken.
     *
     * @throws IllegalArgumentException if it is negative or above {@link #LENGTH}
     */
    public void seek(long position) {
        Refuse.outside("position", position, 0, LENGTH);
        this.position = position;
        if (position % 2 != 0) {
            stream.blockInto(words, 0, (int) (position / 2));
        }
    }

    /**
     * The next 64 bits.
     *
     * @throws IllegalStateException after {@link #LENGTH} numbers: they would come again
     */
    @Override
    public long nextLong() {
        if (position == LENGTH) {
            throw new IllegalStateException("a generator of " + LENGTH + " numbers is used up: " + stream);
        }
        int half = (int) (position % 2) * 2;
        if (half == 0) {
            stream.blockInto(words, 0, (int) (position / 2));
        }
        position++;
        return (words[half] & LOW) | (long) words[half + 1] << 32;
    }
}
