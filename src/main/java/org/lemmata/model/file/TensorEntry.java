package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongImmutableList;
import it.unimi.dsi.fastutil.longs.LongList;

/**
 * The entry of a tensor in the header of a safetensors file. Elements are stored row-major.
 *
 * @param shape the extents; none for a scalar
 * @param begin the first byte, counted from the end of the header
 * @param end the byte after the last byte, counted in the same way
 */
public record TensorEntry(String name, TensorType type, LongList shape, long begin, long end) {

    public TensorEntry {
        shape = new LongImmutableList(shape);
    }

    public long size() {
        return size(shape);
    }

    /** @throws ArithmeticException if the size exceeds a long */
    static long size(LongList shape) {
        long size = 1;
        for (long extent : shape.toLongArray()) {
            size = Math.multiplyExact(size, extent);
        }
        return size;
    }
}
