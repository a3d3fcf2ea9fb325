package org.lemmata.model;

import org.lemmata.argument.Refuse;
import org.lemmata.number.Rounding;
import org.lemmata.number.Significand;

/** The parameters of a transformer in binary64, in the layout of {@link Parameters}. */
public final class ExactParameters {

    private final Architecture architecture;
    private final double[] values;

    /**
     * @param architecture determines the layout of the array
     * @param values the array, not copied: constructions write into it
     */
    public ExactParameters(Architecture architecture, double[] values) {
        if (values.length != architecture.parameterCount()) {
            throw new IllegalArgumentException(
                    "values: expected " + architecture.parameterCount() + " elements, got " + values.length);
        }
        this.architecture = architecture;
        this.values = values;
    }

    /** Parameters that are all zero. */
    public ExactParameters(Architecture architecture) {
        this(architecture, new double[architecture.parameterCount()]);
    }

    public Architecture architecture() {
        return architecture;
    }

    /** The array, not a copy. */
    public double[] values() {
        return values;
    }

    /** Sets element (row, column) of a parameter outside layers. */
    public void set(ParameterRole role, int row, int column, double value) {
        set(role, ParameterView.NO_LAYER, row, column, value);
    }

    /** Sets element (row, column) of a parameter of a layer; layers count from 0. */
    public void set(ParameterRole role, int layer, int row, int column, double value) {
        ParameterView view = architecture.view(role, layer);
        if (row < 0 || row >= view.rows() || column < 0 || column >= view.columns()) {
            throw new IllegalArgumentException(view.name() + ": expected a place within " + view.rows() + " x "
                    + view.columns() + ", got (" + row + ", " + column + ")");
        }
        values[view.offset() + row * view.columns() + column] = value;
    }

    /** Sets a row of a parameter outside layers. */
    public void setRow(ParameterRole role, int row, double... elements) {
        ParameterView view = architecture.view(role, ParameterView.NO_LAYER);
        System.arraycopy(elements, 0, values, view.offset() + row * view.columns(), view.columns());
    }

    /**
     * These parameters in binary32, if the format of {@code rounding} contains each of them.
     *
     * @throws IllegalArgumentException if a parameter is outside the format or binary32, or not finite; the message
     *     names it
     */
    public Parameters narrow(Rounding rounding) {
        float[] narrow = new float[values.length];
        for (ParameterView view : architecture.layout()) {
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                Refuse.when(!Double.isFinite(values[i]), view.name(), "a finite number", values[i]);
                narrow[i] = (float) values[i];
                if (narrow[i] != values[i] || rounding.round(values[i], 0) != values[i]) {
                    throw new IllegalArgumentException(
                            "format: expected one that contains " + view.name() + " = " + values[i]
                                    + ", which needs " + Significand.bitsOf(values[i]) + " significand bits, got "
                                    + rounding.format().name());
                }
            }
        }
        return new Parameters(architecture, narrow);
    }

    /** The parameters rounded to the nearest binary32 number. */
    public Parameters nearest() {
        float[] nearest = new float[values.length];
        for (int i = 0; i < nearest.length; i++) {
            nearest[i] = (float) values[i];
        }
        return new Parameters(architecture, nearest);
    }
}
