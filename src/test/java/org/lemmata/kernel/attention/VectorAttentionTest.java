package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.VectorAttention.BackwardCall;
import org.lemmata.kernel.attention.VectorAttention.ForwardCall;
import org.lemmata.kernel.thread.Workers;

class VectorAttentionTest extends ScalarAttentionTest {

    @Override
    protected Attention attention(Workers workers) {
        return new VectorAttention(workers);
    }

    @Test
    void uniformAttentionHasTheBitsOfTheScalarReference() {
        for (int headWidth : new int[] {1, 5, 8, 16, 19, 64, 70}) {
            assertHasTheBitsOfTheScalarReference(
                    AttentionCase.normal(AttentionCase.shape(Weighting.UNIFORM, 1, headWidth), 43, 100, 0, 33));
        }
    }

    /**
     * The long sequence has more positions than fit in the near caches: panels, strides and tails are still correct.
     */
    @Test
    void hardmaxOfExactScoresHasTheBitsOfTheScalarReference() {
        for (int headWidth : new int[] {1, 5, 16, 33, 64}) {
            AttentionShape shape = new AttentionShape(Weighting.HARDMAX, 2, headWidth, 0.5f);
            assertHasTheBitsOfTheScalarReference(AttentionCase.integers(shape, 47, 100, 0, 33));
        }
        assertHasTheBitsOfTheScalarReference(
                AttentionCase.integers(new AttentionShape(Weighting.HARDMAX, 1, 3, 1), 53, 4099));
    }

    private void assertHasTheBitsOfTheScalarReference(AttentionCase inputs) {
        assertThat(inputs.run(attention())).isEqualTo(inputs.run(new ScalarAttention()));
    }

    /**
     * The heads of a short sequence are computed together and share products of tokens. A single head is computed in
     * blocks, with another order of sums.
     */
    @ParameterizedTest
    @CsvSource({
        "8, 16, 0, NONE",
        "16, 48, 0, NONE",
        "16, 64, 128, NONE",
        "16, 64, 128, CAUSAL",
        "20, 16, 16, NONE",
        "33, 32, 48, NONE"
    })
    void headsOfShortSequencesAreNearBlocks(int heads, int headWidth, int identityWidth, Mask mask) {
        AttentionShape shape = masked(AttentionShape.softmax(heads, headWidth).withIdentities(identityWidth), mask);
        int[] lengths = {3, 0, 2, 1, 4, 17, 12, 16, 7, 30};
        AttentionCase all = AttentionCase.normal(shape, 89 + heads, lengths);
        AttentionShape one = masked(AttentionShape.softmax(1, headWidth).withIdentities(identityWidth), mask);
        AttentionOutputs outputs = AttentionOutputs.zeros(all.sequences(), shape);
        AttentionInputs gradients = AttentionInputs.zeros(all.sequences(), shape);
        run(attention(), all, outputs, gradients);
        float[] identityOutputs = new float[outputs.identityOutputs().length];
        float[] dTokens = new float[identityOutputs.length];
        for (int head = 0; head < heads; head++) {
            AttentionOutputs outputsOfHead = AttentionOutputs.zeros(all.sequences(), one);
            AttentionInputs gradientsOfHead = AttentionInputs.zeros(all.sequences(), one);
            run(attention(), head(all, one, head), outputsOfHead, gradientsOfHead);
            add(identityOutputs, outputsOfHead.identityOutputs());
            add(dTokens, gradientsOfHead.tokens());
            assertNear(outputs.outputs(), outputsOfHead.outputs(), heads, head);
            assertNear(outputs.normalizers(), outputsOfHead.normalizers(), heads, head);
            List<float[]> arrays = AttentionCase.arrays(gradients);
            List<float[]> arraysOfHead = AttentionCase.arrays(gradientsOfHead);
            for (int i : new int[] {0, 1, 2, 4, 5}) {
                assertNear(arrays.get(i), arraysOfHead.get(i), heads, head);
            }
        }
        assertNear(outputs.identityOutputs(), identityOutputs, 1, 0);
        assertNear(gradients.tokens(), dTokens, 1, 0);
    }

    @ParameterizedTest
    @EnumSource
    void theOutputsOfOneTokenAreNaNWhereItsScoreIs(Mask mask) {
        AttentionShape shape = masked(AttentionShape.softmax(16, 16).withIdentities(16), mask);
        for (float number : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            AttentionCase inputs = AttentionCase.normal(shape, 91, 1);
            inputs.queries()[35] = number;
            AttentionOutputs outputs = inputs.forward(attention());
            for (int at = 0; at < shape.width(); at++) {
                assertThat(Float.isNaN(outputs.outputs()[at])).isEqualTo(at / 16 == 2);
            }
            for (float z : outputs.identityOutputs()) {
                assertThat(z).isNaN();
            }
        }
    }

