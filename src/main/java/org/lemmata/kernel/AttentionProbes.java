package org.lemmata.kernel;

import static org.lemmata.kernel.SelfCheckProbes.A_LITTLE_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.FASTER;
import static org.lemmata.kernel.SelfCheckProbes.SOMEWHAT_FASTER;

import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.Sum;
import org.lemmata.kernel.problem.Workload;

/** The probes of attention among {@link SelfCheckProbes}, of one head and one sequence. */
final class AttentionProbes {

    private static final int LENGTH = 64;
    private static final int WIDTH = 32;

    private final AttentionProblem problem =
            new AttentionProblem(AttentionShape.softmax(1, WIDTH).withScoreScale(0.125f), 1, LENGTH);
    private final AttentionOutputs last = AttentionOutputs.of(new float[WIDTH]);

    void addTo(SelfCheckProbes all) {
        // What the backward passes read.
        problem.forwardAndBackward().run(Kernels.scalar().attention());
        runLastQuery(Kernels.scalar().cachedAttention());
        String name = "attention of length 64";
        all.add("attention.forward", name, FASTER, Kernels::attention, problem.forward());
        all.add("attention.backward", name + ", backward", FASTER, Kernels::attention, problem.backward());
        name = "attention over a cache of length 64";
        all.add("cachedAttention.forward", name, FASTER, Kernels::cachedAttention, overCache());
        name = "attention of the last of 64 positions";
        all.add("cachedAttention.forward", name, SOMEWHAT_FASTER, Kernels::cachedAttention, lastQuery());
        name += ", backward";
        all.add("cachedAttention.backward", name, A_LITTLE_FASTER, Kernels::cachedAttention, lastQueryBackward());
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
                outputs.outputs(),
                attention -> attention.forward(outputs, problem.inputs(), cache, sequences, sequences.length),
                at -> output(at / WIDTH, LENGTH - at / WIDTH, at % WIDTH),
                problem.forward().maxUlps(),
                4.0 * outputs.outputs().length * LENGTH,
                8.0 * outputs.outputs().length * LENGTH);
    }

    private Sum output(int query, int length, int d) {
        return problem.outputs(query, 0, length, 0)[d];
    }

    /** The query is that of the first row. */
    private void runLastQuery(CachedAttention attention) {
        attention.forward(last, problem.inputs(), problem.sequences(), problem.shape());
    }

    private Workload<CachedAttention> lastQuery() {
        double elements = WIDTH * LENGTH;
        return new Workload<>(
                last.outputs(),
                this::runLastQuery,
                d -> output(0, LENGTH, d),
                problem.forward().maxUlps(),
                4 * elements,
                8 * elements);
    }

    private Workload<CachedAttention> lastQueryBackward() {
        int size = LENGTH * WIDTH;
        AttentionInputs dInputs = AttentionInputs.of(new float[WIDTH], new float[size], new float[size]);
        float[] all = new float[WIDTH + 2 * size];
        return new Workload<>(
                all,
                attention -> {
                    attention.backward(
                            dInputs, problem.dOutputs(), last, problem.inputs(), problem.sequences(), problem.shape());
                    System.arraycopy(dInputs.queries(), 0, all, 0, WIDTH);
                    System.arraycopy(dInputs.keys(), 0, all, WIDTH, size);
                    System.arraycopy(dInputs.values(), 0, all, WIDTH + size, size);
                },
                null,
                problem.backward().maxUlps(),
                10.0 * size,
                16.0 * size);
    }
}
