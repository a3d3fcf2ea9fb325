package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.dropout.Dropout;
import org.lemmata.random.RandomStream;

/** Dropout of numbers between 1 and 2. Each call uses other random words. */
public final class DropoutProblem {

    private final double probability;
    private final float[] x;
    private final float[] y;
    private long step;

    public DropoutProblem(double probability, int elements) {
        this.probability = probability;
        x = Numbers.uniform(elements, 1, 2, new SplittableRandom(1));
        y = new float[elements];
    }

    public float[] x() {
        return x;
    }

    public Workload<Dropout> forward() {
        return new Workload<>(
                () -> step = 0,
                y,
                dropout -> dropout.forward(y, 0, x, 0, x.length, probability, new RandomStream(1, 2, step++)),
                null,
                2,
                x.length,
                8.0 * x.length);
    }
}
