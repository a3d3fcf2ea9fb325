package org.lemmata.kernel.quantization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.number.BlockFormat;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.IntegerFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Tests of the scalar {@link Quantization}, which those of others inherit: the bits of rounding each element or block
 * by {@code number}.
 */
class ScalarQuantizationTest {

    static final RandomStream STREAM = new RandomStream(0x1234_5678_9ABC_DEF0L, 7, 0x2_0000_0003L);

    /**
     * All named formats, and difficult ones: 23 and 24 bits, quanta of 1, of 2^-126, and beyond on both sides, no
     * subnormal codes, exponents of binary32 and one more, steps that are and are not powers of two.
     */
    static final List<NumberFormat> FORMATS = Stream.of(
                    FloatFormat.NAMED.stream(),
                    """
                    float(2,-126,127) float(2,1,1) float(2,2,9) float(5,100,110) float(2,1000,1023)
                    float(11,-116,120) float(11,-117,120) float(22,-14,15) float(23,-60,127) float(24,-14,15)
                    float(24,-126,128) float(30,-200,200) float(9,-127,127) float(9,-149,128)
                    log-precision(1,1024) log-precision(2,4096) log-precision(4,4096)
                    threshold(3) threshold(149) threshold(1000)
                    integer multiple(0.001953125) multiple(2) multiple(0.375)\
                    """.lines()
                            .flatMap(line -> Stream.of(line.split(" ")))
                            .map(name -> NumberFormat.find(name).orElseThrow()),
                    Stream.of(
                            new FloatFormat("e5m3", 4, -14, 15, FloatFormat.Specials.NONE),
                            new FloatFormat("e8m3", 4, -126, 127, FloatFormat.Specials.NAN),
                            new IntegerFormat(8)))
            .<NumberFormat>flatMap(formats -> formats)
            .toList();

    static final List<BlockFormat> BLOCKS = blocks();

    private static List<BlockFormat> blocks() {
        List<BlockFormat> blocks = new ArrayList<>(BlockFormat.NAMED);
        blocks.add(new BlockFormat("five", FloatFormat.OCP_E4M3, 5, BlockFormat.Scale.POWER_OF_TWO));
        blocks.add(new BlockFormat("rows of binary16", FloatFormat.BINARY16, 40, BlockFormat.Scale.POWER_OF_TWO));
        blocks.add(new BlockFormat("1500", FloatFormat.E2M1, 1500, BlockFormat.Scale.MAXIMUM));
        blocks.add(new BlockFormat("ternary", new IntegerFormat(2), 32, BlockFormat.Scale.MAXIMUM));
        blocks.add(new BlockFormat("wide", new IntegerFormat(24), 64, BlockFormat.Scale.MAXIMUM));
        blocks.add(new BlockFormat("of bfloat16", FloatFormat.BFLOAT16, 32, BlockFormat.Scale.MAXIMUM));
        return List.copyOf(blocks);
    }

    Quantization quantization() {
        return new ScalarQuantization();
    }

    /** Elementwise roundings with every option, and block roundings. */
    static List<TensorRounding> roundings(Rounding.Mode mode) {
        List<TensorRounding> roundings = new ArrayList<>();
        for (NumberFormat format : FORMATS) {
            roundings.add(new Rounding(format, mode, true, false));
            roundings.add(new Rounding(format, mode, true, true));
            roundings.add(new Rounding(format, mode, false, false));
            roundings.add(new Rounding(format, mode, false, true));
        }
        for (BlockFormat format : BLOCKS) {
            roundings.add(new BlockRounding(format, mode));
        }
        return roundings;
    }

    /** Numbers near 1, of all magnitudes, with few significand bits, and special values. */
    static float[] numbers(int length, RandomGenerator random) {
        float[] x = new float[length];
        float[] specials = {
            0f,
            -0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            Float.MIN_NORMAL,
            -Math.nextDown(Float.MIN_NORMAL),
            448,
            -464,
            65504,
            65520,
            0.5f,
            -1.5f,
            6,
            7.5f
        };
        for (int i = 0; i < length; i++) {
            x[i] = switch (random.nextInt(8)) {
                case 0 -> Float.intBitsToFloat(random.nextInt());
                case 1 -> Float.intBitsToFloat(random.nextInt() << 13);
                case 2 -> Float.intBitsToFloat(random.nextInt() << 16 | 0x8000);
                case 3 -> specials[random.nextInt(specials.length)];
                case 4 -> (float) random.nextGaussian() * 0x1p-14f;
                default -> (float) random.nextGaussian();
            };
        }
        return x;
    }

