package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.length.AuxiliaryString.Scheme;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class LimitAttentionTest {

    private static final int TOKENS = 3;

    /** Multiples of 1/4 up to 1, so that scores often tie and are exact in binary32. */
    private static ExactParameters draw(Architecture architecture, RandomGenerator random) {
        double[] values = new double[architecture.parameterCount()];
        Arrays.setAll(values, i -> random.nextInt(-4, 5) / 4.0);
        return new ExactParameters(architecture, values);
    }

    private static Architecture architecture(
            Weighting weighting, int period, int span, boolean residual, boolean biases, boolean feedForward) {
        return new Architecture(
                new Architecture.Size(TOKENS, 64, 4, 1),
                period == 0 ? PositionOptions.none() : PositionOptions.periodic(period),
                AttentionOptions.softmax(1, 3)
                        .withWeighting(weighting, weighting == Weighting.THRESHOLDED ? 5 : 0)
                        .withScores(0.5f, LogLength.SEQUENCE, span)
                        .withBiases(biases),
                feedForward ? new FeedForwardOptions(6, Activation.Kind.RELU, biases, biases) : null,
                NormalizationOptions.none(),
                residual,
                OutputOptions.regression(biases),
                0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void functionsOfWeightsAreTheModelsInBinary64AndOnTheKernels(long seed) {
        var random = new SplittableRandom(seed);
        for (int period : new int[] {0, 1, 2, 3}) {
            for (int span : new int[] {0, 1, 3}) {
                Architecture architecture = architecture(
                        Weighting.THRESHOLDED,
                        period,
                        span,
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean());
                ExactParameters parameters = draw(architecture, random);
                LimitFunction f = LimitFunction.of(parameters);
                LanguageModel reference = new ReferenceTransformer(parameters);
                LanguageModel kernels = new Transformer(
                        parameters.narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), Kernels.best());
                for (int length : new int[] {1, 2, 3, 4, 7, 16, 32, 61, 64}) {
                    int[] x = random.ints(length, 0, TOKENS).toArray();
                    Batch batch = Batch.of(List.of(x));
                    String what = "seed " + seed + ", " + architecture + ", x = " + Arrays.toString(x);
                    assertThat(f.value(x)).as(what).isCloseTo(last(reference, batch), within(1e-12));
                    assertThat(f.value(x)).as(what).isCloseTo(last(kernels, batch), within(2e-4));
                    PositionCounts counts = PositionCounts.of(x, TOKENS, Math.max(1, period), Math.max(1, span));
                    assertThat(f.value(counts)).as(what).isCloseTo(f.value(x), within(1e-12));
                    assertThat(f.value(counts.sequence())).as(what).isCloseTo(f.value(x), within(1e-12));
                }
            }
        }
    }

    private static double last(LanguageModel model, Batch batch) {
        double[] logits = model.logits(batch);
        return logits[logits.length - 1];
    }

    /** In binary64, 0.1 + 0.2 and 0.3 differ only by the rounding of the sum. */
    @Test
    void scoresThatAreEqualAreEqualNumbers() {
        Architecture architecture = new Architecture(
                new Architecture.Size(2, 64, 3, 1),
                PositionOptions.none(),
                AttentionOptions.softmax(1, 3)
                        .withWeighting(Weighting.THRESHOLDED, 5)
                        .withScores(1, LogLength.SEEN, 0)
                        .withOutputProjection(false),
                null,
                NormalizationOptions.none(),
                true,
                OutputOptions.regression(false),
                0);
        var parameters = new ExactParameters(architecture);
        double[] values = parameters.values();
        double[][] embeddings = {{0.1, 0.2, 0.7}, {0.7, 0.2, 0.1}};
        System.arraycopy(embeddings[0], 0, values, 0, 3);
        System.arraycopy(embeddings[1], 0, values, 3, 3);
        for (int role = 0; role < 2; role++) {
            for (int i = 0; i < 9; i++) {
                values[6 + 9 * role + i] = role == 0 ? 1 : i % 4 == 0 ? 1 : 0;
            }
        }
        assertThat(0.1 + 0.2 + 0.7).isNotEqualTo(0.7 + 0.2 + 0.1);
        assertThat(LogitMargin.corrected(LimitAttention.of(parameters))).isInfinite();
    }

    @Test
    void otherArchitecturesAreRefusedInALine() {
        Architecture good = architecture(Weighting.THRESHOLDED, 2, 1, true, true, true);
        List<Architecture> others = List.of(
                good.withLayers(2),
                good.withPositions(PositionOptions.table()),
                good.withOutput(OutputOptions.nextToken(false)),
                good.withNormalization(NormalizationOptions.layer(NormalizationOptions.Placement.PRE)),
                good.withAttention(good.attention().withIdentities(true)),
                good.withAttention(good.attention().withScores(1, LogLength.NONE, 0)),
                good.withAttention(good.attention().withMask(Mask.NONE)),
                good.withFeedForward(new FeedForwardOptions(6, Activation.Kind.GELU, true, true)),
                architecture(Weighting.SOFTMAX, 2, 1, true, true, true));
        assertThat(others)
                .allSatisfy(
                        architecture -> assertThatThrownBy(() -> LimitFunction.of(new ExactParameters(architecture)))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageMatching("[a-zA-Z]+: expected .*, got .*"));
    }

    @Test
    void badTablesAndSequencesAreRefusedInALine() {
        double[][] one = {{0}};
        assertThatThrownBy(() -> new LimitAttention(2, 1, one, new double[] {0}, one, 1))
                .hasMessage("scores: expected 2 rows of at least 1 column, got 1 of 2");
        assertThatThrownBy(() -> new LimitAttention(1, 1, new double[][] {{Double.NaN}}, new double[] {0}, one, 1))
                .hasMessage("scores: expected 1 finite numbers in row 0, got [NaN]");
        var attention = new LimitAttention(1, 1, one, new double[] {0}, one, 1);
        assertThatThrownBy(() -> attention.output(new int[] {0, 1})).hasMessage("token: expected 0 to 0, got 1");
        assertThatThrownBy(() -> attention.output(new int[0]))
                .hasMessage("sequence: expected at least 1 token, got" + " none");
        assertThatThrownBy(() -> new PositionCounts(1, 2, new long[] {1, 2}, new int[] {0}))
                .hasMessage("counts: expected 2 positions of residue 0 among the first 3, got 1");
    }

    /** By hand: e = 0.4 / (2 * 2) = 0.1, C = 1 + 2 + 3 * 2 / 4 = 4.5, ceil(1.2 * 4.5 / 0.01) = 540, 2 * 540 + 3. */
    @Test
    void theConstantsAreThoseOfTheFormula() {
        var bound = new GeneralizationBound(3, 2, 1, 64, 1, 1, 0.4);
        assertThat(bound.resolution()).isEqualTo(0.1);
        assertThat(bound.corrected()).isEqualTo(1083);
        assertThat(new GeneralizationBound(3, 2, 1, 5000, 1, 1, 0.4).corrected())
                .isEqualTo(5001);
        assertThat(new GeneralizationBound(3, 2, 1, 1, 1, 1, 1e9).resolution()).isEqualTo(1);
    }

    /** 1 / e whole, so that (1 + 2 e) C / e² is a multiple of 1/4. */
    @Test
    void lengthsAreThoseOfWholeNumberArithmetic() {
        for (int quarters : new int[] {6, 10, 14, 16, 21}) {
            int tau = (quarters - 6) / 4;
            int tokens = quarters - 4 - 4 * tau;
            for (long i = 1; i < 20_000; i++) {
                long expected = Math.ceilDiv(i * (i + 2) * quarters, 4L);
                assertThat(GeneralizationBound.positionsOfResidue(tokens, 1, tau, 1.0 / i))
                        .as("C = %d / 4, e = 1/%d", quarters, i)
                        .isEqualTo(expected);
            }
        }
    }

    /** 3 (2^31 + 1/4), rounded up, and 2^31. */
    @Test
    void theMaxLocalityIsCounted() {
        assertThat(GeneralizationBound.stringLength(1, 1, Integer.MAX_VALUE, 1, 1))
                .isEqualTo((1L << 33) + 1);
    }

    /** One token of value 2, A = 3, B = 1: the printed L is 6, without u. tau = 0 counts as 1. */
    @Test
    void thePrintedBoundLeavesTheUnembeddingOut() {
        var attention = new LimitAttention(1, 1, new double[1][1], new double[] {0}, new double[][] {{2}}, 1);
        var f = new LimitFunction(
                attention, null, new double[][] {{3}}, new double[] {0}, new double[][] {{1}}, new double[] {10}, 0);
        assertThat(f.factors().printed()).isEqualTo(6);
        assertThat(f.norm()).isEqualTo(60);
        assertThat(GeneralizationBound.printed(f, f, 0.5)).isEqualTo(144);
        assertThat(GeneralizationBound.of(f, f, 0.5).normOfG()).isEqualTo(60);
    }

    @Test
    void hardmaxLengthsAreExactWhereTheyArePowers() {
        assertThat(LogitMargin.hardmaxLength(8, 2)).isEqualTo(16);
        assertThat(LogitMargin.hardmaxLength(10, 1)).isEqualTo(1024);
        assertThat(LogitMargin.hardmaxLength(5, 2)).isEqualTo(6);
        assertThat(LogitMargin.hardmaxLength(45, 1)).isEqualTo(1L << 45);
        assertThat(LogitMargin.hardmaxLength(7, Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(LogitMargin.hardmaxLength(1, 1e9)).isEqualTo(2);
    }

    /** In binary64, 0.1 + 0.2 and 0.3 do not tie, not even with an exact sum; quarters and eighths do. */
    @Test
    void tiesThatRoundingBreaksAreRefusedInALine() {
        assertThat(exact(0.1).add(exact(0.2))).isGreaterThan(exact(0.3));
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(head(0.1, 0.2, 0.3)))
                .hasMessage("margin: expected at least 0.17777777777777778 for 8 bits, got " + (0.1 + 0.2 - 0.3)
                        + ", a tie except for rounding? Multiples of a power of two add exactly");
        assertThat(LogitMargin.hardmaxLength(head(0.125, 2, 2.125))).isEqualTo(1 << 4);
    }

    private static BigDecimal exact(double number) {
        return new BigDecimal(number);
    }

    /** Two scores, which tie if phi(0) is added to one of them. */
    private static LimitAttention head(double score, double phi, double other) {
        double[][] scores = {{score, other}, {score, other}};
        return new LimitAttention(2, 1, scores, new double[] {phi}, new double[2][1], 8);
    }

    @Test
    void whatIsOutOfRangeIsRefusedInALine() {
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(90, 1))
                .hasMessage("margin: expected at least 2.0 for 90 bits, got 1.0");
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(1, 0))
                .hasMessage("bits, margin: expected at least 1 and above 0, got 1, 0.0");
        assertThatThrownBy(() -> new GeneralizationBound(1, 1, 0, 1, 1, 1, 0))
                .hasMessage("normOfF, normOfG, epsilon: expected at least 0, 0 and above 0, got 1.0, 1.0, 0.0");
        assertThatThrownBy(() -> new GeneralizationBound(1, 1, 0, 1, 1, 1, 1e-9).corrected())
                .hasMessageStartingWith("epsilon: expected one with a bound below 2^53, got a bound of ");
    }

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
