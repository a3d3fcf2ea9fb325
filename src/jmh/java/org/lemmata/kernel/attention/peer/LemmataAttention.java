package org.lemmata.kernel.attention.peer;

import java.util.Arrays;
import java.util.List;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;

/** By {@link VectorAttention}. */
final class LemmataAttention implements Contender {

    private final Attention attention = new VectorAttention();
    private final AttentionProblem problem;
    private final AttentionShape shape;
    private final RaggedOffsets sequences;
    private final float[] outputs;

    LemmataAttention(AttentionProblem problem) {
        this.problem = problem;
        shape = new AttentionShape(
                AttentionShape.Weighting.SOFTMAX, problem.heads, problem.width, (float) problem.scoreScale());
        int[] lengths = new int[problem.batch];
        Arrays.fill(lengths, problem.length);
        sequences = RaggedOffsets.ofLengths(lengths);
        outputs = new float[problem.size()];
    }

    @Override
    public void run() {
        attention.forward(outputs, problem.queries, problem.keys, problem.values, sequences, shape);
    }

    @Override
    public List<float[]> results() {
        run();
        return List.of(outputs);
    }

    @Override
    public String description() {
        return "Lemmata, " + Kernels.best().description();
    }
}
