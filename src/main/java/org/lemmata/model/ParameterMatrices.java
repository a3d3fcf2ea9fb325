package org.lemmata.model;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/** The parameters in an array, or their gradients, as operations take them: views made once. */
final class ParameterMatrices {

    private final float[] array;
    private final Map<ParameterRole, @Nullable Matrix[]> matrices = new EnumMap<>(ParameterRole.class);

    ParameterMatrices(List<ParameterView> layout, float[] array) {
        this.array = array;
        int layers = 0;
        for (ParameterView view : layout) {
            layers = Math.max(layers, view.layer() + 1);
        }
        for (ParameterView view : layout) {
            @Nullable Matrix[] ofRole = new Matrix[Math.max(1, layers)];
            @Nullable Matrix[] before = matrices.putIfAbsent(view.role(), ofRole);
            (before == null ? ofRole : before)[Math.max(view.layer(), 0)] =
                    Matrix.of(array, view.offset(), view.rows(), view.columns(), view.columns());
        }
    }

    /** Those in another array, which are these if it is the same. */
    @SuppressWarnings("ReferenceEquality") // The question is whether it is the array itself.
    static ParameterMatrices of(@Nullable ParameterMatrices last, List<ParameterView> layout, float[] array) {
        return last != null && last.array == array ? last : new ParameterMatrices(layout, array);
    }

    /** A parameter, or null if it is not there; layers are counted from 0. */
    @Nullable
    Matrix find(ParameterRole role, int layer) {
        @Nullable Matrix[] ofRole = matrices.get(role);
        return ofRole == null ? null : ofRole[Math.max(layer, 0)];
    }

    /** A parameter that is there. */
    Matrix get(ParameterRole role, int layer) {
        Matrix matrix = find(role, layer);
        if (matrix == null) {
            throw new AssertionError("no " + role.name(layer));
        }
        return matrix;
    }
}
