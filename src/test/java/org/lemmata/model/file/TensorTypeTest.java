package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.number.Codes;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.oracle.ExactRounding;

class TensorTypeTest {

    private static final int CODES = 1 << 16;

    private final ByteBuffer buffer = ByteBuffer.allocate(8 * CODES).order(ByteOrder.LITTLE_ENDIAN);

    private static ExactRounding exact(TensorType type) {
        return ExactRounding.of(type.format(), Rounding.Mode.TIES_TO_EVEN, true, false);
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyCodeIsReadAsItsNumberAndWrittenAgain(TensorType type) {
        for (int code = 0; code < CODES; code++) {
            buffer.putShort((short) code);
        }
        float[] values = new float[CODES];
        type.decodeInto(values, 0, CODES, buffer.flip());
        double[] wide = new double[CODES];
        type.decodeInto(wide, 0, CODES, buffer.rewind());
        type.encodeInto(buffer.clear(), values, 0, CODES);
        for (int code = 0; code < CODES; code++) {
            // Boxed, so that NaN equals NaN and -0 does not equal 0.
            Double expected = Codes.decode(type.format(), code);
            assertThat((double) values[code]).as("code %x", code).isEqualTo(expected);
            assertThat(wide[code]).as("code %x", code).isEqualTo(expected);
            if (!expected.isNaN()) {
                assertThat(buffer.getShort(2 * code)).as("code %x", code).isEqualTo((short) code);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F64", "F32", "F16", "BF16"})
    void numbersAreRoundedOnceToNearestEven(TensorType type) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        ExactRounding rounding = exact(type);
        FloatFormat format = type.format();
        double[] wide = new double[6000];
        for (int i = 0; i < wide.length; i += 6) {
            double exponent = format.minExponent()
                    - format.significandBits()
                    + random.nextInt(format.maxExponent() - format.minExponent() + format.significandBits() + 2);
            double x = rounding.round(random.nextGaussian() * Math.scalb(1.0, (int) exponent));
            double middle = x + format.ulp(x) / 2;
            wide[i] = x;
            wide[i + 1] = middle;
            // So close to the midpoint that rounding to binary32 first would lose the side.
            wide[i + 2] = Math.nextUp(middle);
            wide[i + 3] = Math.nextDown(middle);
            wide[i + 4] = random.nextGaussian();
            wide[i + 5] = Double.longBitsToDouble(random.nextLong());
        }
        float[] narrow = new float[wide.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (float) wide[i];
        }
        double[] rounded = new double[wide.length];
        type.encodeInto(buffer.clear(), wide, 0, wide.length);
        type.decodeInto(rounded, 0, wide.length, buffer.flip());
        double[] fromFloats = new double[narrow.length];
        type.encodeInto(buffer.clear(), narrow, 0, narrow.length);
        type.decodeInto(fromFloats, 0, narrow.length, buffer.flip());
        for (int i = 0; i < wide.length; i++) {
            assertThat(rounded[i]).as("%s, seed %d", wide[i], seed).isEqualTo((Double) rounding.round(wide[i]));
            assertThat(fromFloats[i]).as("%s, seed %d", narrow[i], seed).isEqualTo((Double) rounding.round(narrow[i]));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F64", "F32", "F16", "BF16"})
    void everyNanStaysOne(TensorType type) {
        float[] values = new float[CODES];
        for (int i = 0; i < CODES; i++) {
            values[i] = nan(i);
        }
        float[] read = new float[CODES];
        type.encodeInto(buffer.clear(), values, 0, CODES);
        type.decodeInto(read, 0, CODES, buffer.flip());
        for (int i = 0; i < CODES; i++) {
            assertThat(read[i]).as("NaN %x", Float.floatToRawIntBits(values[i])).isNaN();
        }
    }

    /** The dropped bits may contain the whole payload, so the quiet bit must be set. */
    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void theCodeOfANanIsThatOfOne(TensorType type) {
        for (int i = 0; i < CODES; i++) {
            short code = type.halfCode(nan(i));
            assertThat(Codes.decode(type.format(), code & 0xFFFF))
                    .as("code %x", code)
                    .isNaN();
        }
    }

    /** NaNs of both signs, with the payload in the low bits. */
    private static float nan(int i) {
        return Float.intBitsToFloat((i % 2 == 0 ? 0x7F80_0000 : 0xFF80_0000) | (i / 2 + 1));
    }

    @Test
    void theTypesOfArraysKeepEveryBit() {
        float[] narrow = new float[CODES];
        double[] wide = new double[CODES];
        for (int i = 0; i < CODES; i++) {
            narrow[i] = Float.intBitsToFloat(i * 0x9E37_79B9);
            wide[i] = Double.longBitsToDouble(i * 0x9E37_79B9_7F4A_7C15L);
        }
        narrow[1] = Float.intBitsToFloat(0x7F80_0001);
        wide[1] = Double.longBitsToDouble(0xFFF0_0000_0000_0001L);
        float[] narrowAgain = new float[CODES];
        TensorType.F32.encodeInto(buffer.clear(), narrow, 0, CODES);
        TensorType.F32.decodeInto(narrowAgain, 0, CODES, buffer.flip());
        double[] wideAgain = new double[CODES];
        TensorType.F64.encodeInto(buffer.clear(), wide, 0, CODES);
        TensorType.F64.decodeInto(wideAgain, 0, CODES, buffer.flip());
        for (int i = 0; i < CODES; i++) {
            assertThat(Float.floatToRawIntBits(narrowAgain[i])).isEqualTo(Float.floatToRawIntBits(narrow[i]));
            assertThat(Double.doubleToRawLongBits(wideAgain[i])).isEqualTo(Double.doubleToRawLongBits(wide[i]));
        }
    }

    @Test
    void typesOfWeightsAloneHaveAFormat() {
        assertThatThrownBy(TensorType.BOOL::format)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("type: expected one of F64, F32, F16, BF16, got BOOL");
    }
}
