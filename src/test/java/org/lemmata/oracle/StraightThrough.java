package org.lemmata.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Binary64 numbers that record their operands; the chain rule gives derivatives, newest number first. */
final class StraightThrough {

    private final List<Value> made = new ArrayList<>();
    private final boolean remembers;
    private final DoubleUnaryOperator gradientRounding;

    /**
     * @param remembers whether derivatives are needed
     * @param gradientRounding rounds the derivative with respect to each {@link #leaf} or {@link #rounded} number
     */
    StraightThrough(boolean remembers, DoubleUnaryOperator gradientRounding) {
        this.remembers = remembers;
        this.gradientRounding = gradientRounding;
    }

    /** A number. */
    static final class Value {

        final double value;

        /** The derivative with respect to this number, complete once all numbers that depend on it were processed. */
        double gradient;

        private final boolean complete;
        private final Value[] of;
        private final double[] slopes;

        private Value(double value, boolean complete, Value[] of, double[] slopes) {
            this.value = value;
            this.complete = complete;
            this.of = of;
            this.slopes = slopes;
        }
    }

    /** A number that depends on nothing. */
    Value leaf(double value) {
        return keep(new Value(value, true, new Value[0], new double[0]));
    }

    /** A number with its derivatives with respect to its operands. */
    Value of(double value, Value[] of, double[] slopes) {
        return remembers ? keep(new Value(value, false, of, slopes)) : new Value(value, false, of, slopes);
    }

    /** A rounded number, whose derivative ignores the rounding. */
    Value rounded(double value, Value of) {
        return keep(new Value(value, true, new Value[] {of}, new double[] {1}));
    }

    private Value keep(Value value) {
        if (remembers) {
            made.add(value);
        }
        return value;
    }

    /** Propagates the derivatives that have been set to all operands. */
    void back() {
        for (Value value : made.reversed()) {
            if (value.complete) {
                value.gradient = gradientRounding.applyAsDouble(value.gradient);
            }
            for (int i = 0; i < value.of.length && value.gradient != 0; i++) {
                value.of[i].gradient += value.slopes[i] * value.gradient;
            }
        }
    }
}
