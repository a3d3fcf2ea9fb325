package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.random.RandomStream;

/** SIMD kernels have the bits of the reference, and pass its tests. */
class RoundedAttentionTest extends ScalarRoundedAttentionTest {

    private static final RandomStream STREAM = new RandomStream(20251121, 3, 17);

    @Override
    Attention attention(AttentionRounding sites, Workers workers) {
        return new RoundedAttention(sites, RoundingStreams.NONE, workers);
    }

    /** Cases with sizes around blocks of 96 queries, tiles and lanes. */
    private static List<AttentionCase> blocks(Weighting weighting) {
        List<AttentionCase> cases = new ArrayList<>(cases(weighting));
        AttentionShape plain = AttentionCase.shape(weighting, 2, 20);
        cases.add(AttentionCase.normal(plain, 5, 97, 1, 0, 12, 193));
        cases.add(AttentionCase.normal(plain.withoutMask(), 6, 101, 95));
        cases.add(AttentionCase.normal(plain.withLogLength(LogLength.SEEN).withScoreBias(110), 7, 130));
        cases.add(AttentionCase.normal(plain.withIdentities(13).withScoreScale(-0.3f), 8, 100));
        cases.add(AttentionCase.normal(plain.withScoreScale(0), 9, 30));
        cases.add(AttentionCase.normal(plain.withLogLength(LogLength.SEEN), 10, 99, 1));
        cases.add(AttentionCase.normal(plain.withLogLength(LogLength.SEQUENCE), 11, 99, 1));
        return cases;
    }

    static Stream<Rounding> everyMode() {
        return Stream.of("bfloat16", "binary16", "ocp_e4m3", "e2m1", "threshold(5)", "multiple(0.125)", "tf32")
                .flatMap(format -> Stream.of(Mode.values())
                        .flatMap(mode -> Stream.of(true, false)
                                .map(flag ->
                                        new Rounding(NumberFormat.find(format).orElseThrow(), mode, flag, !flag))));
    }

    @ParameterizedTest
    @MethodSource("everyMode")
    void everyFormatAndModeHasTheBitsOfTheReference(Rounding rounding) {
        AttentionShape shape = AttentionShape.softmax(2, 20).withScoreBias(5).withIdentities(3);
        checkBits(
                AttentionCase.normal(shape, 11, 99, 5),
                new AttentionRounding(rounding, rounding, null, rounding, rounding),
                STREAM);
        AttentionCase plain = AttentionCase.normal(AttentionShape.softmax(1, 9), 12, 98);
        checkBits(plain, new AttentionRounding(rounding, rounding, null, rounding, rounding), STREAM);
    }

    private static final Rounding NEAREST = Rounding.toNearestEven(FloatFormat.OCP_E5M2);

    private static final Rounding AT_RANDOM = new Rounding(FloatFormat.BFLOAT16, Mode.STOCHASTIC, true, false);

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void everySiteAloneHasTheBitsOfTheReference(Weighting weighting) {
        for (AttentionCase inputs : blocks(weighting)) {
            checkBits(inputs, new AttentionRounding(null, null, null, null, null), STREAM);
            checkSites(inputs, NEAREST);
            checkSites(inputs, AT_RANDOM);
        }
    }

    private static void checkSites(AttentionCase inputs, Rounding rounding) {
        checkBits(inputs, new AttentionRounding(rounding, null, null, null, null), STREAM);
        checkBits(inputs, new AttentionRounding(null, rounding, null, null, null), STREAM);
        checkBits(inputs, new AttentionRounding(null, null, null, rounding, null), STREAM);
        checkBits(inputs, new AttentionRounding(null, null, null, null, rounding), STREAM);
        checkBits(inputs, new AttentionRounding(rounding, rounding, null, rounding, rounding), STREAM);
    }

    /** Rounds every addition, including subnormals and overflow, with one rounding per weighting. */
    @ParameterizedTest
    @ValueSource(strings = {"binary32", "tf32", "binary16", "bfloat16", "ocp_e5m2", "ocp_e4m3", "e2m3", "threshold(6)"})
    void everyAdditionRoundedHasTheBitsOfTheReference(String format) {
        List<Rounding> roundings = roundingsOfSums(format);
        Weighting[] weightings = Weighting.values();
        for (int i = 0; i < weightings.length; i++) {
            checkAdditions(weightings[i], roundings.get(i % roundings.size()));
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"binary32", "tf32", "binary16", "bfloat16", "ocp_e5m2", "ocp_e4m3", "e2m3", "threshold(6)"})
    void soItHasWithEveryRounding(String format) {
        for (Rounding rounding : roundingsOfSums(format)) {
            for (Weighting weighting : Weighting.values()) {
                checkAdditions(weighting, rounding);
            }
        }
    }

