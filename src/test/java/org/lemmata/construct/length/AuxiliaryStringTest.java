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
        Arrays.setAll(scores, c -> random.doubles(classes).map(u -> Math.floor(3 * u)).toArray());
        double[] biases = random.doubles(tau + 1).map(u -> Math.floor(3 * u) - 1).toArray();
        double[][] values = new double[classes][];
        Arrays.setAll(values, c -> random.doubles(2, -1, 1).toArray());
        return new LimitAttention(tokens, period, scores, biases, values, bits);
    }

    /** Each residue has tokens of very different frequencies, and lacks some. */
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
        double greatest = 0;
        double greatestLength = 0;
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
            long bound = GeneralizationBound.stringLength(
                    tokens, period, Math.max(tau, g.locality()), hardmax, e);
            int[] x = sequence(tokens, period, (int) (bound * (1 + 4 * random.nextDouble())), random);
            AuxiliaryString z = AuxiliaryString.of(f, g, x, e);
            String what = "seed " + seed + ", " + z.scheme();
            assertThat((long) z.length()).as(what).isLessThanOrEqualTo(bound).isGreaterThanOrEqualTo(hardmax);
            assertThat((x.length - z.length()) % period).as(what).isZero();
            assertThat(z.totalVariation(f, x)).as(what).isLessThanOrEqualTo(e + 1e-12);
            assertThat(z.totalVariation(g, x)).as(what).isLessThanOrEqualTo(e + 1e-12);
            schemes.merge(z.scheme(), 1, Integer::sum);
            greatest = Math.max(greatest, Math.max(z.totalVariation(f, x), z.totalVariation(g, x)) / e);
            greatestLength = Math.max(greatestLength, (double) z.length() / bound);
        }
        // The bounds are not far off: what is measured is more than a third of them.
        assertThat(greatest).isGreaterThan(1.0 / 3);
        assertThat(greatestLength).isEqualTo(1);
        for (Scheme scheme : Scheme.values()) {
            assertThat(schemes.getOrDefault(scheme, 0)).as("%s", scheme).isGreaterThan(scheme == Scheme.WHOLE ? 0 : 20);
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
    }
}