    /** {@link #numbers} without those that make a whole block NaN. */
    static float[] finiteNumbers(int length, RandomGenerator random) {
        float[] x = numbers(length, random);
        float maximum = Math.scalb(1f, random.nextInt(-140, 128));
        for (int i = 0; i < length; i++) {
            if (!Float.isFinite(x[i]) || (random.nextInt(4) > 0 && Math.abs(x[i]) > maximum)) {
                x[i] = random.nextBoolean() ? 0 : maximum * (float) random.nextDouble(-1, 1);
            }
        }
        return x;
    }

    private static float[] expected(
            float[] x, int at, int columns, TensorRounding rounding, RandomStream stream, int row) {
        long firstWord = (long) row * Math.ceilDiv(columns, 32) * 32;
        int[] words = new int[Math.ceilDiv(columns, 32) * 32];
        for (int tile = 0; tile < words.length / 32; tile++) {
            stream.tileInto(words, 32 * tile, (int) (firstWord / 32) + tile);
        }
        float[] y = new float[columns];
        float maximum = 0;
        for (int j = 0; j < columns; j++) {
            y[j] = switch (rounding) {
                case Rounding elementwise -> elementwise.round(x[at + j], words[j]);
                case BlockRounding blocks -> {
                    int size = blocks.format().size();
                    if (j % size == 0) {
                        maximum = 0;
                        for (int k = j; k < columns && k - j < size; k++) {
                            maximum = Math.max(maximum, Math.abs(x[at + k]));
                        }
                    }
                    yield blocks.round(x[at + j], blocks.scale(maximum), words[j]);
                }
            };
        }
        return y;
    }

    static void assertBits(float actual, float expected, float x, String name) {
        assertBits(actual, expected, x, name, "");
    }

    /** The two parts of the name are joined only for a failure, because there are millions of elements. */
    static void assertBits(float actual, float expected, float x, String name, String detail) {
        if (Float.floatToIntBits(actual) != Float.floatToIntBits(expected)) {
            assertThat(Float.toHexString(actual))
                    .as("%s%s: %s", name, detail, Float.toHexString(x))
                    .isEqualTo(Float.toHexString(expected));
        }
    }

