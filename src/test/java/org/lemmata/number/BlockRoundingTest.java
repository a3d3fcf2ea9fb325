package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.oracle.ExactBlockRounding;
import org.lemmata.random.RandomStream;

class BlockRoundingTest {

    static Stream<BlockFormat> formats() {
        return BlockFormat.NAMED.stream();
    }

    static Stream<BlockFormat> mx() {
        return formats().filter(format -> format.scale() == BlockFormat.Scale.POWER_OF_TWO);
    }

    private static BlockFormat named(String name) {
        return formats().filter(format -> format.name().equals(name)).findAny().orElseThrow();
    }

    /** A block of numbers of both signs, with magnitudes around 2^exponent, some far smaller or zero. */
    private static float[] block(SplittableRandom random, int length, int exponent) {
        float[] block = new float[length];
        for (int i = 0; i < length; i++) {
            float any = (float) Math.scalb(random.nextDouble(-2, 2), exponent - random.nextInt(12) * random.nextInt(3));
            block[i] = random.nextInt(8) == 0 ? Math.signum(any) * 0f : any;
        }
        return block;
    }

    private static float maximum(float[] block) {
        float maximum = 0;
        for (float x : block) {
            maximum = Math.max(maximum, Math.abs(x));
        }
        return maximum;
    }

