package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Rounding normal numbers, or sums of them; the bits are those of the reference. Each call has random words of its own,
 * so that none can be kept from one to the next.
 */
public final class QuantizationProblem {

    private final TensorRounding rounding;
    private final float[] x;
    private final float[] y;
    private final Matrix ofX;
    private final Matrix ofAddends;
    private final Matrix ofY;
    private long step;

    public QuantizationProblem(TensorRounding rounding, int elements) {
        this.rounding = rounding;
        SplittableRandom random = new SplittableRandom(1);
        x = Numbers.gaussian(elements, random);
        y = new float[elements];
        ofX = Matrix.row(x, 0, elements);
        ofAddends = Matrix.row(Numbers.gaussian(elements, random), 0, elements);
        ofY = Matrix.row(y, 0, elements);
    }

    public float[] x() {
        return x;
    }

    public Workload<Quantization> round() {
        return workload(8, (quantization, stream) -> quantization.round(ofY, ofX, rounding, stream));
    }

    /** Blocks, which have no sums, are rounded alone. */
    public Workload<Quantization> add() {
        return workload(12, (quantization, stream) -> {
            switch (rounding) {
                case Rounding elementwise -> quantization.add(ofY, ofX, ofAddends, elementwise, stream);
                case BlockRounding blocks -> quantization.round(ofY, ofX, blocks, stream);
            }
        });
    }

    private interface Call {
        void run(Quantization quantization, RandomStream stream);
    }

    private Workload<Quantization> workload(int bytes, Call call) {
        return new Workload<>(
                () -> step = 0,
                y,
                quantization -> call.run(quantization, new RandomStream(1, 2, step++)),
                null,
                0.5,
                x.length,
                (double) bytes * x.length);
    }
}
