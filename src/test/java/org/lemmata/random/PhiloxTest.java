package org.lemmata.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhiloxTest {

    private static final BigInteger TWO_32 = BigInteger.TWO.pow(32);

    private static int[] hex(String words) {
        String[] parts = words.split(" ", -1);
        int[] x = new int[parts.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = Integer.parseUnsignedInt(parts[i], 16);
        }
        return x;
    }

    /** The published outputs, from the file kat_vectors of the library Random123. */
    @ParameterizedTest
    @CsvSource({
        "00000000 00000000 00000000 00000000, 00000000 00000000, 6627e8d5 e169c58d bc57ac4c 9b00dbd8",
        "ffffffff ffffffff ffffffff ffffffff, ffffffff ffffffff, 408f276d 41c83b0e a20bc7c6 6d5451fd",
        "243f6a88 85a308d3 13198a2e 03707344, a4093822 299f31d0, d16cfe09 94fdcceb 5001e420 24126ea1"
    })
    void givesThePublishedAnswers(String counter, String key, String expected) {
        int[] c = hex(counter);
        int[] k = hex(key);
        int[] words = {-7, 0, 0, 0, 0, -7};
        Philox.blockInto(words, 1, c[0], c[1], c[2], c[3], k[0], k[1]);
        int[] x = hex(expected);
        assertThat(words).containsExactly(-7, x[0], x[1], x[2], x[3], -7);
        long seed = (k[0] & 0xFFFFFFFFL) | (long) k[1] << 32;
        long step = (c[2] & 0xFFFFFFFFL) | (long) c[3] << 32;
        new RandomStream(seed, c[1], step).blockInto(words, 1, c[0]);
        assertThat(words).as("as a stream").containsExactly(-7, x[0], x[1], x[2], x[3], -7);
    }

    /** The paper's rounds in integers of any size. */
    private static BigInteger[] exact(BigInteger[] counter, BigInteger[] key) {
        BigInteger[] x = counter.clone();
        BigInteger[] k = key.clone();
        for (int round = 0; round < 10; round++) {
            BigInteger[] p0 = x[0].multiply(BigInteger.valueOf(0xD2511F53L)).divideAndRemainder(TWO_32);
            BigInteger[] p1 = x[2].multiply(BigInteger.valueOf(0xCD9E8D57L)).divideAndRemainder(TWO_32);
            x = new BigInteger[] {
                p1[0].xor(x[1]).xor(k[0]), p1[1], p0[0].xor(x[3]).xor(k[1]), p0[1]
            };
            k[0] = k[0].add(BigInteger.valueOf(0x9E3779B9L)).mod(TWO_32);
            k[1] = k[1].add(BigInteger.valueOf(0xBB67AE85L)).mod(TWO_32);
        }
        return x;
    }

    @Test
    void freshCountersAndKeys() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int[] words = new int[4];
        for (int i = 0; i < 1000; i++) {
            int[] in = random.ints(6).toArray();
            BigInteger[] wide = new BigInteger[6];
            for (int j = 0; j < 6; j++) {
                wide[j] = BigInteger.valueOf(Integer.toUnsignedLong(in[j]));
            }
            BigInteger[] exact =
                    exact(new BigInteger[] {wide[0], wide[1], wide[2], wide[3]}, new BigInteger[] {wide[4], wide[5]});
            Philox.blockInto(words, 0, in[0], in[1], in[2], in[3], in[4], in[5]);
            for (int j = 0; j < 4; j++) {
                assertThat(Integer.toUnsignedLong(words[j]))
                        .as("seed %d, run %d, word %d", seed, i, j)
                        .isEqualTo(exact[j].longValueExact());
            }
        }
    }
}
