package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.construct.length.AuxiliaryStringPrinted;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.PositionCounts;

/**
 * Random pairs of heads, with a family of sequences that grow as epsilon falls, that lead into one of the gaps of the
 * printed auxiliary string.
 */
enum StringGap {
    /**
     * |z| is below the hardmax length, here 40 / epsilon² and more, by a margin of 1/2: at |z| = 1 / epsilon² each
     * token that f should not see weighs epsilon, and there are 1 / epsilon² of them beside 1 / epsilon others. Delta =
     * 1.
     */
    HARDMAX("a string below the hardmax length"),
    /** Counts that no sequence has, filled up in 21 ways. Delta = 2, H = 2. */
    POSITIONS("counts that positions cannot hold");

    private final String label;

    StringGap(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /**
     * A pair, for any epsilon.
     *
     * @param scoresOfF which classes f prefers, 1 or 0; any class asks the same
     * @param shares of each class: of |x|
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Draw(StringGap gap, double[] scoresOfF, double[] scoresOfG, double[] values, double[] shares) {

        private int period() {
            return gap == POSITIONS ? 2 : 1;
        }

        /** Enough bits for a hardmax length of 40 / epsilon² at a margin of 1/2; or any, at one that makes it 2. */
        private int bits(double epsilon) {
            return gap == HARDMAX ? (int) Math.ceil(margin() * Math.log(40 / (epsilon * epsilon)) / Math.log(2)) : 4;
        }

        private double margin() {
            return gap == HARDMAX ? 0.5 : 4;
        }

        LimitFunction function(boolean g, double epsilon) {
            double[] row = Arrays.stream(g ? scoresOfG : scoresOfF)
                    .map(score -> margin() * score)
                    .toArray();
            double[][] scores = new double[row.length][];
            Arrays.fill(scores, row);
            double[][] rows = Arrays.stream(values)
                    .mapToObj(value -> new double[] {value})
                    .toArray(double[][]::new);
            return LimitFunction.linear(
                    new LimitAttention(row.length / period(), period(), scores, new double[] {0}, rows, bits(epsilon)),
                    new double[] {1});
        }

        PositionCounts x(double epsilon) {
            int classes = shares.length;
            long[] counts = new long[classes];
            int period = period();
            // A quarter more than the hardmax length, or far more than the string.
            long perResidue = gap == HARDMAX
                    ? (long) (1.25 * Math.pow(2, bits(epsilon) / margin()))
                    : Math.round(20 / (epsilon * epsilon));
            for (int residue = 0; residue < period; residue++) {
                double total = 0;
                for (int c = residue; c < classes; c += period) {
                    total += shares[c];
                }
                long left = perResidue;
                for (int c = classes - period + residue; c >= residue; c -= period) {
                    counts[c] = c == residue ? left : Math.round(perResidue * shares[c] / total);
                    left -= c == residue ? 0 : counts[c];
                }
            }
            return new PositionCounts(classes / period, period, counts, new int[] {classes / period - 1});
        }

        /** max(|f(x) - f(z)|, |g(x) - g(z)|) / L at one epsilon, for the best way to fill up z. */
        Result at(double epsilon) {
            LimitFunction f = function(false, epsilon);
            LimitFunction g = function(true, epsilon);
            int[] x = x(epsilon).sequence();
            var printed = new AuxiliaryStringPrinted(f.attention(), g.attention(), x, epsilon);
            double fOfX = f.value(x);
            double gOfX = g.value(x);
            boolean gaps = Arrays.stream(printed.gaps()).anyMatch(missing -> missing > 0);
            return (gaps ? IntStream.rangeClosed(0, 20) : IntStream.of(0))
                    .mapToObj(step -> printed.placed(step / 20.0))
                    .map(z -> new Result(
                            epsilon,
                            Math.max(Math.abs(fOfX - f.value(z)) / f.norm(), Math.abs(gOfX - g.value(z)) / g.norm()),
                            String.format(
                                    Locale.ROOT,
                                    "|x| = %d, |z| = %d: f = %.3f and %.3f, g = %.3f and %.3f",
                                    x.length,
                                    z.length,
                                    fOfX,
                                    f.value(z),
                                    gOfX,
                                    g.value(z))))
                    .min((a, b) -> Double.compare(a.error(), b.error()))
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return "Delta = " + period() + ", f prefers " + Arrays.toString(scoresOfF) + ", g "
                    + Arrays.toString(scoresOfG) + ", values " + Arrays.toString(values) + ", shares "
                    + Arrays.toString(shares);
        }
    }

    /**
     * An error.
     *
     * @param error over L
     * @param text what f and g say of x and z
     */
    record Result(double epsilon, double error, String text) {

        /** error / (2 epsilon). */
        double excess() {
            return error / (2 * epsilon);
        }
    }

    /**
     * Four classes: four tokens, or two at two residues. Each head prefers one at least, and not all; g often the
     * others.
     */
    Draw draw(RandomGenerator random) {
        // Hundredths, so that a counterexample can be written down.
        double[] shares = random.doubles(4)
                .map(u -> Math.ceil(100 * Math.pow(10, -1.5 * u)) / 100)
                .toArray();
        double[] scoresOfF = preference(random);
        double[] others = Arrays.stream(scoresOfF).map(score -> 1 - score).toArray();
        return new Draw(
                this,
                scoresOfF,
                random.nextBoolean() ? others : preference(random),
                random.doubles(4).map(u -> u < 0.5 ? -1 : 1).toArray(),
                shares);
    }

    private static double[] preference(RandomGenerator random) {
        int subset = random.nextInt(1, 15);
        return IntStream.range(0, 4).mapToDouble(c -> subset >> c & 1).toArray();
    }

    static List<StringGap> all() {
        return List.of(values());
    }
}
