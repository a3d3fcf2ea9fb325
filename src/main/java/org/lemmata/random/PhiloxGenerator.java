package org.lemmata.random;

import java.util.random.RandomGenerator;

/**
 * The random numbers of a {@link RandomStream} in order: number i is the lower half of block i / 2 if i is even,
 * otherwise the upper half. The numbers depend only on (seed, stream, index) and the position. If each use has its own
 * index, a checkpoint therefore need not save a generator.
 */
public final class PhiloxGenerator implements RandomGenerator {

    /** The number of random numbers of one generator. */
    public static final long LENGTH = 1L << 33;

    private static final long LOW = 0xFFFFFFFFL;

    private final RandomStream stream;
    private final int[] words = new int[Philox.WORDS];
    private long position;

    /**
     * @param seed the seed of a run
     * @param stream the use of the random numbers
     * @param index generators with different indices are independent
     */
    public PhiloxGenerator(long seed, int stream, long index) {
        this(new RandomStream(seed, stream, index), 0);
    }

    /** For tests: begins with block {@code block}. */
    PhiloxGenerator(RandomStream stream, long block) {
        this.stream = stream;
        position = 2 * block;
    }

    /**
     * The next 64 bits.
     *
     * @throws IllegalStateException after {@link #LENGTH} numbers, because the numbers would repeat
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
