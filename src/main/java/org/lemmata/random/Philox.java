package org.lemmata.random;

/**
 * The generator Philox4x32-10: 128 random bits as a function of a 128-bit counter and a 64-bit key.
 *
 * <p>Ten rounds of two 32 x 32 -> 64 bit products; between rounds Weyl constants are added to the key. There is no
 * state, so any thread can compute any block at any time, for example again in a backward pass.
 *
 * <p>Source: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, section 3.2 and table
 * 2.
 */
public final class Philox {

    /**
     * The number of rounds of the published generator; its authors found no statistical failure with 7 rounds or more.
     */
    public static final int ROUNDS = 10;

    /** The number of 32-bit words of a block. */
    public static final int WORDS = 4;

    /** The multiplier of word 0. */
    public static final int MULTIPLIER_0 = 0xD2511F53;

    /** The multiplier of word 2. */
    public static final int MULTIPLIER_1 = 0xCD9E8D57;

    /** 2^32 / (golden ratio), which is added to key word 0 between rounds. */
    public static final int WEYL_0 = 0x9E3779B9;

    /** 2^32 (sqrt(3) - 1), which is added to key word 1 between rounds. */
    public static final int WEYL_1 = 0xBB67AE85;

    private static final long LOW = 0xFFFFFFFFL;

    private Philox() {}

    public static void blockInto(
            int[] words, int at, int counter0, int counter1, int counter2, int counter3, int key0, int key1) {
        int x0 = counter0;
        int x1 = counter1;
        int x2 = counter2;
        int x3 = counter3;
        int k0 = key0;
        int k1 = key1;
        for (int round = 0; round < ROUNDS; round++) {
            long product0 = (MULTIPLIER_0 & LOW) * (x0 & LOW);
            long product1 = (MULTIPLIER_1 & LOW) * (x2 & LOW);
            x0 = (int) (product1 >>> 32) ^ x1 ^ k0;
            x1 = (int) product1;
            x2 = (int) (product0 >>> 32) ^ x3 ^ k1;
            x3 = (int) product0;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        words[at] = x0;
        words[at + 1] = x1;
        words[at + 2] = x2;
        words[at + 3] = x3;
    }
}
