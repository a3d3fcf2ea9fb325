package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongImmutableList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A tensor to write: a name, a shape, and a range of an array, which is not copied.
 *
 * <p>Elements are rounded to nearest even when they are written.
 */
public final class TensorContent {

    private final String name;
    private final TensorType type;
    private final LongList shape;
    private final int size;
    private final Encoder encoder;

    /** Appends elements to a buffer; the first has the index {@code first}. */
    @FunctionalInterface
    private interface Encoder {
        void encodeInto(ByteBuffer target, int first, int length);
    }

    private TensorContent(String name, TensorType type, LongList shape, Encoder encoder) {
        type.format();
        this.name = name;
        this.type = type;
        this.shape = new LongImmutableList(shape);
        this.size = Math.toIntExact(TensorEntry.size(shape));
        this.encoder = encoder;
    }

    /**
     * The tensor whose elements begin at {@code values[offset]}, row-major.
     *
     * @throws IllegalArgumentException if {@code type} is not one of {@link TensorType#WEIGHTS}
     */
    public static TensorContent of(String name, TensorType type, LongList shape, float[] values, int offset) {
        Encoder encoder = (target, first, length) -> type.encodeInto(target, values, offset + first, length);
        return new TensorContent(name, type, shape, encoder).within(offset, values.length);
    }

    /** The tensor of elements in binary64. */
    public static TensorContent of(String name, TensorType type, LongList shape, double[] values, int offset) {
        Encoder encoder = (target, first, length) -> type.encodeInto(target, values, offset + first, length);
        return new TensorContent(name, type, shape, encoder).within(offset, values.length);
    }

    private TensorContent within(int offset, int arrayLength) {
        Objects.checkFromIndexSize(offset, size, arrayLength);
        return this;
    }

    String name() {
        return name;
    }

    TensorType type() {
        return type;
    }

    int size() {
        return size;
    }

    /** The entry of the header for elements that begin at byte {@code begin}. */
    TensorEntry entry(long begin) {
        return new TensorEntry(name, type, shape, begin, begin + (long) size * type.bits() / Byte.SIZE);
    }

    void encodeInto(ByteBuffer target, int first, int length) {
        encoder.encodeInto(target, first, length);
    }
}
