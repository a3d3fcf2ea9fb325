package org.lemmata.kernel.attention.peer;

import java.util.Arrays;
import java.util.List;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;

/** Attention by {@link VectorAttention}. */
final class LemmataAttention {

    private LemmataAttention() {}

    static Contender forward(AttentionPeerProblem problem, int threads) {
        RaggedOffsets sequences = sequences(problem);
        AttentionShape shape = shape(problem);
        AttentionInputs inputs = AttentionInputs.of(problem.queries, problem.keys, problem.values);
        AttentionOutputs outputs = AttentionOutputs.of(new float[problem.size()]);
        return LemmataContender.contender(
                threads,
                workers -> {
                    Attention attention = new VectorAttention(workers);
                    return () -> attention.forward(outputs, inputs, sequences, shape);
                },
                List.of(outputs.outputs()));
    }

    static Contender forwardAndBackward(AttentionPeerProblem problem, int threads) {
        RaggedOffsets sequences = sequences(problem);
        AttentionShape shape = shape(problem);
        AttentionInputs inputs = AttentionInputs.of(problem.queries, problem.keys, problem.values);
        AttentionOutputs outputs = AttentionOutputs.zeros(sequences, shape);
        AttentionInputs dInputs = AttentionInputs.zeros(sequences, shape);
        AttentionOutputs dOutputs = AttentionOutputs.of(problem.dOutputs);
        return LemmataContender.contender(
                threads,
                workers -> {
                    Attention attention = new VectorAttention(workers);
                    return () -> {
                        attention.forward(outputs, inputs, sequences, shape);
                        attention.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
                    };
                },
                List.of(outputs.outputs(), dInputs.queries(), dInputs.keys(), dInputs.values()));
    }

    private static RaggedOffsets sequences(AttentionPeerProblem problem) {
        int[] lengths = new int[problem.batch];
        Arrays.fill(lengths, problem.length);
        return RaggedOffsets.ofLengths(lengths);
    }

    private static AttentionShape shape(AttentionPeerProblem problem) {
        return AttentionShape.softmax(problem.heads, problem.width).withScoreScale((float) problem.scoreScale());
    }
}
