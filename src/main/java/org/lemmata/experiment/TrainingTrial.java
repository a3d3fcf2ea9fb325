package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.file.FileTree;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.Trial;
import org.lemmata.sweep.TrialContext;
import org.lemmata.sweep.TrialSpeed;
import org.lemmata.train.DivergenceException;
import org.lemmata.train.Training;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingResult;
import org.lemmata.train.TrainingResult.End;

/**
 * A training run as a cell of a sweep. {@code lemmata train} with the same settings gives bit-identical results.
 *
 * <p>The measurements are {@code steps}, {@code tokens}, {@code trainLoss}, {@code bestStep}, {@code validationLoss},
 * {@code testLoss}, {@link TrainingPlan.TestMeasures}, {@code testInTraining}, other measurements that the evaluation
 * requests, and {@code diverged}, which is 0. If training diverges, the only measurements are {@code steps}, the step
 * at which a number became infinite or NaN, and {@code diverged}, which is 1. In sweeps over learning rates, divergence
 * is a result, not an error.
 */
public final class TrainingTrial implements Trial {

    /**
     * The time between checkpoints: the maximum loss of work if a run is killed. Writing a checkpoint takes a few
     * milliseconds.
     */
    private static final Duration BETWEEN_CHECKPOINTS = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "train";
    }

    @Override
    public Section section() {
        return TrainingSections.TRAINING;
    }

    @Override
    public Set<String> free() {
        return TrainingRun.FREE;
    }

    @Override
    public void check(Configuration settings) throws IOException {
        TrainingPlan.read(settings);
    }

    @Override
    public String simd() {
        return Kernels.best().description();
    }

    @Override
    public int numerics(Map<String, String> settings) {
        return TrainingPlan.numerics(settings);
    }

    @Override
    public double cost(Configuration settings) throws IOException {
        return TrainingCost.of(TrainingPlan.read(settings)).total();
    }

    @Override
    public double stepCost(Configuration settings) throws IOException {
        return TrainingCost.of(TrainingPlan.read(settings)).step();
    }

    @Override
    public Optional<TrialSpeed> speed(Configuration settings, int threads, Duration time) throws IOException {
        return Optional.of(TrainingCost.TrainingSpeed.measure(TrainingPlan.read(settings), threads, time));
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) throws IOException {
        try (TrainingRun run = TrainingRun.of(TrainingPlan.read(settings, BETWEEN_CHECKPOINTS), context.threads())) {
            List<Measurement> measurements = train(run, context);
            if (context.keep().compareTo(Keep.WEIGHTS) >= 0) {
                run.write(context.directory());
            }
            return measurements;
        }
    }

    @Override
    public void release(Path directory, Keep keep) throws IOException {
        if (keep != Keep.CHECKPOINTS) {
            FileTree.delete(directory.resolve(Training.CHECKPOINTS));
        }
    }

    private static List<Measurement> train(TrainingRun run, TrialContext context) throws IOException {
        var listener = new TrainingListener() {
            @Override
            public boolean wantsToStop() {
                return context.stop().getAsBoolean();
            }

            @Override
            public void resumed(double secondsBefore) {
                context.steps().resumed(secondsBefore);
            }

            @Override
            public void hashed(long step, double loss, String weights) {
                context.steps().taken(step, loss, weights);
            }
        };
        try {
            TrainingResult result = run.train(context.directory(), true, listener, refusedCheckpoint -> {});
            if (result.end() == End.INTERRUPTED) {
                throw new InterruptedTrialException();
            }
            List<Measurement> measurements = run.measurements(result);
            return Stream.concat(measurements.stream(), Stream.of(diverged(0))).toList();
        } catch (DivergenceException e) {
            return List.of(Measurement.exact("steps", (double) e.step(), "steps", 1), diverged(1));
        }
    }

    private static Measurement diverged(int runs) {
        return Measurement.exact("diverged", runs, "runs", 1);
    }
}
