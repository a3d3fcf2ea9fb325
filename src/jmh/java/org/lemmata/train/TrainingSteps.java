package org.lemmata.train;

import java.util.List;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/** Consecutive training steps of a problem, always on the same batch. */
public final class TrainingSteps implements AutoCloseable {

    private static final long SEED = 1;

    private final Workers workers;
    private final List<Batch> batches;
    private final Backpropagation objective;
    private final TrainingStep step;
    private long steps;

    public TrainingSteps(TrainingProblem problem, int threads) {
        workers = Workers.of(threads);
        batches = problem.batches();
        Parameters parameters = problem.parameters();
        Kernels kernels = Kernels.best(workers);
        var options = new OptimizerOptions(
                problem.rule(), new Schedule.ConstantRate(), List.of(), true, Double.POSITIVE_INFINITY);
        objective = new Backpropagation(parameters, kernels);
        step = new TrainingStep(
                objective,
                new Optimizer(problem.architecture().layout(), options, PrecisionPolicy.none(), kernels),
                SEED);
    }

    /** Runs a step; returns the loss before the step. */
    public double next() {
        return step.run(batches, ++steps);
    }

    /** The loss as evaluation computes it, without a step. */
    double loss() {
        return Evaluation.loss(objective, batches);
    }

    public float[] threeLosses() {
        return new float[] {(float) next(), (float) next(), (float) next()};
    }

    @Override
    public void close() {
        workers.close();
    }
}
