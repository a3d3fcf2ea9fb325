package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongImmutableList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A tensor in binary32, written with unchanged bits: a range of an array, which is not copied.
 *
 * @param shape the extents; none for a scalar
 * @param values the array, in which the elements are row-major
 * @param offset the index of the first element
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never compared or printed.
public record TensorContent(String name, LongList shape, float[] values, int offset) {

    public TensorContent {
        shape = new LongImmutableList(shape);
        Objects.checkFromIndexSize(offset, TensorEntry.size(shape), values.length);
    }

    int size() {
        return (int) TensorEntry.size(shape);
    }

    TensorEntry entry(long begin) {
        return new TensorEntry(name, TensorType.F32, shape, begin, begin + (long) size() * Float.BYTES);
    }

    /** Appends elements to a buffer, starting with the element {@code first}. */
    void encodeInto(ByteBuffer target, int first, int length) {
        target.asFloatBuffer().put(values, offset + first, length);
        target.position(target.position() + length * Float.BYTES);
    }
}
