package org.lemmata.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class PhiloxGeneratorTest {

    /** A correct generator fails at this level for one in 10^4 seeds; the seeds here are fixed. */
    private static final double LEVEL = 1e-4;

    @Test
    void takesItsBlocksInOrder() {
        var random = new PhiloxGenerator(12, -3, 1L << 40);
        int[] words = new int[4];
        for (int block = 0; block < 10; block++) {
            new RandomStream(12, -3, 1L << 40).blockInto(words, 0, block);
            assertThat(random.nextLong())
                    .isEqualTo(Integer.toUnsignedLong(words[0]) + (Integer.toUnsignedLong(words[1]) << 32));
            assertThat(random.nextLong())
                    .isEqualTo(Integer.toUnsignedLong(words[2]) + (Integer.toUnsignedLong(words[3]) << 32));
        }
    }

    @Test
    void doesNotStartAgainWhenItIsUsedUp() {
        var random = new PhiloxGenerator(new RandomStream(1, 2, 3), PhiloxGenerator.LENGTH / 2 - 1);
        random.nextLong();
        random.nextLong();
        assertThatThrownBy(random::nextLong)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("used up");
    }

    /** Generators with seeds, streams and indices near 0 and near carries between words of counter and key. */
    @Test
    void noTwoGeneratorsShareANumber() {
        long[] near = {-1, 0, 1, 2, 0xFFFFFFFFL, 0x100000000L, 0x100000001L, Long.MIN_VALUE};
        int[] streams = {-2, -1, 0, 1, 0x10000, Integer.MIN_VALUE};
        Set<Long> seen = new HashSet<>();
        for (long seed : near) {
            for (int stream : streams) {
                for (long index : near) {
                    var random = new PhiloxGenerator(seed, stream, index);
                    for (int i = 0; i < 32; i++) {
                        assertThat(seen.add(random.nextLong()))
                                .as("seed %d, stream %d, index %d, number %d", seed, stream, index, i)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** Neighbouring generators agree in half of their bits, like independent ones. */
    @Test
    void neighboursAreUncorrelated() {
        int numbers = 1 << 14;
        PhiloxGenerator[] neighbours = {
            new PhiloxGenerator(9, 4, 100), new PhiloxGenerator(10, 4, 100), new PhiloxGenerator(9, 5, 100),
            new PhiloxGenerator(9, 4, 101), new PhiloxGenerator(8, 4, 100), new PhiloxGenerator(9, 3, 100),
            new PhiloxGenerator(9, 4, 99)
        };
        long[][] drawn = new long[neighbours.length][];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = neighbours[i].longs(numbers).toArray();
        }
        double sigma = Math.sqrt(numbers * 64) / 2;
        for (int a = 0; a < drawn.length; a++) {
            for (int b = 0; b < a; b++) {
                long differing = 0;
                for (int i = 0; i < numbers; i++) {
                    differing += Long.bitCount(drawn[a][i] ^ drawn[b][i]);
                }
                assertThat(differing - numbers * 32.0).as("%d and %d", a, b).isBetween(-4 * sigma, 4 * sigma);
            }
        }
    }

    /** A stream of examples draws only a few numbers from each of many generators. */
    @Test
    void theFirstNumbersOfManyGeneratorsAreUniform() {
        long[] pairs = new long[256];
        for (int index = 0; index < 100_000; index++) {
            var random = new PhiloxGenerator(3, -1, index);
            pairs[16 * random.nextInt(16) + random.nextInt(16)]++;
        }
        assertThat(ChiSquareTest.withDefaults().test(pairs).getPValue()).isBetween(LEVEL, 1 - LEVEL);
    }
}
