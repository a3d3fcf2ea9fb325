package org.lemmata.bits;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCase;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionRounding;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.RoundedAttention;
import org.lemmata.kernel.attention.ScalarRoundedAttention;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.random.RandomStream;

/** Bits of all attention kernels: over whole sequences, of last queries, with a cache, and rounded. */
class AttentionKernelBitsTest {

    private static final int[] LENGTHS = {5, 0, 1, 17, 33, 2};

    /** Lengths beyond one block of queries and of keys, with enough work for two threads. */
    private static final int[] LONG = {150, 70};

    private static final RandomStream STREAM = new RandomStream(11, 5, 3);

    @Test
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("attention", recording -> {
            for (Map.Entry<String, AttentionShape> shape : shapes().entrySet()) {
                all(recording, shape.getKey(), shape.getValue());
            }
            rounded(recording);
        });
    }

    private static Map<String, AttentionShape> shapes() {
        AttentionShape softmax = AttentionShape.softmax(2, 5);
        Map<String, AttentionShape> shapes = new LinkedHashMap<>();
        for (int headWidth : new int[] {1, 3, 8, 16, 31, 33, 64}) {
            shapes.put("softmax, head width " + headWidth, AttentionShape.softmax(headWidth % 3 + 1, headWidth));
        }
        shapes.put("no mask", softmax.withoutMask());
        shapes.put("identities", softmax.withIdentities(7));
        AttentionShape manyHeads = AttentionShape.softmax(18, 16).withoutMask();
        shapes.put("no mask, many heads", manyHeads);
        shapes.put("identities, no mask, many heads", manyHeads.withIdentities(32));
        shapes.put("score bias", softmax.withScoreBias(4));
        shapes.put("thresholded", softmax.withThreshold(2));
        for (Weighting weighting : List.of(Weighting.UNIFORM, Weighting.HARDMAX)) {
            AttentionShape shape = new AttentionShape(weighting, 2, 9, 0.25f);
            shapes.put(weighting.name(), shape);
            shapes.put(weighting + ", no mask", shape.withoutMask());
            shapes.put(weighting + ", identities", shape.withIdentities(18));
        }
        for (LogLength logLength : List.of(LogLength.SEEN, LogLength.SEQUENCE)) {
            shapes.put("log length " + logLength, softmax.withLogLength(logLength));
            shapes.put(
                    "thresholded, log length " + logLength,
                    softmax.withThreshold(3).withLogLength(logLength));
        }
        AttentionShape several =
                AttentionShape.softmax(3, 17).withLogLength(LogLength.SEEN).withScoreBias(19);
        shapes.put("several options", several.withIdentities(20));
        shapes.put("several options, no mask", several.withIdentities(20).withoutMask());
        shapes.put("several options, thresholded", several.withIdentities(20).withThreshold(4));
        shapes.put(
                "several options without identities", several.withThreshold(4).withoutMask());
        return shapes;
    }

    private static void all(Recording recording, String name, AttentionShape shape) throws IOException {
        recording.each(name, (kernels, bits) -> {
            attend(kernels.attention(), bits, shape, LENGTHS);
            attend(kernels.attention(), bits, shape, LONG);
        });
        if (shape.identityWidth() == 0) {
            recording.each(name + ", last queries", (kernels, bits) -> {
                lastQueries(kernels, bits, shape, 5, 1, 17, 33, 2);
                lastQueries(kernels, bits, shape, 700, 300, 1200);
            });
        }
        if (shape.mask() == Mask.CAUSAL) {
            recording.each(name + ", with a cache", (kernels, bits) -> {
                steps(kernels, bits, shape, LENGTHS);
                lastSteps(kernels, bits, shape, 700, 300, 1200);
            });
        }
    }

    private static AttentionInputs inputs(Drawn drawn, AttentionShape shape, int queries, int positions) {
        int identities = shape.identityWidth() == 0 ? 0 : shape.heads();
        float[] first = drawn.numbers(queries * shape.width());
        for (int i = 0; i < first.length; i++) {
            // Larger queries spread the scores, so that weights of all sizes occur.
            first[i] *= 6;
        }
        return new AttentionInputs(
                first,
                drawn.numbers(positions * shape.width()),
                drawn.numbers(positions * shape.width()),
                drawn.numbers(positions * shape.identityWidth()),
                drawn.numbers(identities),
                drawn.numbers(identities),
                drawn.numbers(shape.heads() * shape.biasSpan()));
    }

    private static AttentionOutputs outputs(Drawn drawn, AttentionShape shape, int rows) {
        return new AttentionOutputs(
                drawn.numbers(rows * shape.width()),
                drawn.numbers(rows * shape.identityWidth()),
                drawn.numbers(rows * shape.heads()),
                drawn.numbers(rows * shape.heads()));
    }

    private static void add(Bits bits, AttentionInputs inputs) {
        AttentionCase.arrays(inputs).forEach(bits::add);
    }

    private static void add(Bits bits, AttentionOutputs outputs) {
        AttentionCase.arrays(outputs).forEach(bits::add);
    }

    /** Adds the bits of the forward and the backward pass. */
    private static void attend(Attention attention, Bits bits, AttentionShape shape, int... lengths) {
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        Drawn drawn = new Drawn(shape.width());
        AttentionInputs inputs = inputs(drawn, shape, sequences.total(), sequences.total());
        AttentionOutputs outputs = outputs(drawn, shape, sequences.total());
        attention.forward(outputs, inputs, sequences, shape);
        add(bits, outputs);
        AttentionOutputs dOutputs = outputs(drawn, shape, sequences.total());
        AttentionInputs dInputs = inputs(drawn, shape, sequences.total(), sequences.total());
        attention.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        add(bits, dInputs);
    }

    private static void lastQueries(Kernels kernels, Bits bits, AttentionShape shape, int... lengths) {
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        Drawn drawn = new Drawn(shape.width());
        AttentionInputs inputs = inputs(drawn, shape, lengths.length, sequences.total());
        AttentionOutputs outputs = outputs(drawn, shape, lengths.length);
        kernels.cachedAttention().forward(outputs, inputs, sequences, shape);
        add(bits, outputs);
        AttentionOutputs dOutputs = outputs(drawn, shape, lengths.length);
        AttentionInputs dInputs = inputs(drawn, shape, lengths.length, sequences.total());
        kernels.cachedAttention().backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        add(bits, dInputs);
    }

    /** Adds the bits of one step per position, each for all sequences that have not ended. */
    private static void steps(Kernels kernels, Bits bits, AttentionShape shape, int... lengths) {
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        Drawn drawn = new Drawn(shape.width());
        AttentionInputs inputs = inputs(drawn, shape, lengths.length, sequences.total());
        int longest = Arrays.stream(lengths).max().orElseThrow();
        var cache = new AttentionCache(shape, lengths.length, longest);
        for (int t = 0; t < longest; t++) {
            int position = t;
            int[] active = IntStream.range(0, lengths.length)
                    .filter(sequence -> lengths[sequence] > position)
                    .toArray();
            for (int sequence : active) {
                cache.append(sequence, inputs, sequences.start(sequence) + t, 1);
            }
            step(kernels, bits, drawn, cache, inputs, active);
        }
    }

    /** Adds the bits of one step after all positions have been appended. */
    private static void lastSteps(Kernels kernels, Bits bits, AttentionShape shape, int... lengths) {
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        Drawn drawn = new Drawn(shape.width());
        AttentionInputs inputs = inputs(drawn, shape, lengths.length, sequences.total());
        var cache = new AttentionCache(
                shape, lengths.length, Arrays.stream(lengths).max().orElseThrow());
        for (int sequence = 0; sequence < lengths.length; sequence++) {
            cache.append(sequence, inputs, sequences.start(sequence), lengths[sequence]);
        }
        step(
                kernels,
                bits,
                drawn,
                cache,
                inputs,
                IntStream.range(0, lengths.length).toArray());
    }

    private static void step(
            Kernels kernels, Bits bits, Drawn drawn, AttentionCache cache, AttentionInputs inputs, int[] active) {
        AttentionOutputs outputs = outputs(drawn, cache.shape(), active.length);
        kernels.cachedAttention().forward(outputs, inputs, cache, active, active.length);
        add(bits, outputs);
    }

    private static void rounded(Recording recording) throws IOException {
        Rounding bfloat16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        Rounding stochastic = new Rounding(FloatFormat.BINARY16, Mode.STOCHASTIC, true, false);
        Rounding threshold = Rounding.toNearestEven(new ThresholdFormat(4));
        Map<String, AttentionRounding> roundings = new LinkedHashMap<>();
        roundings.put("nothing rounded", new AttentionRounding(null, null, null, null, null));
        roundings.put("tensors in bfloat16", new AttentionRounding(bfloat16, bfloat16, null, bfloat16, bfloat16));
        roundings.put("all in bfloat16", new AttentionRounding(bfloat16, bfloat16, bfloat16, bfloat16, bfloat16));
        roundings.put(
                "tensors in binary16 at random",
                new AttentionRounding(stochastic, stochastic, null, stochastic, stochastic));
        roundings.put(
                "all in binary16 at random",
                new AttentionRounding(stochastic, stochastic, stochastic, stochastic, stochastic));
        roundings.put("weights with a threshold", new AttentionRounding(null, threshold, null, threshold, null));
        AttentionShape softmax = AttentionShape.softmax(2, 5);
        Map<String, AttentionShape> shapes = new LinkedHashMap<>();
        shapes.put("softmax", softmax);
        shapes.put("softmax, head width 18", AttentionShape.softmax(1, 18).withoutMask());
        shapes.put("uniform", new AttentionShape(Weighting.UNIFORM, 2, 5, 1));
        shapes.put("hardmax", new AttentionShape(Weighting.HARDMAX, 2, 5, 1));
        shapes.put("thresholded", softmax.withThreshold(3).withLogLength(LogLength.SEEN));
        shapes.put("score bias", softmax.withScoreBias(4).withLogLength(LogLength.SEQUENCE));
        shapes.put("identities", softmax.withIdentities(7));
        for (Map.Entry<String, AttentionRounding> rounding : roundings.entrySet()) {
            for (Map.Entry<String, AttentionShape> shape : shapes.entrySet()) {
                recording.each("rounded " + shape.getKey() + ", " + rounding.getKey(), (kernels, bits) -> {
                    Attention attention = kernels.simd()
                            ? new RoundedAttention(rounding.getValue(), STREAM, kernels.workers())
                            : new ScalarRoundedAttention(rounding.getValue(), STREAM);
                    attend(attention, bits, shape.getValue(), LENGTHS);
                });
            }
        }
    }
}