    /** Heads must not affect each other; with 20 heads, some lanes are unused. */
    @Test
    void aProductOfTokensThatOverflowsIsFeltByHeadsAlone() {
        for (int heads : new int[] {16, 20}) {
            AttentionShape shape =
                    AttentionShape.softmax(heads, 16).withIdentities(16).withoutMask();
            AttentionCase inputs = AttentionCase.normal(shape, 93, 2);
            float[] tokens = inputs.inputs().tokens();
            Arrays.fill(tokens, 0, 16, 1e19f);
            Arrays.fill(tokens, 16, 32, 0.5f);
            // The first token's product with itself is infinite, so its weight is 0.
            Arrays.fill(inputs.inputs().keyQueryIdentities(), -1);
            float sum = 0;
            for (float b : inputs.inputs().valueOutputIdentities()) {
                sum += b * 0.5f;
            }
            float[] z = inputs.forward(attention()).identityOutputs();
            for (int at = 0; at < 16; at++) {
                assertThat(z[at]).as("%d heads, element %d", heads, at).isCloseTo(sum, within(1e-5f));
            }
        }
    }

    private static AttentionShape masked(AttentionShape causal, Mask mask) {
        return mask == Mask.NONE ? causal.withoutMask() : causal;
    }

    private static void run(
            Attention attention, AttentionCase inputs, AttentionOutputs outputs, AttentionInputs gradients) {
        attention.forward(outputs, inputs.inputs(), inputs.sequences(), inputs.shape());
        attention.backward(gradients, inputs.dOutputs(), outputs, inputs.inputs(), inputs.sequences(), inputs.shape());
    }

    private static AttentionCase head(AttentionCase all, AttentionShape one, int head) {
        int heads = all.shape().heads();
        AttentionInputs inputs = all.inputs();
        AttentionInputs ofHead = AttentionInputs.of(
                        every(inputs.queries(), heads, head, one.headWidth()),
                        every(inputs.keys(), heads, head, one.headWidth()),
                        every(inputs.values(), heads, head, one.headWidth()))
                .withIdentities(
                        inputs.tokens(),
                        every(inputs.keyQueryIdentities(), heads, head, 1),
                        every(inputs.valueOutputIdentities(), heads, head, 1));
        float[] dOutputs = every(all.dOutputs().outputs(), heads, head, one.headWidth());
        return new AttentionCase(
                one,
                all.lengths(),
                ofHead,
                new AttentionOutputs(dOutputs, all.dOutputs().identityOutputs(), new float[0], new float[0]));
    }

    /** The {@code width} numbers of a head in each row. */
    private static float[] every(float[] rows, int heads, int head, int width) {
        float[] part = new float[rows.length / heads];
        for (int at = 0; at < part.length; at++) {
            part[at] = rows[(at / width * heads + head) * width + at % width];
        }
        return part;
    }

    /** The tolerance is 2^-16 of the maximum of an array, or of 1, because gradients of a and b sum larger terms. */
    private static void assertNear(float[] all, float[] ofHead, int heads, int head) {
        // Rows are the tokens, of which there are 92, or the parameters of all of them.
        int width = Math.max(1, ofHead.length / 92);
        float[] ofAll = every(all, heads, head, width);
        assertThat(ofAll).as("head %d", head).hasSameSizeAs(ofHead);
        float max = 1;
        float difference = 0;
        for (int i = 0; i < ofHead.length; i++) {
            max = Math.max(max, Math.abs(ofHead[i]));
            difference = Math.max(difference, Math.abs(ofAll[i] - ofHead[i]));
        }
        assertThat(difference).as("head %d", head).isLessThanOrEqualTo(0x1p-16f * max);
    }

