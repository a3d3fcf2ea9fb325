package org.lemmata.oracle;

import org.apache.commons.numbers.gamma.Erfc;

/** Activation functions and their derivatives in binary64, without cancellation for negative x. */
public final class ExactActivation {

    private static final double TANH_SCALE = Math.sqrt(2 / Math.PI);
    private static final double TANH_CUBE = 0.044715;

    private ExactActivation() {}

    /** The function that the kernels have under a name. */
    public static double value(String name, double x) {
        return switch (name) {
            case "RELU" -> Math.max(0, x);
            case "GELU" -> gelu(x);
            case "TANH_GELU" -> tanhGelu(x);
            default -> StrictMath.cos(x);
        };
    }

    public static double slope(String name, double x) {
        return switch (name) {
            case "RELU" -> x > 0 ? 1 : 0;
            case "GELU" -> tail(-x) + geluTerm(x);
            case "TANH_GELU" -> tanhTail(-x) + tanhGeluTerm(x);
            default -> -StrictMath.sin(x);
        };
    }

    /** x Phi(x). */
    private static double gelu(double x) {
        return x == Double.NEGATIVE_INFINITY ? -0.0 : x * tail(-x);
    }

    /** x phi(x). */
    public static double geluTerm(double x) {
        return Double.isInfinite(x) ? 0 : x * StrictMath.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }

    /** 1 - Phi(x). */
    public static double tail(double x) {
        return Erfc.value(x / Math.sqrt(2)) / 2;
    }

    /** x (1 + tanh u) / 2. */
    static double tanhGelu(double x) {
        return x == Double.NEGATIVE_INFINITY ? -0.0 : x * tanhTail(-x);
    }

    /** x u' (1 - tanh^2 u) / 2. */
    public static double tanhGeluTerm(double x) {
        double product = tanhTail(x) * tanhTail(-x);
        return product == 0 ? 0 : x * 2 * TANH_SCALE * (1 + 3 * TANH_CUBE * x * x) * product;
    }

    /** (1 - tanh u) / 2 = 1 / (1 + e^(2u)), u = sqrt(2 / pi) (x + 0.044715 x^3). */
    public static double tanhTail(double x) {
        return 1 / (1 + StrictMath.exp(2 * TANH_SCALE * x * (1 + TANH_CUBE * x * x)));
    }
}