    private static List<Rounding> roundingsOfSums(String format) {
        return List.of(
                new Rounding(NumberFormat.find(format).orElseThrow(), Mode.TIES_TO_EVEN, true, false),
                new Rounding(NumberFormat.find(format).orElseThrow(), Mode.TIES_TO_EVEN, true, true),
                new Rounding(NumberFormat.find(format).orElseThrow(), Mode.TOWARD_NEGATIVE, false, false));
    }

    private static void checkAdditions(Weighting weighting, Rounding rounding) {
        AttentionShape shape = AttentionCase.shape(weighting, 2, 11);
        for (AttentionRounding sites : List.of(
                new AttentionRounding(rounding, rounding, rounding, rounding, rounding),
                new AttentionRounding(null, null, rounding, null, null))) {
            checkForwardBits(AttentionCase.normal(shape, 23, 101, 3), sites);
            checkForwardBits(AttentionCase.normal(shape.withoutMask().withScoreBias(7), 29, 21), sites);
            checkForwardBits(scaled(AttentionCase.normal(shape, 31, 40), 300), sites);
            checkForwardBits(scaled(AttentionCase.normal(shape, 37, 40), 1e-3f), sites);
            checkForwardBits(scaled(AttentionCase.normal(shape, 41, 40), 3e18f), sites);
        }
    }

    private static AttentionCase scaled(AttentionCase inputs, float factor) {
        for (float[] array : List.of(inputs.queries(), inputs.keys(), inputs.values())) {
            for (int at = 0; at < array.length; at++) {
                array[at] *= factor;
            }
        }
        return inputs;
    }

    private static void checkForwardBits(AttentionCase inputs, AttentionRounding sites) {
        AttentionOutputs expected = inputs.forward(new ScalarRoundedAttention(sites, RoundingStreams.NONE));
        AttentionOutputs actual = inputs.forward(new RoundedAttention(sites, RoundingStreams.NONE, Workers.caller()));
        for (int i = 0; i < 4; i++) {
            assertThat(AttentionCase.arrays(actual).get(i))
                    .as("%s, %s, array %d", inputs.shape(), sites, i)
                    .isEqualTo(AttentionCase.arrays(expected).get(i));
        }
    }

    /** NaN, infinities and numbers far apart. */
    @ParameterizedTest
    @EnumSource
    void specialNumbersHaveTheBitsOfTheReference(Weighting weighting) {
        Rounding rounding = Rounding.toNearestEven(FloatFormat.BINARY16);
        for (float special :
                new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 3e38f, 1e-40f, -0f}) {
            AttentionCase inputs = AttentionCase.normal(AttentionCase.shape(weighting, 2, 20), 13, 120);
            for (int row : new int[] {3, 50, 97, 119}) {
                inputs.values()[row * 40 + 7] = special;
                inputs.keys()[row * 40 + 30] = special;
            }
            for (AttentionRounding sites : List.of(
                    new AttentionRounding(null, null, null, null, null),
                    new AttentionRounding(rounding, rounding, null, rounding, rounding),
                    new AttentionRounding(rounding, rounding, rounding, rounding, rounding))) {
                checkForwardBits(inputs, sites);
            }
        }
    }

    @Test
    void stochasticRoundingHasTheSameBitsForEveryNumberOfThreads() {
        Rounding stochastic = new Rounding(FloatFormat.BFLOAT16, Mode.STOCHASTIC, true, false);
        AttentionCase inputs = AttentionCase.normal(AttentionShape.softmax(3, 16), 19, 200, 97, 30);
        List<float[]> expected = inputs.everything(new ScalarRoundedAttention(
                new AttentionRounding(stochastic, stochastic, null, stochastic, stochastic), STREAM));
        Threads.assertBits(
                expected,
                workers -> inputs.everything(new RoundedAttention(
                        new AttentionRounding(stochastic, stochastic, null, stochastic, stochastic), STREAM, workers)));
        RandomStream other = new RandomStream(STREAM.seed(), STREAM.stream(), STREAM.step() + 1);
        assertThat(inputs.everything(new ScalarRoundedAttention(
                                new AttentionRounding(stochastic, stochastic, null, stochastic, stochastic), other))
                        .getFirst())
                .isNotEqualTo(expected.getFirst());
    }

    private static void checkBits(AttentionCase inputs, AttentionRounding sites, RandomStream stream) {
        List<float[]> expected = inputs.everything(new ScalarRoundedAttention(sites, stream));
        List<float[]> actual = inputs.everything(new RoundedAttention(sites, stream, Workers.caller()));
        for (int i = 0; i < expected.size(); i++) {
            assertThat(actual.get(i))
                    .as("%s, %s, array %d", inputs.shape(), sites, i)
                    .isEqualTo(expected.get(i));
        }
    }
}