    private void check(float[] numbers, int rows, int columns, int gap, TensorRounding rounding) {
        String name = rounding.label() + ", " + rows + " x " + columns + ", gap " + gap;
        float[] x = Arrays.copyOf(numbers, rows * columns);
        Matrix ofX = Guarded.of(x, rows, columns, gap, Float.NaN);
        Matrix ofY = Guarded.of(new float[x.length], rows, columns, 2 * gap, Guarded.SENTINEL);
        float[] before = ofX.array().clone();
        quantization().round(ofY, ofX, rounding, STREAM);
        assertThat(Arrays.equals(ofX.array(), before)).as("%s: inputs", name).isTrue();
        quantization().round(ofX, ofX, rounding, STREAM);
        float[] y = Guarded.numbers(ofY);
        float[] inPlace = Guarded.numbers(ofX);
        for (int row = 0; row < rows; row++) {
            float[] expected = expected(x, row * columns, columns, rounding, STREAM, row);
            for (int j = 0; j < columns; j++) {
                int at = row * columns + j;
                assertBits(y[at], expected[j], x[at], name);
                assertBits(inPlace[at], expected[j], x[at], name, ", in place");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyLengthUpToTwoVectorsThenPrimesAndPowersOfTwo(Rounding.Mode mode) {
        SplittableRandom random = new SplittableRandom(mode.label().hashCode());
        float[] numbers = numbers(5000, random);
        float[] finite = finiteNumbers(5000, random);
        for (TensorRounding rounding : roundings(mode)) {
            for (int length = 0; length <= 34; length++) {
                check(rounding instanceof Rounding ? numbers : finite, 1, length, 0, rounding);
            }
            for (int length : new int[] {61, 64, 127, 257, 1024, 1031}) {
                check(rounding instanceof Rounding ? numbers : finite, 1, length, 0, rounding);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsWithAndWithoutGaps(Rounding.Mode mode) {
        SplittableRandom random = new SplittableRandom(1 + mode.label().hashCode());
        float[] finite = finiteNumbers(7000, random);
        for (TensorRounding rounding : roundings(mode)) {
            for (int[] shape :
                    new int[][] {{3, 5, 0}, {7, 16, 3}, {5, 32, 0}, {3, 64, 1}, {4, 40, 0}, {2, 1030, 2}, {33, 31, 0}
                    }) {
                check(finite, shape[0], shape[1], shape[2], rounding);
            }
        }
    }

    /** NaN and infinity affect only their block; blocks of zeros stay zero, and those of subnormals are scaled. */
    @ParameterizedTest
    @EnumSource
    void blocksWithWhatIsNotFinite(Rounding.Mode mode) {
        SplittableRandom random = new SplittableRandom(2 + mode.label().hashCode());
        for (BlockFormat format : BLOCKS) {
            for (int i = 0; i < 20; i++) {
                float[] x = finiteNumbers(200, random);
                Arrays.fill(x, 32, 70, random.nextBoolean() ? 0f : -0f);
                x[random.nextInt(200)] = random.nextBoolean() ? Float.NaN : Float.NEGATIVE_INFINITY;
                check(x, 1, 200, 0, new BlockRounding(format, mode));
            }
        }
    }

    @Test
    void freshNumbersShapesAndStreams() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            for (TensorRounding rounding : roundings(mode)) {
                float[] x = random.nextBoolean() ? numbers(900, random) : finiteNumbers(900, random);
                int columns = random.nextInt(300);
                RandomStream stream = new RandomStream(random.nextLong(), random.nextInt(), random.nextLong());
                float[] y = new float[900];
                quantization().round(Matrix.of(y, 3, columns), Matrix.of(x, 3, columns), rounding, stream);
                for (int row = 0; row < 3; row++) {
                    float[] expected = expected(x, row * columns, columns, rounding, stream, row);
                    String name = rounding.label() + ", seed " + seed + ", " + columns + " columns";
                    for (int j = 0; j < columns; j++) {
                        assertBits(y[row * columns + j], expected[j], x[row * columns + j], name);
                    }
                }
            }
        }
    }

    private void add(
            float[] y, int yOffset, float[] a, int aOffset, float[] b, int bOffset, int length, Rounding rounding) {
        Matrix sums = Matrix.row(y, yOffset, length);
        quantization().add(sums, Matrix.row(a, aOffset, length), Matrix.row(b, bOffset, length), rounding, STREAM);
    }

    private void checkSums(float[] a, float[] b, int length, int offset, Rounding rounding) {
        String name = rounding.label() + ", " + length + " sums, offset " + offset;
        Matrix ofY = Guarded.result(1, length);
        add(ofY.array(), ofY.offset(), a, offset + 1, b, offset + 2, length, rounding);
        float[] y = Guarded.numbers(ofY);
        float[] inLeft = a.clone();
        float[] inRight = b.clone();
        add(inLeft, offset, inLeft, offset, b, offset, length, rounding);
        add(inRight, offset, a, offset, inRight, offset, length, rounding);
        int[] words = new int[32];
        for (int i = 0; i < length; i++) {
            if (i % 32 == 0) {
                STREAM.tileInto(words, 0, i / 32);
            }
            float expected = rounding.roundSum(a[offset + 1 + i], b[offset + 2 + i], words[i % 32]);
            assertBits(y[i], expected, a[offset + 1 + i], name);
            expected = rounding.roundSum(a[offset + i], b[offset + i], words[i % 32]);
            assertBits(inLeft[offset + i], expected, a[offset + i], name, ", over a");
            assertBits(inRight[offset + i], expected, a[offset + i], name, ", over b");
        }
    }

    /** Sums that are ties, have small tails, or overflow. */
    @ParameterizedTest
    @EnumSource
    void sums(Rounding.Mode mode) {
        SplittableRandom random = new SplittableRandom(3 + mode.label().hashCode());
        float[] a = numbers(4100, random);
        float[] b = numbers(4100, random);
        for (int i = 0; i < 4100; i++) {
            switch (random.nextInt(8)) {
                // Close to a representable number or a tie of some format.
                case 0 -> {
                    a[i] = Float.intBitsToFloat(Float.floatToRawIntBits(a[i]) & -1 << random.nextInt(24));
                    b[i] = (random.nextBoolean() ? a[i] : -a[i]) * Math.scalb(1f, -random.nextInt(40));
                }
                case 1 -> b[i] = random.nextBoolean() ? Float.MIN_VALUE : -Float.MIN_VALUE;
                case 2 -> {
                    a[i] = random.nextBoolean() ? Float.MAX_VALUE : -Float.MAX_VALUE;
                    b[i] = (float) (a[i] * Math.scalb(random.nextDouble(-1, 1), -random.nextInt(40)));
                }
                case 3 -> b[i] = -a[i];
                default -> {}
            }
        }
        for (TensorRounding rounding : roundings(mode)) {
            if (rounding instanceof Rounding elementwise) {
                for (int length : new int[] {0, 1, 3, 15, 16, 17, 31, 33, 1023}) {
                    checkSums(a, b, length, length % 4, elementwise);
                }
            }
        }
    }

    /** Numbers at and next to f + u = 1: below the smallest normal number, and at 1, with exact sums of few bits. */
    @Test
    void stochasticModeDecidesAtTheLastBit() {
        int length = 96;
        int[] words = new int[length];
        for (int tile = 0; tile < length / 32; tile++) {
            STREAM.tileInto(words, 32 * tile, tile);
        }
        for (NumberFormat format : FORMATS) {
            if (!(format instanceof FloatFormat floats) || floats.significandBits() > 24) {
                continue;
            }
            double minimum = floats.minNormal() * Math.scalb(1.0, 1 - floats.significandBits());
            for (double quantum : new double[] {minimum, floats.ulp(1)}) {
                if (quantum < 0x1p-90 || quantum > 0x1p90) {
                    continue;
                }
                float[] x = new float[length];
                float[] start = new float[length];
                float[] tail = new float[length];
                for (int i = 0; i < length; i++) {
                    x[i] = (float) (quantum * ((1 << 24) - (words[i] >>> 8)) * 0x1p-24);
                    x[i] = i % 3 == 0 ? x[i] : i % 3 == 1 ? Math.nextDown(x[i]) : Math.nextUp(x[i]);
                    start[i] = quantum == minimum ? 0 : 1;
                    tail[i] = i % 2 == 0 ? 0x1p-140f : -0x1p-140f;
                }
                Rounding rounding = new Rounding(format, Rounding.Mode.STOCHASTIC, true, false);
                String name = rounding.label() + ", quantum " + quantum;
                float[] y = new float[length];
                quantization().round(Matrix.row(y, 0, length), Matrix.row(x, 0, length), rounding, STREAM);
                for (int i = 0; i < length; i++) {
                    assertBits(y[i], rounding.round(x[i], words[i]), x[i], name);
                }
                add(y, 0, start, 0, x, 0, length, rounding);
                for (int i = 0; i < length; i++) {
                    assertBits(y[i], rounding.roundSum(start[i], x[i], words[i]), x[i], name, ", sum");
                }
                add(y, 0, x, 0, tail, 0, length, rounding);
                for (int i = 0; i < length; i++) {
                    assertBits(y[i], rounding.roundSum(x[i], tail[i], words[i]), x[i], name + ", tail " + tail[i]);
                }
            }
        }
    }

    @Test
    void refusesOtherSizesThanThoseOfTheResult() {
        Rounding rounding = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        Matrix y = Matrix.of(new float[10], 2, 5);
        Matrix other = Matrix.of(new float[10], 2, 4);
        Matrix gaps = Matrix.of(new float[12], 0, 2, 5, 6);
        assertRefused(() -> quantization().round(y, other, rounding, STREAM), "x: expected 2 x 5, got 2 x 4");
        assertRefused(() -> quantization().add(y, other, y, rounding, STREAM), "a: expected 2 x 5, got 2 x 4");
        assertRefused(() -> quantization().add(y, y, other, rounding, STREAM), "b: expected 2 x 5, got 2 x 4");
        assertRefused(
                () -> quantization().add(gaps, gaps, gaps, rounding, STREAM),
                "y: expected no gaps between rows of 5, got stride 6");
    }
}
