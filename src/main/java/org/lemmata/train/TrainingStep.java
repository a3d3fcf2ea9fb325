package org.lemmata.train;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.model.Objective;
import org.lemmata.token.Batch;

/**
 * A step of training: computes the gradient dp of the mean loss over the scored rows of all micro-batches, then takes a
 * step of the optimizer.
 *
 * <p>Micro-batches are weighted by their scored rows. Except for the order of binary32 sums, the gradient therefore
 * does not depend on how the examples of a step are split. If parameters and moments are not rounded, only the
 * objective allocates memory after the first step.
 */
public final class TrainingStep {

    private final Objective objective;
    private final Optimizer optimizer;
    private final long seed;

    /** The gradients of the loss times the loss scale. */
    private final float[] gradients;

    /** The table whose rows are updated separately; null if all parameters are updated together. */
    private final @Nullable SparseRows rows;

    /** The squared norm of the gradients of the unscaled loss; NaN until it is computed. */
    private double squaredNorm = Double.NaN;

    /** @param seed the seed of the run, which determines the objective's random numbers */
    public TrainingStep(Objective objective, Optimizer optimizer, long seed) {
        this.objective = objective;
        this.optimizer = optimizer;
        this.seed = seed;
        gradients = new float[objective.parameters().length];
        rows = optimizer.sparseRows(objective, gradients);
    }

    /**
     * Takes step t. Parameters and moments are up to date only after {@link #settle}.
     *
     * @param step t, 1 for the first step; micro-batch i of k uses the random numbers of step (t - 1) k + i
     * @return the mean loss over the scored rows, with the parameters before the step
     * @throws IllegalArgumentException if no row is scored
     * @throws DivergenceException if the loss is not finite, or the gradient's norm if the optimizer clips; the
     *     parameters are then unchanged
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

    /** Takes the postponed steps of table rows without gradients. Must be called before parameters are read. */
    public void settle() {
        if (rows != null) {
            rows.settle();
        }
    }

    /** The norm of the last step's gradient over the trained parameters, before clipping. */
    public double gradientNorm() {
        if (Double.isNaN(squaredNorm)) {
            double scale = optimizer.lossScale();
            squaredNorm = optimizer.squaredNorm(gradients, rows) / (scale * scale);
        }
        return Math.sqrt(squaredNorm);
    }
}
