package org.lemmata.train;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.model.Objective;
import org.lemmata.token.Batch;

/**
 * dp = (sum over all scored rows of all micro-batches of the gradient of the loss) / (their number); then a step of the
 * optimizer.
 *
 * <p>A micro-batch counts by its rows: however a step's examples are split, the gradient is the same up to the order in
 * which binary32 sums were taken. On given batches a step allocates nothing beyond what the objective does.
 */
public final class TrainingStep {

    private final Objective objective;
    private final Optimizer optimizer;
    private final long seed;

    /** Times the loss scale. */
    private final float[] gradients;

    /** Null where all gradients are passed over. */
    private final @Nullable SparseRows rows;

    /** Of the gradients of the loss itself; NaN until it is asked for. */
    private double squaredNorm = Double.NaN;

    /** @param seed of the run: what the objective's random numbers follow from */
    public TrainingStep(Objective objective, Optimizer optimizer, long seed) {
        this.objective = objective;
        this.optimizer = optimizer;
        this.seed = seed;
        gradients = new float[objective.parameters().length];
        rows = optimizer.sparseRows(objective, gradients);
    }

    /**
     * Takes step t; parameters and moments are those after it once {@link #settle} was called.
     *
     * @param step t: 1 at the first step; micro-batch i of k has the random numbers of step (t - 1) k + i
     * @return the mean loss over the scored rows, with the parameters before the step
     * @throws IllegalArgumentException if no row is scored
     * @throws DivergenceException if the loss is not finite, or the gradient's norm where the optimizer clips; the
     *     parameters are then as they were
     */
    public double run(List<Batch> microBatches, long step) {
        int count = microBatches.size();
        long scored = 0;
        for (int i = 0; i < count; i++) {
            scored += microBatches.get(i).scoredRows().length;
        }
        if (scored == 0) {
            throw new IllegalArgumentException("examples: expected scored positions at step " + step + ", got none");
        }
        if (rows == null) {
            Arrays.fill(gradients, 0);
        } else {
            rows.begin(microBatches, step);
        }
        squaredNorm = Double.NaN;
        double factor = optimizer.lossScale() / scored;
        double loss = 0;
        for (int i = 0; i < count; i++) {
            loss += objective.gradient(gradients, microBatches.get(i), factor, seed, (step - 1) * count + i + 1);
        }
        loss /= optimizer.lossScale();
        DivergenceException.requireFinite(step, "training loss", loss);
        if (optimizer.clips()) {
            DivergenceException.requireFinite(step, "gradient norm", gradientNorm());
        }
        optimizer.step(objective.parameters(), gradients, squaredNorm, step, rows);
        return loss;
    }

    /**
     * Lets the rows of a table that had no gradients take the steps that were put off: whoever reads them calls this.
     */
    public void settle() {
        if (rows != null) {
            rows.settle();
        }
    }

    /** The norm of the last step's gradient over what is trained, before clipping. */
    public double gradientNorm() {
        if (Double.isNaN(squaredNorm)) {
            double scale = optimizer.lossScale();
            squaredNorm = optimizer.squaredNorm(gradients, rows) / (scale * scale);
        }
        return Math.sqrt(squaredNorm);
    }
}
