package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.length.AuxiliaryString.Scheme;

class AuxiliaryStringTest {

    private static LimitAttention draw(int tokens, int period, int tau, int bits, RandomGenerator random) {
        int classes = tokens * period;
        double[][] scores = new double[classes][];
        Arrays.setAll(
                scores, c -> random.doubles(classes).map(u -> Math.floor(3 * u)).toArray());
        double[] biases =
                random.doubles(tau + 1).map(u -> Math.floor(3 * u) - 1).toArray();
        double[][] values = new double[classes][];
        Arrays.setAll(values, c -> random.doubles(2, -1, 1).toArray());
        return new LimitAttention(tokens, period, scores, biases, values, bits);
    }

    /** Tokens have very different frequencies in each residue, and some are missing. */
    private static int[] sequence(int tokens, int period, int length, RandomGenerator random) {
        double[] weights = random.doubles((long) tokens * period)
                .map(u -> u < 0.3 ? 0 : Math.pow(10, -4 * random.nextDouble()))
                .toArray();
        int[] x = new int[length];
        for (int j = 0; j < length; j++) {
            double total = 0;
            for (int token = 0; token < tokens; token++) {
                total += weights[token * period + j % period];
            }
            double left = random.nextDouble() * total;
            int token = 0;
            while (token < tokens - 1 && (left -= weights[token * period + j % period]) >= 0) {
                token++;
            }
            x[j] = token;
        }
        return x;
    }

    @Test
    void theTotalVariationAndTheLengthKeepTheirBoundsInEveryScheme() {
        Map<Scheme, Integer> schemes = new EnumMap<>(Scheme.class);
        double maximum = 0;
        double maxLength = 0;
        for (int seed = 0; seed < 1500; seed++) {
            var random = new SplittableRandom(seed);
            int tokens = random.nextInt(2, 5);
            int period = random.nextInt(1, 4);
            int tau = random.nextInt(3);
            double e = new double[] {0.5, 0.3, 0.2}[random.nextInt(3)];
            int bits = random.nextInt(1, 10);
            LimitAttention f = draw(tokens, period, tau, bits, random);
            LimitAttention g = draw(tokens, period, random.nextInt(3), bits, random);
            long hardmax = LogitMargin.hardmaxLength(f, g);
            long bound = GeneralizationBound.stringLength(tokens, period, Math.max(tau, g.locality()), hardmax, e);
            int[] x = sequence(tokens, period, (int) (bound * (1 + 4 * random.nextDouble())), random);
            AuxiliaryString z = AuxiliaryString.of(f, g, x, e);
            String what = "seed " + seed + ", " + z.scheme();
            assertThat((long) z.length()).as(what).isLessThanOrEqualTo(bound).isGreaterThanOrEqualTo(hardmax);
            assertThat((x.length - z.length()) % period).as(what).isZero();
            assertThat(z.totalVariation(f, x)).as(what).isLessThanOrEqualTo(e + 1e-12);
            assertThat(z.totalVariation(g, x)).as(what).isLessThanOrEqualTo(e + 1e-12);
            schemes.merge(z.scheme(), 1, Integer::sum);
            maximum = Math.max(maximum, Math.max(z.totalVariation(f, x), z.totalVariation(g, x)) / e);
            maxLength = Math.max(maxLength, (double) z.length() / bound);
        }
        // The bounds are nearly sharp: the largest measured value is more than a third of its bound.
        assertThat(maximum).isGreaterThan(1.0 / 3);
        assertThat(maxLength).isEqualTo(1);
        for (Scheme scheme : Scheme.values()) {
            assertThat(schemes.getOrDefault(scheme, 0)).as("%s", scheme).isGreaterThan(scheme == Scheme.WHOLE ? 0 : 20);
        }
    }

    /**
     * f attends to ten tokens 0, and g to more tokens 1 than the bound. So no residue has a filler, and the string has
     * the maximum length of the bound, with (1 + 2 e) C / e² rounded up once.
     */
    @Test
    void theLengthIsTheBoundHoweverSmallTheErrorAllowed() {
        for (int[] size : new int[][] {{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {3, 0}}) {
            int period = size[0];
            int tau = size[1];
            for (int i = 1; i < 4_000; i++) {
                double e = 1.0 / i;
                long bound = GeneralizationBound.positionsOfResidue(2, period, tau, e);
                long[] counts = new long[2 * period];
                boolean[] fewer = new boolean[2 * period];
                boolean[] more = new boolean[2 * period];
                for (int residue = 0; residue < period; residue++) {
                    counts[residue] = 10;
                    counts[period + residue] = 8 * bound + 1_000;
                    fewer[residue] = true;
                    more[period + residue] = true;
                }
                var x = new PositionCounts(2, period, counts, new int[tau + period]);
                var plan = new AuxiliaryString.Plan(x, tau, e, 0);
                Scheme scheme = plan.choose(
                        new AttendedClasses(fewer, 10L * period), new AttendedClasses(more, period * counts[period]));
                String what = "Delta = " + period + ", tau = " + tau + ", e = 1/" + i;
                assertThat(scheme).as(what).isEqualTo(Scheme.RAISED);
                assertThat(Arrays.stream(plan.rounded()).sum()).as(what).isEqualTo(period * bound);
            }
        }
    }

    /**
     * f attends to just over a share theta of the tokens, g to the rest, so the proportional string is as long as the
     * raised one.
     */
    @Test
    void inProportionTheLengthKeepsTheBoundAtTheShareWhereItBegins() {
        for (int i = 1; i < 4_000; i++) {
            double e = 1.0 / i;
            long bound = GeneralizationBound.positionsOfResidue(2, 1, 1, e);
            // |A_f| / q = 1 / (i + 2) = theta
            long attended = 2 * bound;
            long q = attended * (i + 2);
            var x = new PositionCounts(2, 1, new long[] {attended, q - attended}, new int[2]);
            var plan = new AuxiliaryString.Plan(x, 1, e, 0);
            plan.choose(
                    new AttendedClasses(new boolean[] {true, false}, attended),
                    new AttendedClasses(new boolean[] {false, true}, q - attended));
            assertThat(Arrays.stream(plan.rounded()).sum()).as("e = 1/%d", i).isLessThanOrEqualTo(bound);
        }
    }

    @Test
    void whatIsTooShortOrOutOfRangeIsRefusedInALine() {
        var random = new SplittableRandom(1);
        LimitAttention f = draw(2, 1, 0, 4, random);
        LimitAttention g = draw(2, 2, 0, 4, random);
        assertThatThrownBy(() -> AuxiliaryString.of(f, g, new int[100], 0.1))
                .hasMessage("g: expected f's 2 tokens and period 1, got 2 and 2");
        assertThatThrownBy(() -> AuxiliaryString.of(f, f, new int[100], 0))
                .hasMessage("e: expected a number above 0, at most 1, got 0.0");
        assertThatThrownBy(() -> AuxiliaryString.of(f, f, new int[3], 0.1))
                .hasMessageMatching("x: expected at least the hardmax length of \\d+ tokens, got 3");
        var foreign = new int[Math.toIntExact(LogitMargin.hardmaxLength(f, f))];
        Arrays.fill(foreign, 2);
        assertThatThrownBy(() -> AuxiliaryString.of(f, f, foreign, 0.1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("token: expected 0 to 1, got 2");
    }
}
