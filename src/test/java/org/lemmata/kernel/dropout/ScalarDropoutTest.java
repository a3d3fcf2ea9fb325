package org.lemmata.kernel.dropout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.Guarded.SENTINEL;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.random.Philox;
import org.lemmata.random.RandomStream;

/** Tests of the scalar {@link Dropout}, which those of other implementations inherit. */
class ScalarDropoutTest {

    static final RandomStream STREAM = new RandomStream(0x1234_5678_9ABC_DEF0L, 7, 0x2_0000_0003L);

    Dropout dropout() {
        return new ScalarDropout();
    }

    static float[] random(int length, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(0.5, 2);
        }
        return x;
    }

    /** The 16 bits of an element as the interface defines them, straight from the generator. */
    private static int bits(int i, RandomStream stream) {
        int tile = i / 64;
        int q = i % 64 / 16;
        int r = i % 16;
        int[] words = new int[4];
        Philox.blockInto(
                words,
                0,
                8 * tile + r / 2,
                stream.stream(),
                (int) stream.step(),
                (int) (stream.step() >> 32),
                (int) stream.seed(),
                (int) (stream.seed() >> 32));
        return words[r % 2 + 2 * (q / 2)] >>> (q % 2 == 0 ? 0 : 16) & 0xFFFF;
    }

    private static boolean kept(int i, double probability, RandomStream stream) {
        return bits(i, stream) >= Math.round(65536 * probability);
    }

    private void check(String name, int length, int offset, double probability, RandomStream stream) {
        float[] inputs = random(offset + length + 2, new SplittableRandom(length));
        float[] before = inputs.clone();
        float[] outputs = new float[length + 5];
        Arrays.fill(outputs, SENTINEL);
        dropout().forward(outputs, 3, inputs, offset, length, probability, stream);
        assertThat(inputs).as("%s: inputs", name).isEqualTo(before);
        double realized = Math.round(65536 * probability) / 65536.0;
        for (int i = 0; i < length; i++) {
            float expected = kept(i, probability, stream) ? inputs[offset + i] * (float) (1 / (1 - realized)) : 0;
            if (outputs[3 + i] != expected) {
                assertThat(outputs[3 + i]).as("%s: y[%d]", name, i).isEqualTo(expected);
            }
        }
        Arrays.fill(outputs, 3, 3 + length, SENTINEL);
        assertThat(outputs).as("%s: surroundings", name).containsOnly(SENTINEL);
        // The call in place and the backward pass give the same results.
        float[] again = new float[length + 5];
        dropout().backward(again, 3, inputs, offset, length, probability, stream);
        dropout().forward(inputs, offset, inputs, offset, length, probability, stream);
        assertThat(Arrays.copyOfRange(inputs, offset, offset + length))
                .as("%s: in place", name)
                .isEqualTo(Arrays.copyOfRange(again, 3, 3 + length));
        assertThat(inputs[offset + length]).isEqualTo(before[offset + length]);
    }

    @Test
    void everyLengthUpToTwoTiles() {
        for (int length = 0; length <= 129; length++) {
            check("length " + length, length, length % 5, 0.5, STREAM);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {257, 1009, 2048, 2049, 4096, 32767, 32768, 32769, 70000})
    void primesPowersOfTwoAndChunks(int length) {
        check("length " + length, length, 1, 0.1, STREAM);
    }

    @Test
    void freshStreams() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            RandomStream stream = new RandomStream(random.nextLong(), random.nextInt(), random.nextLong());
            check("seed " + seed + ", run " + i, random.nextInt(500), 0, random.nextDouble(), stream);
        }
    }

    /** An element with bits b is kept for p = b / 65536, and dropped for the next larger p. */
    @Test
    void dropsBelowTheThreshold() {
        float[] ones = new float[64];
        Arrays.fill(ones, 1);
        float[] y = new float[64];
        for (int i = 0; i < 64; i++) {
            int bits = bits(i, STREAM);
            dropout().forward(y, 0, ones, 0, 64, bits / 65536.0, STREAM);
            assertThat(y[i]).as("element %d", i).isGreaterThanOrEqualTo(1);
            dropout().forward(y, 0, ones, 0, 64, (bits + 1) / 65536.0, STREAM);
            assertThat(y[i]).as("element %d", i).isZero();
        }
    }

    /** Probabilities are rounded to multiples of 2^-16, so those near 0 and 1 drop nothing or everything. */
    @Test
    void probabilitiesNearTheEndsAreTheEnds() {
        float[] ones = new float[1 << 18];
        Arrays.fill(ones, 1);
        float[] outputs = new float[ones.length];
        dropout().forward(outputs, 0, ones, 0, ones.length, 0x1p-17, STREAM);
        assertThat(outputs).isEqualTo(ones);
        dropout().forward(outputs, 0, ones, 0, ones.length, 1 - 0x1p-17, STREAM);
        assertThat(outputs).isEqualTo(new float[ones.length]);
        assertThat(dropped(ones.length, 0x1.8p-17, STREAM)).contains(1);
    }

    /** Probability 0 changes no bit; probability 1 drops everything, even infinities and NaN. */
    @Test
    void nothingAndEverything() {
        float[] x = {1, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, -Float.MAX_VALUE};
        float[] y = new float[6];
        dropout().forward(y, 0, x, 0, 6, 0, STREAM);
        assertThat(y).isEqualTo(x);
        dropout().forward(y, 0, x, 0, 6, 1, STREAM);
        assertThat(y).isEqualTo(new float[6]);
    }

    @Test
    void whatIsDroppedIsZeroAndWhatIsKeptIsScaled() {
        int length = 500;
        for (float special : new float[] {Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -Float.MAX_VALUE, -0f}) {
            float[] x = new float[length];
            Arrays.fill(x, special);
            float[] y = new float[length];
            dropout().forward(y, 0, x, 0, length, 0.5, STREAM);
            for (int i = 0; i < length; i++) {
                float expected = kept(i, 0.5, STREAM) ? special * 2 : 0;
                assertThat(Float.valueOf(y[i])).as("%s at %d", special, i).isEqualTo(Float.valueOf(expected));
            }
        }
    }

    private int[] dropped(int length, double probability, RandomStream stream) {
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        dropout().forward(ones, 0, ones, 0, length, probability, stream);
        int[] dropped = new int[length];
        for (int i = 0; i < length; i++) {
            dropped[i] = ones[i] == 0 ? 1 : 0;
        }
        return dropped;
    }

    /** The chi-square of drops per position in a tile has 64 degrees of freedom: above 129 once in 300000 seeds. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.5, 0.9})
    void dropsAsOftenAsItSaysAtEveryPlace(double probability) {
        int tiles = 1 << 12;
        int[] dropped = dropped(64 * tiles, probability, STREAM);
        double chiSquare = 0;
        for (int place = 0; place < 64; place++) {
            int count = 0;
            for (int tile = 0; tile < tiles; tile++) {
                count += dropped[64 * tile + place];
            }
            double difference = count - tiles * probability;
            chiSquare += difference * difference / (tiles * probability * (1 - probability));
        }
        assertThat(chiSquare).isBetween(24.0, 129.0);
    }

    /** Two masks that differ in one word of key or counter are independent. */
    @Test
    void streamsAreIndependent() {
        int length = 1 << 18;
        int[] first = dropped(length, 0.5, STREAM);
        long seed = STREAM.seed();
        long step = STREAM.step();
        for (RandomStream other : new RandomStream[] {
            new RandomStream(seed + 1, 7, step),
            new RandomStream(seed ^ 1L << 40, 7, step),
            new RandomStream(seed, 8, step),
            new RandomStream(seed, 7, step + 1),
            new RandomStream(seed, 7, step ^ 1L << 50)
        }) {
            int[] second = dropped(length, 0.5, other);
            int[] joint = new int[4];
            for (int i = 0; i < length; i++) {
                joint[2 * first[i] + second[i]]++;
            }
            double chiSquare = 0;
            for (int count : joint) {
                chiSquare += (count - length / 4.0) * (count - length / 4.0) / (length / 4.0);
            }
            // Three degrees of freedom: above 27 once in 200000 seeds.
            assertThat(chiSquare).as("%s", other).isLessThan(27);
        }
        // A mask is also independent of itself shifted by blocks, tiles and half words.
        for (int shift : new int[] {1, 2, 16, 32, 64, 128, 2048}) {
            int agree = 0;
            for (int i = shift; i < length; i++) {
                agree += first[i] == first[i - shift] ? 1 : 0;
            }
            assertThat(Math.abs(agree - (length - shift) / 2.0)).isLessThan(5 * Math.sqrt(length) / 2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5, 0.5, 'x: expected 5 elements within 4, got offset 0'",
        "-1, 2, 0.5, 'x: expected 2 elements within 4, got offset -1'",
        "0, 9, 0.5, 'y: expected 9 elements within 8, got offset 0'",
        "0, -1, 0.5, 'y: expected -1 elements within 8, got offset 0'",
        "0, 4, 1.5, 'probability: expected 0 to 1, got 1.5'",
        "0, 4, -0.1, 'probability: expected 0 to 1, got -0.1'",
        "0, 4, NaN, 'probability: expected 0 to 1, got NaN'"
    })
    void refusesWhatItCannotDo(int offset, int length, double probability, String message) {
        assertRefused(
                () -> dropout().forward(new float[8], 0, new float[4], offset, length, probability, STREAM), message);
    }
}
