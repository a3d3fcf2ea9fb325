package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Rounding of normally distributed numbers, or of their sums. The bits must equal those of the reference. Each call
 * uses other random words, so that they cannot be cached.
 */
public final class QuantizationProblem {

    private final TensorRounding rounding;
    private final Matrix x;
    private final Matrix addends;
    private final Matrix y;
    private long step;

    public QuantizationProblem(TensorRounding rounding, int elements) {
        this.rounding = rounding;
        SplittableRandom random = new SplittableRandom(1);
        x = Matrix.of(Numbers.gaussian(elements, random), 1, elements);
        addends = Matrix.of(Numbers.gaussian(elements, random), 1, elements);
        y = Matrix.of(new float[elements], 1, elements);
    }

    public float[] x() {
        return x.array();
    }

    public Workload<Quantization> round() {
        return workload(8, (quantization, stream) -> quantization.round(y, x, rounding, stream));
    }

    /** Rounds the sums of both arrays. Block formats have no rounded sums, so only {@link #x} is rounded. */
    public Workload<Quantization> add() {
        return workload(12, (quantization, stream) -> {
            switch (rounding) {
                case Rounding elementwise -> quantization.add(y, x, addends, elementwise, stream);
                case BlockRounding blocks -> quantization.round(y, x, blocks, stream);
            }
        });
    }

    private interface Call {
        void run(Quantization quantization, RandomStream stream);
    }

    private Workload<Quantization> workload(int bytes, Call call) {
        return new Workload<>(
                () -> step = 0,
                y.array(),
                quantization -> call.run(quantization, new RandomStream(1, 2, step++)),
                null,
                0.5,
                x.columns(),
                (double) bytes * x.columns());
    }
}
