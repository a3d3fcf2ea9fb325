package org.lemmata.model;

import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.random.PhiloxGenerator;

/**
 * A named matrix or vector within the flat array of parameters: element (i, j) at {@code offset + i * columns + j}.
 *
 * <p>Maps are stored as inputs x outputs, except for the unembedding: outputs x inputs. Tables have one row per entry.
 *
 * @param role what the parameter is for
 * @param layer the layer, counted from 0, or {@link #NO_LAYER}
 * @param vector whether it is a vector, which has one row
 * @param rows number of rows
 * @param columns number of columns
 * @param offset index of element (0, 0)
 */
public record ParameterView(ParameterRole role, int layer, boolean vector, int rows, int columns, int offset) {

    /** The layer number of parameters that belong to no layer. */
    public static final int NO_LAYER = -1;

    /** The name under which weights files store the parameter. */
    public String name() {
        return role.name(layer);
    }

    /** This parameter, or its gradient, as a matrix in a flat array. */
    public Matrix in(float[] array) {
        return Matrix.of(array, offset, rows, columns, columns);
    }

    /**
     * Overwrites this parameter in {@code values} with random numbers that {@code key} and this parameter's role and
     * layer determine.
     *
     * @param scale the factor of the numbers, before {@code mean} is added
     * @param numbers draws one number
     */
    void drawInto(float[] values, double mean, double scale, ToDoubleFunction<RandomGenerator> numbers, long key) {
        // String.hashCode is specified and does not depend on other roles, so a new role changes no numbers.
        RandomGenerator random = new PhiloxGenerator(key, role.name().hashCode(), layer);
        for (int i = offset; i < offset + size(); i++) {
            values[i] = (float) (scale == 0 ? mean : mean + scale * numbers.applyAsDouble(random));
        }
    }

    public int size() {
        return Math.multiplyExact(rows, columns);
    }
}
