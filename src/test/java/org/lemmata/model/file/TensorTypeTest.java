package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.number.Codes;
import org.lemmata.number.FloatFormat;

class TensorTypeTest {

    private static final int CODES = 1 << 16;

    private final ByteBuffer buffer = ByteBuffer.allocate(8 * CODES).order(ByteOrder.LITTLE_ENDIAN);

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyCodeIsReadAsItsNumber(TensorType type) {
        FloatFormat format = type == TensorType.F16 ? FloatFormat.BINARY16 : FloatFormat.BFLOAT16;
        for (int code = 0; code < CODES; code++) {
            buffer.putShort((short) code);
        }
        float[] values = new float[CODES];
        type.decodeInto(values, 0, CODES, buffer.flip());
        double[] wide = new double[CODES];
        type.decodeInto(wide, 0, CODES, buffer.rewind());
        for (int code = 0; code < CODES; code++) {
            // Boxed, so that NaN equals NaN and -0 does not equal 0.
            Double expected = Codes.decode(format, code);
            assertThat((double) values[code]).as("code %x", code).isEqualTo(expected);
            assertThat(wide[code]).as("code %x", code).isEqualTo(expected);
        }
    }

    @Test
    void theTypesOfArraysKeepEveryBitAndOthersTheirNumbers() {
        float[] narrow = new float[CODES];
        double[] wide = new double[CODES];
        for (int i = 0; i < CODES; i++) {
            narrow[i] = Float.intBitsToFloat(i * 0x9E37_79B9);
            wide[i] = Double.longBitsToDouble(i * 0x9E37_79B9_7F4A_7C15L);
        }
        narrow[1] = Float.intBitsToFloat(0x7F80_0001);
        wide[1] = Double.longBitsToDouble(0xFFF0_0000_0000_0001L);
        float[] narrowAgain = new float[CODES];
        double[] widened = new double[CODES];
        buffer.asFloatBuffer().put(narrow);
        TensorType.F32.decodeInto(narrowAgain, 0, CODES, buffer);
        TensorType.F32.decodeInto(widened, 0, CODES, buffer.rewind());
        double[] wideAgain = new double[CODES];
        float[] narrowed = new float[CODES];
        buffer.clear().asDoubleBuffer().put(wide);
        TensorType.F64.decodeInto(wideAgain, 0, CODES, buffer);
        TensorType.F64.decodeInto(narrowed, 0, CODES, buffer.rewind());
        for (int i = 0; i < CODES; i++) {
            assertThat(Float.floatToRawIntBits(narrowAgain[i])).isEqualTo(Float.floatToRawIntBits(narrow[i]));
            assertThat(Double.doubleToRawLongBits(wideAgain[i])).isEqualTo(Double.doubleToRawLongBits(wide[i]));
            assertThat(widened[i]).isEqualTo((Double) (double) narrow[i]);
            assertThat(narrowed[i]).isEqualTo((Float) (float) wide[i]);
        }
    }
}
