package org.lemmata.task.length;

import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * sigma: the map of z in [-1, 1] to the value of a sequence of {@link SimpleTask}.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 5: "for some function sigma: R -&gt; R".
 */
@FunctionalInterface
public interface LinkFunction {

    double apply(double z);

    /** sin(omega z), the link of the paper's experiments. */
    record Sine(double omega) implements LinkFunction {

        public Sine {
            Refuse.when(!Double.isFinite(omega), "omega", "a finite number", omega);
        }

        @Override
        public double apply(double z) {
            return Math.sin(omega * z);
        }
    }

    record Identity() implements LinkFunction {

        @Override
        public double apply(double z) {
            return z;
        }
    }

    record Absolute() implements LinkFunction {

        @Override
        public double apply(double z) {
            return Math.abs(z);
        }
    }

    /**
     * a_0 + a_1 z + a_2 z^2 + ...
     *
     * @param coefficients a_0, a_1, ..., at least one; the sum of their magnitudes is finite in binary32
     */
    record Polynomial(List<Double> coefficients) implements LinkFunction {

        public Polynomial {
            coefficients = List.copyOf(coefficients);
            // No value is larger than the sum of the magnitudes.
            double most = coefficients.stream().mapToDouble(Math::abs).sum();
            if (coefficients.isEmpty() || !Float.isFinite((float) most)) {
                throw new IllegalArgumentException(
                        "coefficients: expected at least one, with a sum of magnitudes that is finite in binary32, got "
                                + coefficients);
            }
        }

        @Override
        public double apply(double z) {
            double value = 0;
            for (double coefficient : coefficients.reversed()) {
                value = value * z + coefficient;
            }
            return value;
        }
    }
}
