package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.oracle.ExactRoundedAttention;
import org.lemmata.oracle.ExactRounding;

/** Tests for every rounded attention. Those of {@link ScalarAttentionTest} run with tensors rounded to binary32. */
class ScalarRoundedAttentionTest extends ScalarAttentionTest {

    private static final Rounding BINARY32 = Rounding.toNearestEven(FloatFormat.BINARY32);
    private static final Rounding BINARY16 = Rounding.toNearestEven(FloatFormat.BINARY16);
    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);

    /** Three significand bits: 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, ... */
    private static final Rounding THREE_BITS = Rounding.toNearestEven(new FloatFormat("three bits", 3, -14, 15));

    Attention attention(AttentionRounding sites, Workers workers) {
        return new ScalarRoundedAttention(sites, RoundingStreams.NONE);
    }

    private Attention attention(AttentionRounding sites) {
        return attention(sites, Workers.caller());
    }

    @Override
    protected final Attention attention(Workers workers) {
        return attention(new AttentionRounding(BINARY32, BINARY32, null, BINARY32, BINARY32), workers);
    }

    /**
     * Rounding binary32 results to binary32 changes nothing. If sums are also rounded, products and sums equal those of
     * the reference.
     */
    @ParameterizedTest
    @EnumSource
    void sitesOfBinary32ChangeNothingButTheFusedSums(Weighting weighting) {
        for (AttentionCase inputs : cases(weighting)) {
            List<float[]> unrounded = inputs.everything(attention(new AttentionRounding(null, null, null, null, null)));
            List<float[]> tensors =
                    inputs.everything(attention(new AttentionRounding(BINARY32, BINARY32, null, BINARY32, BINARY32)));
            List<float[]> sums = inputs.everything(
                    attention(new AttentionRounding(BINARY32, BINARY32, BINARY32, BINARY32, BINARY32)));
            List<float[]> scalar = inputs.everything(new ScalarAttention());
            for (int i = 0; i < unrounded.size(); i++) {
                assertThat(tensors.get(i)).as("array %d", i).isEqualTo(unrounded.get(i));
                assertClose(sums.get(i), unrounded.get(i));
                assertClose(sums.get(i), scalar.get(i));
            }
        }
    }

    /** For hardmax of integers, every sum is exact or has a single rounding, so all implementations agree. */
    @Test
    void hardmaxOfIntegersHasTheBitsOfTheScalarReference() {
        for (int headWidth : new int[] {1, 3, 16, 65}) {
            AttentionShape shape = new AttentionShape(Weighting.HARDMAX, 2, headWidth, 0.25f);
            AttentionCase inputs = AttentionCase.integers(shape, headWidth, 140, 0, 7);
            float[] expected = inputs.run(new ScalarAttention());
            for (AttentionRounding sites : List.of(
                    new AttentionRounding(null, null, null, null, null),
                    new AttentionRounding(BINARY32, BINARY32, null, BINARY32, BINARY32),
                    new AttentionRounding(BINARY32, BINARY32, BINARY32, BINARY32, BINARY32))) {
                assertThat(inputs.run(attention(sites))).isEqualTo(expected);
            }
        }
    }

    static List<AttentionCase> cases(Weighting weighting) {
        List<AttentionCase> cases = new ArrayList<>();
        for (int headWidth : new int[] {1, 3, 16, 65}) {
            cases.add(AttentionCase.normal(AttentionCase.shape(weighting, 2, headWidth), headWidth, 40, 0, 7));
            cases.add(AttentionCase.integers(AttentionCase.shape(weighting, 2, headWidth), headWidth, 40, 0, 7));
        }
        // Subnormal products, sums and quotients.
        AttentionCase tiny = AttentionCase.normal(AttentionCase.shape(weighting, 1, 4), 1, 80);
        for (int i = 0; i < tiny.values().length; i++) {
            tiny.queries()[i] *= 1e-20f;
            tiny.keys()[i] *= 1e-20f;
            tiny.values()[i] *= 1e-42f;
        }
        cases.add(tiny);
        AttentionShape options = AttentionCase.shape(weighting, 3, 5)
                .withIdentities(7)
                .withScoreBias(9)
                .withLogLength(LogLength.SEEN);
        cases.add(AttentionCase.normal(options, 2, 20, 0, 7));
        cases.add(AttentionCase.normal(options.withLogLength(LogLength.SEQUENCE), 4, 20, 0, 7));
        cases.add(AttentionCase.normal(options.withoutMask(), 3, 20, 0, 7));
        return cases;
    }

    private static void assertClose(float[] actual, float[] expected) {
        double maximum = 1e-38;
        for (float number : expected) {
            maximum = Math.max(maximum, Math.abs(number));
        }
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i]).as("element %d", i).isCloseTo(expected[i], within(2e-5 * maximum));
        }
    }

    static List<Rounding> roundings() {
        return List.of(
                BINARY16,
                BFLOAT16,
                new Rounding(FloatFormat.BINARY16, Rounding.Mode.TOWARD_ZERO, false, true),
                THREE_BITS,
                Rounding.toNearestEven(new ThresholdFormat(4)));
    }

    @ParameterizedTest
    @MethodSource("roundings")
    void everyOutputIsANumberOfTheFormat(Rounding rounding) {
        for (Weighting weighting : Weighting.values()) {
            AttentionShape shape =
                    AttentionCase.shape(weighting, 2, 9).withIdentities(5).withScoreBias(4);
            AttentionCase inputs = AttentionCase.normal(shape, 13, 40, 0, 11);
            AttentionOutputs exact = inputs.forward(new ScalarAttention());
            List<float[]> exactGradients = AttentionCase.arrays(inputs.backward(new ScalarAttention()));
            for (AttentionRounding sites : List.of(
                    new AttentionRounding(rounding, rounding, null, rounding, rounding),
                    new AttentionRounding(rounding, rounding, rounding, rounding, rounding))) {
                AttentionOutputs outputs = inputs.forward(attention(sites));
                assertThat(outputs.outputs()).isNotEqualTo(exact.outputs());
                assertThat(outputs.identityOutputs()).isNotEqualTo(exact.identityOutputs());
                checkRounded(outputs.outputs(), rounding);
                checkRounded(outputs.identityOutputs(), rounding);
                List<float[]> gradients = AttentionCase.arrays(inputs.backward(attention(sites)));
                assertThat(gradients.get(3)).isNotEqualTo(exactGradients.get(3));
                // Only queries, keys and values: other gradients are sums, which the caller rounds.
                gradients.subList(0, 3).forEach(gradient -> checkRounded(gradient, rounding));
            }
        }
    }

    private static void checkRounded(float[] actual, Rounding rounding) {
        for (float number : actual) {
            assertThat(rounding.round(number)).isEqualTo(number);
        }
    }

    /** Outputs of one head of width 1. */
    private float[] run(AttentionRounding sites, Weighting weighting, float[] queries, float[] keys, float[] values) {
        AttentionShape shape = new AttentionShape(weighting, 1, queries.length / values.length, 1);
        float[] wideValues = new float[queries.length];
        for (int i = 0; i < values.length; i++) {
            wideValues[i * shape.headWidth()] = values[i];
        }
        float[] outputs =
                new AttentionCase(shape, new int[] {values.length}, queries, keys, wideValues).run(attention(sites));
        float[] first = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            first[i] = outputs[i * shape.headWidth()];
        }
        return first;
    }

    private static float[] ones(int length) {
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** 1 + 8 = 9 is a tie and is rounded to 8; then 8 + 1 is rounded to 8; weights sum to 3. */
    @Test
    void everyAdditionOfValuesIsRounded() {
        AttentionRounding sites = new AttentionRounding(null, null, THREE_BITS, null, null);
        assertThat(run(sites, Weighting.UNIFORM, ones(3), ones(3), new float[] {1, 8, 1}))
                .containsExactly(1, 4, 8f / 3);
    }

    /** With three bits, a sum of ones never exceeds 8, neither the sum of weights nor that of values. */
    @Test
    void theSumOfWeightsIsRounded() {
        AttentionRounding sites = new AttentionRounding(null, null, THREE_BITS, null, null);
        float[] values = ones(12);
        values[8] = 4;
        assertThat(run(sites, Weighting.UNIFORM, ones(12), ones(12), values))
                .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1.5f, 1.5f, 1.5f, 1.5f);
    }

    /** 1.4375 is rounded to 1.5, and the tie 4 + 1.5 to 6, whereas 4 + 1.4375 would be rounded to 5. */
    @Test
    void everyProductIsRoundedBeforeItIsAdded() {
        AttentionRounding sites = new AttentionRounding(null, null, THREE_BITS, null, null);
        assertThat(run(sites, Weighting.UNIFORM, ones(2), ones(2), new float[] {4, 1.4375f}))
                .containsExactly(4, 3);
        float[] keys = {4, 1.4375f, 6, 0};
        assertThat(run(sites, Weighting.HARDMAX, ones(4), keys, new float[] {2, 4}))
                .containsExactly(2, 3);
    }

    /** 2.2 is rounded to 2, (2.2 + 2.8) / 2 = 2.5 is exact, and 7 / 3 is rounded to 2.5: sums are not rounded. */
    @Test
    void outputsAreRoundedOnce() {
        AttentionRounding sites = new AttentionRounding(null, null, null, THREE_BITS, null);
        assertThat(run(sites, Weighting.UNIFORM, ones(3), ones(3), new float[] {2.2f, 2.8f, 2}))
                .containsExactly(2, 2.5f, 2.5f);
    }

    /** The mean of values 1.75 is 1.75 except for the rounding error of their sum, which decides in directed modes. */
    @Test
    void directedModesRoundTheExactQuotientAndNotThatOfBinary32() {
        Random random = new Random(20251122);
        int[] down = new int[2];
        for (int n = 0; n < 300; n++) {
            float score = -random.nextFloat();
            float weight = ScalarExp.exp(score);
            float total = 1 + weight;
            float sum = Math.fma(weight, 1.75f, 1.75f);
            boolean below = sum < 1.75 * total;
            Rounding towardZero = new Rounding(THREE_BITS.format(), Rounding.Mode.TOWARD_ZERO, true, false);
            AttentionRounding sites = new AttentionRounding(null, null, null, towardZero, null);
            assertThat(run(sites, Weighting.SOFTMAX, ones(2), new float[] {0, score}, new float[] {1.75f, 1.75f}))
                    .as("score %s", score)
                    .containsExactly(1.75f, below ? 1.5f : 1.75f);
            down[below ? 1 : 0]++;
        }
        assertThat(down).doesNotContain(0);
    }

    /** 1024 - 2^-60 has 70 bits and is 1024 in binary64, but rounding toward zero must give a smaller number. */
    @Test
    void directedRoundingSeesSumsThatBinary64CannotHold() {
        Rounding towardZero = new Rounding(FloatFormat.BINARY16, Rounding.Mode.TOWARD_ZERO, true, false);
        AttentionRounding sites = new AttentionRounding(null, null, towardZero, null, null);
        // 1024 - 2^-24 has 34 bits; 1023.5 is the number of binary16 below it.
        assertThat(run(sites, Weighting.UNIFORM, ones(2), ones(2), new float[] {1024, -0x1p-24f}))
                .containsExactly(1024, 1023.5f / 2);
        Rounding wide = new Rounding(new FloatFormat("wide", 11, -126, 127), Rounding.Mode.TOWARD_ZERO, true, false);
        assertThat(run(
                        new AttentionRounding(null, null, wide, null, null),
                        Weighting.UNIFORM,
                        ones(2),
                        ones(2),
                        new float[] {1024, -0x1p-60f}))
                .containsExactly(1024, 1023.5f / 2);
    }

    @Test
    void gradientsAreRoundedOnce() {
        AttentionShape shape = new AttentionShape(Weighting.UNIFORM, 1, 1, 1);
        AttentionCase inputs = new AttentionCase(shape, new int[] {3}, ones(3), ones(3), ones(3));
        Arrays.fill(inputs.dOutputs().outputs(), 1);
        // 1 + 1/2 + 1/3 = 1.83..., 1/2 + 1/3 = 0.83..., 1/3.
        AttentionRounding sites = new AttentionRounding(null, null, null, null, THREE_BITS);
        assertThat(inputs.backward(attention(sites)).values()).containsExactly(1.75f, 0.875f, 0.3125f);
    }

    /** Compares with the definition in exact arithmetic, rounded by an independent implementation. */
    @ParameterizedTest
    @CsvSource({
        "binary16, false",
        "binary16, true",
        "bfloat16, false",
        "bfloat16, true",
        "ocp_e5m2, false",
        "ocp_e5m2, true"
    })
    void tensorsAndSumsAreThoseOfTheExactOracle(String name, boolean roundsSums) {
        FloatFormat format = (FloatFormat) NumberFormat.find(name).orElseThrow();
        DoubleUnaryOperator exact = ExactRounding.of(format, Rounding.Mode.TIES_TO_EVEN, true, false)::round;
        DoubleUnaryOperator none = x -> x;
        Rounding rounding = Rounding.toNearestEven(format);
        AttentionShape shape = AttentionShape.softmax(1, 6).withScoreBias(4);
        AttentionCase inputs =
                AttentionCase.of(shape, gaussians(format, new Random(format.significandBits())), roundsSums ? 17 : 107);
        // Each site separately, then all.
        for (int site = 0; site < 6; site++) {
            boolean scores = site == 0 || site == 5;
            boolean exponentials = site == 1 || site == 5;
            boolean outputs = site == 2 || site == 5;
            boolean ofGradients = site == 3 || site == 5;
            AttentionRounding sites = new AttentionRounding(
                    scores ? rounding : null,
                    exponentials ? rounding : null,
                    roundsSums ? rounding : null,
                    outputs ? rounding : null,
                    ofGradients ? rounding : null);
            ExactRoundedAttention oracle = new ExactRoundedAttention(
                    scores ? exact : none,
                    exponentials ? exact : none,
                    roundsSums ? exact : null,
                    outputs ? exact : none,
                    ofGradients ? exact : none,
                    ScalarExp::exp,
                    shape.scoreScale(),
                    inputs.inputs().scoreBiases());
            float[][] queries = rows(inputs.queries());
            float[][] keys = rows(inputs.keys());
            float[][] values = rows(inputs.values());
            Attention attention = attention(sites);
            assertThat(rows(inputs.run(attention)))
                    .as("%s", sites)
                    .isDeepEqualTo(positiveZeros(oracle.forward(queries, keys, values)));
            AttentionInputs gradients = inputs.backward(attention);
            ExactRoundedAttention.Gradients expected =
                    oracle.backward(rows(inputs.dOutputs().outputs()), queries, keys, values);
            assertThat(rows(gradients.queries())).as("dq, %s", sites).isDeepEqualTo(positiveZeros(expected.queries()));
            assertThat(rows(gradients.keys())).as("dk, %s", sites).isDeepEqualTo(positiveZeros(expected.keys()));
            assertThat(rows(gradients.values())).as("dv, %s", sites).isDeepEqualTo(positiveZeros(expected.values()));
        }
    }

    /** Random numbers of the format, so that the oracle's sums are exact in binary64. */
    private static Supplier<Float> gaussians(FloatFormat format, Random random) {
        return () -> Rounding.toNearestEven(format).round((float) random.nextGaussian());
    }

    /** Rows of 6; -0 counts as +0. */
    private static float[][] rows(float[] matrix) {
        float[][] rows = new float[matrix.length / 6][6];
        for (int at = 0; at < matrix.length; at++) {
            rows[at / 6][at % 6] = matrix[at] + 0f;
        }
        return rows;
    }

    private static float[][] positiveZeros(float[][] rows) {
        for (float[] row : rows) {
            for (int d = 0; d < row.length; d++) {
                row[d] += 0f;
            }
        }
        return rows;
    }

    /** Gradients ignore roundings: they equal those of unrounded attention except for the errors of tensors. */
    @ParameterizedTest
    @CsvSource({"tf32, false, 3e-3", "binary16, false, 3e-3", "bfloat16, false, 2e-2", "tf32, true, 2e-2"})
    void gradientsAreNearThoseOfFloat64(String format, boolean roundsSums, double bound) {
        Rounding rounding = Rounding.toNearestEven(NumberFormat.find(format).orElseThrow());
        AttentionCase inputs = AttentionCase.normal(AttentionShape.softmax(2, 16), 29, 130, 7);
        AttentionRounding sites = roundsSums
                ? new AttentionRounding(rounding, rounding, rounding, rounding, rounding)
                : new AttentionRounding(rounding, rounding, null, rounding, rounding);
        List<float[]> actual = AttentionCase.arrays(inputs.backward(attention(sites)));
        List<double[]> exact = inputs.exactGradients().exact().arrays();
        for (int i = 0; i < 3; i++) {
            assertThat(relativeError(actual.get(i), exact.get(i), 0))
                    .as("gradients of %s", AttentionCase.GRADIENTS.get(i))
                    .isBetween(1e-5, bound);
        }
    }
}
