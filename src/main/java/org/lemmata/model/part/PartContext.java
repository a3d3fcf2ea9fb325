package org.lemmata.model.part;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.model.Architecture;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;
import org.lemmata.random.RandomStream;

/**
 * The objects that the parts of a model share.
 *
 * @param index the offsets of parameters, which are also the offsets of their gradients
 * @param values the parameters, or their rounded copy, that the passes read
 */
@SuppressWarnings("ArrayRecordComponent") // The trained array; it is never compared or printed.
record PartContext(
        Architecture architecture, ParameterIndex index, float[] values, Kernels kernels, PassRounding rounding) {

    static final float[] NONE = {};

    int width() {
        return architecture.width();
    }

    boolean isPre() {
        return architecture.placement() == Placement.PRE;
    }

    boolean isPost() {
        return architecture.placement() == Placement.POST;
    }

    /** A parameter in an array of parameters or gradients; null if the model does not have the parameter. */
    @Nullable
    Matrix find(float[] array, ParameterRole role, int layer) {
        ParameterView view = index.find(role, layer);
        return view == null ? null : view.in(array);
    }

    Matrix get(float[] array, ParameterRole role, int layer) {
        return Objects.requireNonNull(find(array, role, layer), role::name);
    }

    GainAndShift norm(float[] array, ParameterRole gain, ParameterRole shift, int layer) {
        return new GainAndShift(find(array, gain, layer), find(array, shift, layer));
    }

    /** An array for rows x columns activations, or an empty one if it is not needed. */
    static float[] space(boolean needed, int rows, int columns) {
        return needed ? new float[size(rows, columns)] : NONE;
    }

    /** An array for the statistics of {@code count} norms, or an empty one if it is not needed. */
    float[] statistics(boolean needed, int count) {
        return space(needed, count, architecture.normalization().kind().statistics());
    }

    static int size(int rows, int columns) {
        long size = (long) rows * columns;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("batch: expected fewer than 2^31 activations at any one place, got "
                    + rows + " rows of " + columns);
        }
        return (int) size;
    }

    /** Applies dropout to x, if the model has dropout and {@code dropout} is not null. */
    void drop(PassTensor tensor, int layer, float[] x, int rows, int site, @Nullable DropoutSeed dropout) {
        if (dropout != null && architecture.dropout() > 0) {
            int count = rows * width();
            kernels.dropout().forward(x, 0, x, 0, count, architecture.dropout(), dropout.stream(site));
            rounding.round(tensor, layer, x, rows, width());
        }
    }

    /** If the model has dropout, computes dx from dy, which may be the same array. */
    void dropBackward(
            PassTensor tensor, int layer, float[] dx, float[] dy, int rows, int site, @Nullable DropoutSeed dropout) {
        if (architecture.dropout() > 0) {
            RandomStream stream = Objects.requireNonNull(dropout).stream(site);
            kernels.dropout().backward(dx, 0, dy, 0, rows * width(), architecture.dropout(), stream);
            rounding.roundGradient(tensor, layer, dx, rows, width());
        }
    }

    /** Adds the column sums of {@code from} to the gradient of a vector, if the model has this vector. */
    void addRows(float[] gradients, int vector, float[] from, int rows, int columns) {
        if (vector != ParameterIndex.ABSENT) {
            kernels.arithmetic().addRowsInto(gradients, vector, from, 0, columns, rows, columns);
        }
    }

    /** Copies a parameter, multiplied by {@code factor}, if the model has this parameter. */
    void copy(ParameterRole role, int layer, float[] to, float factor) {
        int offset = index.offset(role, layer);
        if (offset != ParameterIndex.ABSENT) {
            for (int i = 0; i < to.length; i++) {
                to[i] = factor * values[offset + i];
            }
        }
    }

    /** Adds {@code factor} times {@code from} to the gradient of a parameter that {@link #copy} copied. */
    void copyBackward(float[] gradients, ParameterRole role, int layer, float[] from, float factor) {
        int offset = index.offset(role, layer);
        if (offset != ParameterIndex.ABSENT) {
            for (int i = 0; i < from.length; i++) {
                gradients[offset + i] += factor * from[i];
            }
        }
    }
}
