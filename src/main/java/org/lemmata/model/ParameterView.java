package org.lemmata.model;

import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.random.PhiloxGenerator;

/**
 * A named matrix or vector within the flat array of parameters: element (i, j) at {@code offset + i * columns + j}.
 *
 * <p>Maps are stored inputs x outputs, tables a row an entry.
 *
 * @param role what it is for
 * @param layer the layer, counted from 0, or {@link #NO_LAYER}
 * @param vector whether it is a vector, then of one row
 * @param rows number of rows
 * @param columns number of columns
 * @param offset index of element (0, 0)
 */
public record ParameterView(ParameterRole role, int layer, boolean vector, int rows, int columns, int offset) {

    /** The layer of what belongs to none. */
    public static final int NO_LAYER = -1;

    /** The name, as weights are stored under it. */
    public String name() {
        return role.name(layer);
    }

    /** The parameter, or its gradient, in an array, as operations take it. */
    public Matrix in(float[] array) {
        return Matrix.of(array, offset, rows, columns, columns);
    }

    /**
     * Overwrites the parameter's elements in an array, in their order, by random numbers of its own, which a key, its
     * role and layer name.
     *
     * @param scale of the numbers, which are then added to {@code mean}
     * @param numbers how each is drawn
     */
    void drawInto(float[] values, double mean, double scale, ToDoubleFunction<RandomGenerator> numbers, long key) {
        // The hash of a string is specified: the numbers stay the same when roles are added.
        RandomGenerator random = new PhiloxGenerator(key, role.name().hashCode(), layer);
        for (int i = offset; i < offset + size(); i++) {
            values[i] = (float) (scale == 0 ? mean : mean + scale * numbers.applyAsDouble(random));
        }
    }

    public int size() {
        return Math.multiplyExact(rows, columns);
    }
}