    @ParameterizedTest
    @MethodSource("mx")
    void blocksOfMxAreThoseOfExactArithmetic(BlockFormat format) {
        var random = new SplittableRandom(1);
        for (int exponent = -149; exponent <= 126; exponent++) {
            float[] block = block(random, 1 + random.nextInt(BlockFormat.MX_SIZE), exponent);
            float maximum = maximum(block);
            if (maximum == 0) {
                continue;
            }
            int scaleExponent = ExactBlockRounding.scaleExponent(maximum, elementExponent(format));
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                var rounding = new BlockRounding(format, mode);
                float scale = rounding.scale(maximum);
                for (float x : block) {
                    int word = random.nextInt();
                    float actual = rounding.round(x, scale, word);
                    assertThat(new BigDecimal(actual))
                            .as("%s of %a, maximum %a, word 0x%08x", rounding, x, maximum, word)
                            .isEqualByComparingTo(exact(format, x, scaleExponent, mode, word));
                    assertThat((double) actual).isEqualTo(Double.valueOf(scale * rounding.element(x, scale, word)));
                }
            }
        }
    }

    /** The exponents of the specification, independent of our code: 2^8 for 448, 2^15 for 57344, 2^0 for 127/64. */
    private static int elementExponent(BlockFormat format) {
        return switch (format.name()) {
            case "mxfp8_e5m2" -> 15;
            case "mxfp8_e4m3" -> 8;
            case "mxfp6_e3m2" -> 4;
            case "mxfp6_e2m3", "mxfp4_e2m1" -> 2;
            case "mxint8" -> 0;
            default -> throw new IllegalArgumentException(format.name());
        };
    }

    private static BigDecimal exact(BlockFormat format, float x, int scaleExponent, Rounding.Mode mode, int word) {
        return format.element() instanceof FloatFormat element
                ? ExactBlockRounding.round(x, scaleExponent, element, mode, word)
                : ExactBlockRounding.roundToInt8(x, scaleExponent, mode, word);
    }

    @ParameterizedTest
    @CsvSource({
        "mxfp8_e4m3, 1, -8",
        "mxfp8_e4m3, 1.99, -8",
        "mxfp8_e4m3, 512, 1",
        "mxfp8_e5m2, 1, -15",
        "mxfp6_e3m2, 16, 0",
        "mxfp6_e2m3, 7.9, 0",
        "mxfp4_e2m1, 6, 0",
        "mxfp4_e2m1, 0x1.fffffep127, 125",
        "mxfp4_e2m1, 0x1p-125, -127",
        "mxfp4_e2m1, 0x1p-126, -127",
        "mxfp8_e5m2, 0x1p-149, -127",
        "mxint8, 1, -6",
        "mxint8, 0x1.fffffep127, 121",
        "mxint8, 0x1p-127, -133",
        "mxint8, 0x1p-149, -133"
    })
    void scalesArePowersOfTwoInTheRangeOfE8M0(String name, float maximum, int exponent) {
        float scale = BlockRounding.toNearestEven(named(name)).scale(maximum);
        assertThat((double) scale).isEqualTo(Math.scalb(1.0, exponent));
    }

    @ParameterizedTest
    @ValueSource(strings = {"int8", "int4"})
    void rowsOfIntegersAreThoseOfExactArithmetic(String name) {
        var random = new SplittableRandom(2);
        int q = name.equals("int8") ? 127 : 7;
        for (int exponent = -110; exponent <= 126; exponent++) {
            float[] row = block(random, 1 + random.nextInt(100), exponent);
            float maximum = maximum(row);
            if (maximum == 0) {
                continue;
            }
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                var rounding = new BlockRounding(named(name), mode);
                float scale = rounding.scale(maximum);
                assertThat(scale).isEqualTo(ExactBlockRounding.scale(maximum, q));
                for (float x : row) {
                    int word = random.nextInt();
                    int code = ExactBlockRounding.code(x, scale, q, mode, word);
                    assertThat(rounding.element(x, scale, word)).isEqualTo(code + 0.0);
                    assertThat(rounding.round(x, scale, word))
                            .isEqualTo(BigDecimal.valueOf(code)
                                    .multiply(new BigDecimal(scale))
                                    .floatValue());
                }
            }
        }
    }

    /** The maximum is exact except for the rounding of the scale, and never overflows. */
    @ParameterizedTest
    @ValueSource(strings = {"int8", "int4"})
    void theMaxOfARowTakesTheLargestCode(String name) {
        var rounding = BlockRounding.toNearestEven(named(name));
        double q = name.equals("int8") ? 127 : 7;
        int lowered = 0;
        for (int i = 0; i < 1 << 20; i++) {
            float maximum = Float.intBitsToFloat(0x7F7F_FFFF - i * (i < 1 << 12 ? 1 : 1500));
            float scale = rounding.scale(maximum);
            lowered += scale < maximum / (float) q ? 1 : 0;
            if (rounding.element(maximum, scale, 0) != q || !(rounding.round(-maximum, scale, 0) >= -Float.MAX_VALUE)) {
                assertThat(rounding.round(-maximum, scale, 0)).as("%a", maximum).isEqualTo(-maximum);
            }
        }
        if (q == 127) {
            assertThat(lowered)
                    .as("scales that are lowered, so that 127 of them do not overflow")
                    .isPositive();
        }
    }

    @Test
    void scalesOfTheSmallestNumbersAreAtLeastTheLeast() {
        var rounding = BlockRounding.toNearestEven(named("int8"));
        assertThat(rounding.scale(Float.MIN_VALUE)).isEqualTo(Float.MIN_VALUE);
        assertThat(rounding.round(Float.MIN_VALUE, Float.MIN_VALUE, 0)).isEqualTo(Float.MIN_VALUE);
        assertThat(rounding.scale(127 * Float.MIN_VALUE)).isEqualTo(Float.MIN_VALUE);
        assertThat(rounding.round(-190 * Float.MIN_VALUE, rounding.scale(190 * Float.MIN_VALUE), 0))
                .isEqualTo(-127 * Float.MIN_VALUE);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void zerosInfinitiesAndNaN(BlockFormat format) {
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            var rounding = new BlockRounding(format, mode);
            boolean signedZero = format.element() instanceof FloatFormat;
            float scale = rounding.scale(0);
            assertThat((double) scale).isEqualTo(Math.scalb(1.0, format.name().equals("mxint8") ? -6 : 0));
            for (float maximum : new float[] {0, 3}) {
                assertThat(rounding.round(0f, rounding.scale(maximum), -1)).isEqualTo(0f);
                assertThat(rounding.round(-0f, rounding.scale(maximum), -1))
                        .isEqualTo(Float.valueOf(signedZero ? -0f : 0f));
            }
            for (float special : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
                assertThat(rounding.scale(special)).isNaN();
                assertThat(rounding.element(1, rounding.scale(special), -1)).isNaN();
                assertThat(rounding.round(1, rounding.scale(special), -1)).isNaN();
                assertThat(rounding.round(0, rounding.scale(special), -1)).isNaN();
                assertThat(rounding.round(Float.NEGATIVE_INFINITY, rounding.scale(special), -1))
                        .isNaN();
            }
        }
    }

    /** A row of two blocks and a short one: each has its own scale, and NaN only affects its block. */
    @Test
    void blocksOfARowHaveTheirOwnScales() {
        int columns = 2 * BlockFormat.MX_SIZE + 3;
        float[] x = new float[columns];
        for (int j = 0; j < columns; j++) {
            x[j] = j < 32 ? j + 0.3f : j < 64 ? Float.NaN : 1e-6f * j;
        }
        x[40] = 1;
        var rounding = BlockRounding.toNearestEven(named("mxfp4_e2m1"));
        float[] y = new float[columns];
        new ScalarQuantization()
                .round(Matrix.row(y, 0, columns), Matrix.row(x, 0, columns), rounding, new RandomStream(0, 0, 0));
        for (int j = 0; j < columns; j++) {
            if (j >= 32 && j < 64) {
                assertThat(y[j]).isNaN();
            } else {
                int scaleExponent = j < 32 ? 2 : -16; // of 31.3, 66e-6 and 2^2
                BigDecimal expected = exact(rounding.format(), x[j], scaleExponent, Rounding.Mode.TIES_TO_EVEN, 0);
                assertThat(new BigDecimal(y[j])).as("element %d", j).isEqualByComparingTo(expected);
            }
        }
    }

    @Test
    void theNamedOnesAreThoseOfTheSpecification() {
        assertThat(formats().map(BlockFormat::name))
                .containsExactly(
                        "mxfp8_e5m2", "mxfp8_e4m3", "mxfp6_e3m2", "mxfp6_e2m3", "mxfp4_e2m1", "mxint8", "int8", "int4");
        assertThat(mx()).allMatch(format -> format.size() == 32);
        assertThat(named("int8").size()).isEqualTo(BlockFormat.WHOLE_ROW);
        assertThat(named("int4").element()).isEqualTo(new IntegerFormat(4));
        assertRefused(
                () -> new BlockFormat("none", FloatFormat.E2M1, 0, BlockFormat.Scale.POWER_OF_TWO),
                "size: expected at least 1, got 0");
    }
}
