package org.lemmata.model.file;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The element types of a safetensors file, with the names that the header uses.
 *
 * <p>The types of {@link #WEIGHTS} can be read, and F32 can be written. Only the size of the other types is known, so
 * that their tensors can be skipped in a file with weights.
 */
public enum TensorType {
    F64(64),
    F32(32),
    F16(16),
    BF16(16),
    C64(64),
    I64(64),
    U64(64),
    I32(32),
    U32(32),
    I16(16),
    U16(16),
    I8(8),
    U8(8),
    BOOL(8),
    F8_E5M2(8),
    F8_E4M3(8),
    F8_E8M0(8),
    F8_E5M2FNUZ(8),
    F8_E4M3FNUZ(8),
    F6_E2M3(6),
    F6_E3M2(6),
    F4(4);

    /** The types that can be read as weights. */
    public static final List<TensorType> WEIGHTS = List.of(F64, F32, F16, BF16);

    private final int bits;

    TensorType(int bits) {
        this.bits = bits;
    }

    public int bits() {
        return bits;
    }

    /** Whether elements are integers or booleans. */
    boolean isInteger() {
        return compareTo(I64) >= 0 && compareTo(BOOL) <= 0;
    }

    /** Whether elements can be read as weights. */
    public boolean holdsWeights() {
        return WEIGHTS.contains(this);
    }

    static String weightNames() {
        return "one of " + WEIGHTS.stream().map(TensorType::name).collect(Collectors.joining(", "));
    }

    /**
     * Reads {@code length} values from a little-endian buffer into an array of floats or of doubles. In floats, F64
     * values are rounded to nearest even; in doubles, every type is exact.
     */
    void decodeInto(Object values, int offset, int length, ByteBuffer source) {
        if (values instanceof float[] floats && this == F32) {
            source.asFloatBuffer().get(floats, offset, length);
            source.position(source.position() + length * Float.BYTES);
            return;
        }
        for (int i = offset; i < offset + length; i++) {
            double value = switch (this) {
                case F64 -> source.getDouble();
                case F32 -> source.getFloat();
                default -> halfValue(source.getShort());
            };
            if (values instanceof float[] floats) {
                floats[i] = (float) value;
            } else {
                ((double[]) values)[i] = value;
            }
        }
    }

    private float halfValue(short code) {
        return switch (this) {
            case F16 -> Float.float16ToFloat(code);
            case BF16 -> Float.intBitsToFloat(code << 16);
            default -> throw new IllegalArgumentException("type: expected " + weightNames() + ", got " + this);
        };
    }
}