    private static void add(float[] sums, float[] terms) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += terms[i];
        }
    }

    @Test
    void oneInstanceServesThreadsAtTheSameTime() throws Exception {
        Attention shared = attention();
        List<AttentionCase> cases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            cases.add(AttentionCase.normal(AttentionCase.shape(Weighting.SOFTMAX, 2, 24), i, 150 + i, 3));
        }
        List<float[]> alone = cases.stream().map(inputs -> inputs.run(shared)).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<float[]>> together = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                AttentionCase inputs = cases.get(i % cases.size());
                together.add(threads.submit(() -> inputs.run(shared)));
            }
            for (int i = 0; i < 64; i++) {
                assertThat(together.get(i).get()).isEqualTo(alone.get(i % cases.size()));
            }
        }
    }

    /**
     * Compares only rows and keys at both ends and around the blocks with binary64, because all would take minutes. The
     * error grows with the number of terms of an inner product.
     */
    @ParameterizedTest
    @CsvSource({"1, 8192, 2e-6", "3, 8191, 2e-6", "64, 8192, 2e-6", "256, 2053, 4e-6"})
    void longSequencesAreWithinARelativeError(int headWidth, int length, double bound) {
        AttentionCase inputs = AttentionCase.normal(AttentionShape.softmax(1, headWidth), 59, length);
        AttentionOutputs outputs = inputs.forward(attention());
        AttentionInputs gradients = inputs.backward(attention());
        int lastRows = 40;
        double[][] dKeys = new double[length][headWidth];
        double[][] dValues = new double[length][headWidth];
        int[] rows = IntStream.concat(
                        IntStream.of(0, 1, 94, 95, 96, 97, 191, 192, 1000), IntStream.range(length - lastRows, length))
                .toArray();
        double[][] exactOutputs = new double[length][];
        double[][] dQueries = new double[length][];
        for (int row : rows) {
            double[][] exact = exactRow(inputs, row, dKeys, dValues);
            exactOutputs[row] = exact[0];
            dQueries[row] = exact[1];
        }
        // Only the last keys have all their queries among those rows.
        int[] keys = IntStream.range(length - lastRows, length).toArray();
        assertThat(relativeError(outputs.outputs(), exactOutputs, rows)).isLessThan(bound);
        assertThat(relativeError(gradients.queries(), dQueries, rows)).isLessThan(bound);
        assertThat(relativeError(gradients.keys(), dKeys, keys)).isLessThan(bound);
        assertThat(relativeError(gradients.values(), dValues, keys)).isLessThan(bound);
    }

    /** The maximum error over the largest number. */
    private static double relativeError(float[] actual, double[][] expected, int[] rows) {
        double error = 0;
        double maximum = 0;
        for (int row : rows) {
            int width = expected[row].length;
            for (int d = 0; d < width; d++) {
                error = Math.max(error, Math.abs(actual[row * width + d] - expected[row][d]));
                maximum = Math.max(maximum, Math.abs(expected[row][d]));
            }
        }
        return error / maximum;
    }

    /** Output and query gradient of a row of one head; adds what it contributes to those of keys and values. */
    private static double[][] exactRow(AttentionCase inputs, int row, double[][] dKeys, double[][] dValues) {
        int width = inputs.shape().width();
        double scale = inputs.shape().scoreScale();
        double[] weights = new double[row + 1];
        double[] dWeights = new double[row + 1];
        double total = 0;
        for (int j = 0; j <= row; j++) {
            for (int d = 0; d < width; d++) {
                weights[j] += scale * inputs.queries()[row * width + d] * inputs.keys()[j * width + d];
                dWeights[j] += (double) inputs.dOutputs().outputs()[row * width + d] * inputs.values()[j * width + d];
            }
            weights[j] = Math.exp(weights[j]);
            total += weights[j];
        }
        double mean = 0;
        for (int j = 0; j <= row; j++) {
            weights[j] /= total;
            mean += weights[j] * dWeights[j];
        }
        double[][] result = new double[2][width];
        for (int j = 0; j <= row; j++) {
            double dScore = scale * weights[j] * (dWeights[j] - mean);
            for (int d = 0; d < width; d++) {
                result[0][d] += weights[j] * inputs.values()[j * width + d];
                result[1][d] += dScore * inputs.keys()[j * width + d];
                dKeys[j][d] += dScore * inputs.queries()[row * width + d];
                dValues[j][d] += weights[j] * inputs.dOutputs().outputs()[row * width + d];
            }
        }
        return result;
    }

    /** A sum that underflows to -0 must not become +0 by later values that its tile multiplies by 0. */
    @Test
    void theSignOfAnUnderflowedSumDoesNotHangOnLaterValues() {
        for (int headWidth : new int[] {3, 20}) {
            AttentionCase inputs = AttentionCase.normal(AttentionShape.softmax(1, headWidth), 61, 30);
            // From key 1 on, weights are below 1/2, so their products with minus the smallest number are -0.
            Arrays.fill(inputs.values(), headWidth, 30 * headWidth, -Float.MIN_VALUE);
            Arrays.fill(inputs.values(), 0, headWidth, 0);
            Arrays.fill(inputs.queries(), 1);
            for (int key = 0; key < 30; key++) {
                Arrays.fill(inputs.keys(), key * headWidth, (key + 1) * headWidth, -key);
            }
            float[] before = inputs.run(attention());
            for (float later : new float[] {1, -1, Float.POSITIVE_INFINITY, Float.NaN}) {
                for (int row = 1; row < 30; row++) {
                    AttentionCase changed = inputs.copy();
                    Arrays.fill(changed.values(), row * headWidth, 30 * headWidth, later);
                    assertThat(Arrays.copyOf(changed.run(attention()), row * headWidth))
                            .as("values from row %d on are %s", row, later)
                            .isEqualTo(Arrays.copyOf(before, row * headWidth));
                }
            }
        }
    }

    /** The caller's arrays fit, but working arrays with a part per head would not. */
    @Test
    void workingArraysThatWouldNotFitAreRefused() {
        AttentionShape identities = AttentionShape.softmax(46_341, 1).withIdentities(46_341);
        RaggedOffsets one = RaggedOffsets.ofLengths(1);
        AttentionInputs inputs = AttentionInputs.zeros(one, identities);
        AttentionOutputs outputs = AttentionOutputs.zeros(one, identities);
        String message = "total * heads * identityWidth: expected below 2^31, got 1 * 46341 * 46341";
        assertRefused(() -> attention().forward(outputs, inputs, one, identities), message);
        assertRefused(() -> attention().backward(inputs, outputs, outputs, inputs, one, identities), message);
        AttentionShape bias = AttentionShape.softmax(1200, 1).withScoreBias(1000);
        RaggedOffsets many = RaggedOffsets.ofLengths(new int[1800]);
        AttentionInputs none = AttentionInputs.zeros(many, bias);
        AttentionOutputs nothing = AttentionOutputs.zeros(many, bias);
        assertRefused(
                () -> attention().backward(none, nothing, nothing, none, many, bias),
                "sequences * heads * biasSpan: expected below 2^31, got 1800 * 1200 * 1000");
    }

    /** A thread keeps its call object, which must not keep the caller's arrays. */
    @Test
    void aCallThatFailsKeepsNothingOfItsCaller() throws Exception {
        ForwardCall forward = new ForwardCall();
        BackwardCall backward = new BackwardCall();
        List<WeakReference<?>> references = new ArrayList<>();
        try {
            fail(forward, backward, references);
            for (int i = 0; i < 200 && references.stream().anyMatch(reference -> reference.get() != null); i++) {
                System.gc();
                Thread.sleep(5);
            }
            assertThat(references)
                    .allSatisfy(
                            reference -> assertThat((Object) reference.get()).isNull());
        } finally {
            Reference.reachabilityFence(forward);
            Reference.reachabilityFence(backward);
        }
    }

    /** Makes calls fail with arrays that are too short and unchecked. */
    private static void fail(ForwardCall forward, BackwardCall backward, List<WeakReference<?>> references) {
        AttentionShape shape = AttentionShape.softmax(3, 7);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(5);
        AttentionInputs inputs = AttentionInputs.zeros(RaggedOffsets.ofLengths(1), shape);
        AttentionOutputs outputs = AttentionOutputs.zeros(RaggedOffsets.ofLengths(1), shape);
        AttentionInputs noInputs = AttentionInputs.EMPTY;
        AttentionOutputs noOutputs = AttentionOutputs.EMPTY;
        assertThatThrownBy(() -> forward.run(Workers.caller(), noInputs, noOutputs, outputs, inputs, sequences, shape))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> backward.run(Workers.caller(), inputs, outputs, outputs, inputs, sequences, shape))
                .isInstanceOf(IndexOutOfBoundsException.class);
        for (Object owned : List.of(shape, sequences, inputs, outputs)) {
            references.add(new WeakReference<>(owned));
        }
    }

    @Tag("allocation")
    @Test
    void callsAllocateNothingOnceCompiled() {
        AttentionShape ofHeads = AttentionShape.softmax(16, 16).withIdentities(32);
        for (AttentionCase inputs : List.of(
                AttentionCase.normal(AttentionShape.softmax(2, 24), 67, 40, 9),
                AttentionCase.normal(ofHeads.withoutMask(), 67, 3, 2))) {
            RaggedOffsets sequences = inputs.sequences();
            AttentionOutputs outputs = AttentionOutputs.zeros(sequences, inputs.shape());
            AttentionInputs gradients = AttentionInputs.zeros(sequences, inputs.shape());
            Allocation.assertNoneWithThreads(workers -> {
                Attention attention = attention(workers);
                return () -> {
                    attention.forward(outputs, inputs.inputs(), sequences, inputs.shape());
                    attention.backward(
                            gradients, inputs.dOutputs(), outputs, inputs.inputs(), sequences, inputs.shape());
                };
            });
        }
    }
}
