package org.lemmata.claim.length.figure;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What an answer reaches that is the same for every sequence of a length T, exactly, by the laws of the two tasks. */
final class ConstantAnswer {

    /** The loss of an answer, by the parameter of the task and by T. */
    @FunctionalInterface
    interface Loss {
        double of(double parameter, int length);
    }

    private ConstantAnswer() {}

    /**
     * E sin²(omega z), z = (c_0 - c_1) / (c_0 + c_1), the loss of the mean, 0. All counts are equally likely, so that
     * of m = c_0 + c_1 there are m + 1 values z = (2c - m) / m, and their cos(2 omega z) sum up to sin(x (m + 1)) /
     * sin(x), x = 2 omega / m.
     */
    static double simpleTask(double omega, int length) {
        // z = 0 where m = 0.
        double cosines = 1;
        for (int m = 1; m <= length; m++) {
            double x = 2.0 * omega / m;
            cosines += Math.sin(x * (m + 1)) / Math.sin(x);
        }
        return (1 - cosines / ((length + 1.0) * (length + 2.0) / 2)) / 2;
    }

    /** The variance of k / m, k uniform from 0 to m, the number of positions that are 0 mod p: (m + 2) / (12 m). */
    static double modPTask(double period, int length) {
        double m = Math.floorDiv(length, (int) period);
        return (m + 2) / (12 * m);
    }

    /** Every value of SimpleTask with sin(omega z), each as likely as any other. */
    static double[] simpleTaskValues(int omega, int length) {
        return IntStream.rangeClosed(0, length)
                .boxed()
                .flatMapToDouble(m ->
                        IntStream.rangeClosed(0, m).mapToDouble(c -> m == 0 ? 0 : Math.sin(omega * (2.0 * c - m) / m)))
                .toArray();
    }

    /** Every value of ModPTask, k = 0, each as likely as any other. */
    static double[] modPTaskValues(int period, int length) {
        int m = length / period;
        return IntStream.rangeClosed(0, m)
                .mapToDouble(ones -> (double) ones / m)
                .toArray();
    }

    /** The maximum share of the values that one answer is within a tolerance of. */
    static double right(double tolerance, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int most = 0;
        int first = 0;
        for (int last = 0; last < sorted.length; last++) {
            while (sorted[last] - sorted[first] > 2 * tolerance) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return (double) most / sorted.length;
    }
}
