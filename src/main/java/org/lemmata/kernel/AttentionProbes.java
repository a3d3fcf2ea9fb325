package org.lemmata.kernel;

import static org.lemmata.kernel.SelfCheckProbes.A_LITTLE_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.FASTER;
import static org.lemmata.kernel.SelfCheckProbes.SOMEWHAT_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.call;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.kernel.attention.AttentionCache;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.CachedAttention;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.Sum;
import org.lemmata.kernel.problem.Workload;

/** The probes of attention among {@link SelfCheckProbes}, of one head and one sequence. */
final class AttentionProbes {

    private static final int LENGTH = 64;
    private static final int WIDTH = 32;

    private final AttentionProblem problem =
            new AttentionProblem(AttentionShape.softmax(1, WIDTH).withScoreScale(0.125f), 1, LENGTH);
    private final AttentionOutputs lastOutput = AttentionOutputs.of(new float[WIDTH]);

    List<SelfCheck.Probe> all() {
        // What the backward passes read.
        problem.forwardAndBackward().run(Kernels.scalar().attention());
        runLastQuery(Kernels.scalar().cachedAttention());
        List<SelfCheck.Probe> probes = new ArrayList<>(SelfCheckProbes.of(
                "attention",
                Kernels::attention,
                call("forward", "attention of length 64", FASTER, problem.forward()),
                call("backward", "attention of length 64, backward", FASTER, problem.backward())));
        String last = "attention of the last of 64 positions";
        probes.addAll(SelfCheckProbes.of(
                "cachedAttention",
                Kernels::cachedAttention,
                call("forward", "attention over a cache of length 64", FASTER, overCache()),
                call("forward", last, SOMEWHAT_FASTER, lastQuery()),
                call("backward", last + ", backward", A_LITTLE_FASTER, lastQueryBackward())));
        return probes;
    }

    /** Of four sequences of lengths 64, 63, ...; the queries are those of the first rows. */
    private Workload<CachedAttention> overCache() {
        int[] sequences = {0, 1, 2, 3};
        var cache = new AttentionCache(problem.shape(), sequences.length, LENGTH);
        for (int sequence : sequences) {
            cache.append(sequence, problem.inputs(), 0, LENGTH - sequence);
        }
        AttentionOutputs outputs = AttentionOutputs.of(new float[sequences.length * WIDTH]);
        return new Workload<>(
                () -> {},
                attention -> {
                    attention.forward(outputs, problem.inputs(), cache, sequences, sequences.length);
                    return outputs.outputs();
                },
                at -> output(at / WIDTH, LENGTH - at / WIDTH, at % WIDTH),
                problem.forward().maxUlps(),
                4.0 * outputs.outputs().length * LENGTH,
                8.0 * outputs.outputs().length * LENGTH);
    }

    private Sum output(int query, int length, int d) {
        return problem.outputs(query, 0, length, 0)[d];
    }

    /** The query is that of the first row. */
    private float[] runLastQuery(CachedAttention attention) {
        attention.forward(lastOutput, problem.inputs(), problem.sequences(), problem.shape());
        return lastOutput.outputs();
    }

    private Workload<CachedAttention> lastQuery() {
        double elements = WIDTH * LENGTH;
        return new Workload<>(
                () -> {},
                this::runLastQuery,
                d -> output(0, LENGTH, d),
                problem.forward().maxUlps(),
                4 * elements,
                8 * elements);
    }

    private Workload<CachedAttention> lastQueryBackward() {
        int size = LENGTH * WIDTH;
        AttentionInputs gradients = AttentionInputs.of(new float[WIDTH], new float[size], new float[size]);
        float[] all = new float[WIDTH + 2 * size];
        return new Workload<>(
                () -> {},
                attention -> {
                    attention.backward(
                            gradients,
                            problem.dOutputs(),
                            lastOutput,
                            problem.inputs(),
                            problem.sequences(),
                            problem.shape());
                    System.arraycopy(gradients.queries(), 0, all, 0, WIDTH);
                    System.arraycopy(gradients.keys(), 0, all, WIDTH, size);
                    System.arraycopy(gradients.values(), 0, all, WIDTH + size, size);
                    return all;
                },
                null,
                problem.backward().maxUlps(),
                10.0 * size,
                16.0 * size);
    }
}
