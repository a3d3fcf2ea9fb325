package org.lemmata.measure;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

/**
 * P_1j + ... + P_tj for each column j of a position table P: a curve over t = 1, 2, ...
 *
 * <p>Source: Richard (2024), figures 2 and 7.
 */
public final class PositionSums {

    private final List<double[]> curves;

    /** @throws IllegalArgumentException if the model has no position table */
    public PositionSums(Parameters parameters) {
        Architecture architecture = parameters.architecture();
        ParameterView table = architecture.view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        curves = IntStream.range(0, table.columns())
                .mapToObj(column -> curve(parameters.values(), table, column))
                .toList();
    }

    private static double[] curve(float[] values, ParameterView table, int column) {
        double[] curve = new double[table.rows()];
        double sum = 0;
        for (int row = 0; row < curve.length; row++) {
            sum += values[table.offset() + row * table.columns() + column];
            curve[row] = sum;
        }
        return curve;
    }

    /** One curve per column, not a copy. */
    public List<double[]> curves() {
        return curves;
    }

    /** The root mean square over all curves and positions. */
    public double spread() {
        return Math.sqrt(curves.stream()
                .mapToDouble(curve -> IntStream.range(0, curve.length)
                        .mapToDouble(t -> curve[t] * curve[t])
                        .average()
                        .orElse(0))
                .average()
                .orElse(0));
    }

    /** The root mean square of the last values of all curves. */
    public double endSpread() {
        return Math.sqrt(curves.stream()
                .mapToDouble(curve -> curve[curve.length - 1] * curve[curve.length - 1])
                .average()
                .orElse(0));
    }
}
