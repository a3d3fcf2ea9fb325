package org.lemmata.experiment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Objective;
import org.lemmata.statistic.Median;
import org.lemmata.sweep.TrialSpeed;
import org.lemmata.token.Batch;
import org.lemmata.train.Optimizer;

/**
 * Measures the speed of training steps without keeping their results.
 *
 * <p>The batch starts with one sequence and doubles while steps are short, up to the planned size. If a whole step
 * would take too long, its time is extrapolated as the optimizer's time plus the number of sequences times the time per
 * sequence.
 */
final class TrainingSpeed {

    /**
     * The maximum duration of a step as a share of the time limit; the rest of the time is for warm-up and measurement.
     */
    private static final double LONGEST_STEP = 1.0 / 6;

    private static final int FEW_STEPS = 5;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final TrainingPlan plan;
    /** Returns nanoseconds: CPU time for one thread; elapsed time for several threads, which wait for each other. */
    private final LongSupplier clock;

    private final TrainingData data;
    private final Objective objective;
    private final Optimizer optimizer;
    private final float[] gradients;

    private record StepTime(double sequencesSeconds, double optimizerSeconds) {
        double seconds() {
            return sequencesSeconds + optimizerSeconds;
        }
    }

    private TrainingSpeed(TrainingPlan plan, Kernels kernels, LongSupplier clock) {
        this.plan = plan;
        this.clock = clock;
        data = plan.data().inEpochs(false).draw();
        float[] parameters = plan.model().draw(plan.seed());
        objective = plan.model().objective(parameters, plan.precision(), kernels);
        optimizer = new Optimizer(plan.model().layout(), plan.optimizer(), plan.precision(), kernels);
        optimizer.start(parameters);
        gradients = new float[parameters.length];
    }

    /**
     * The speed of a run. Takes steps for the given time, and evaluates the later half of those with the largest batch.
     */
    static TrialSpeed measure(TrainingPlan plan, int threads, Duration time) throws IOException {
        LongSupplier clock = threads == 1 ? THREADS::getCurrentThreadCpuTime : System::nanoTime;
        long start = clock.getAsLong();
        try (Workers workers = Workers.of(threads)) {
            var run = new TrainingSpeed(plan, Kernels.best(workers), clock);
            return run.speed((clock.getAsLong() - start) * 1e-9, time.toNanos() * 1e-9);
        }
    }

    private TrialSpeed speed(double startSeconds, double seconds) throws IOException {
        int sequences = 1;
        int most = (int) Math.min(plan.options().batchSize(), Math.ceil(plan.examplesOfStep()));
        double ofSmaller = 0;
        var times = new ArrayList<StepTime>();
        long start = System.nanoTime();
        long startOfClock = clock.getAsLong();
        for (long step = 1; times.isEmpty() || (System.nanoTime() - start) * 1e-9 < seconds; step++) {
            StepTime last = step(sequences, step);
            times.add(last);
            // The first step with a new batch size allocates memory, and code may be compiled again.
            if (times.size() > 1 && sequences < most && 2 * last.seconds() < LONGEST_STEP * seconds) {
                ofSmaller = last.sequencesSeconds / sequences;
                sequences = (int) Math.min(most, 2L * sequences);
                times.clear();
            }
        }
        List<StepTime> warm = times.subList(times.size() / 2, times.size());
        double perSequence = median(warm, StepTime::sequencesSeconds) / sequences;
        double stepSeconds = perSequence * plan.examplesOfStep() + median(warm, StepTime::optimizerSeconds);
        // If the batch is smaller than planned, the time per sequence may fall as much as it did at the last doubling.
        double spread = sequences < most ? Math.max(1, ofSmaller / perSequence) : 1;
        double share = Math.min(1, (double) (clock.getAsLong() - startOfClock) / (System.nanoTime() - start));
        return new TrialSpeed(TrainingCost.of(plan).step() / stepSeconds, startSeconds, spread * spread(warm), share);
    }

    /**
     * The mean time of steps divided by the median, but at least 1, or 2 for few steps. The duration of a run depends
     * on the mean.
     */
    private static double spread(List<StepTime> steps) {
        double mean = steps.stream().mapToDouble(StepTime::seconds).average().orElseThrow();
        return Math.max(steps.size() < FEW_STEPS ? 2 : 1, mean / median(steps, StepTime::seconds));
    }

    private StepTime step(int sequences, long step) {
        long start = clock.getAsLong();
        Batch batch = data.training().nextBatch(sequences);
        int rows = batch.scoredRows().length;
        objective.gradient(gradients, batch, plan.precision().lossScale() / Math.max(1, rows), plan.seed(), step);
        long between = clock.getAsLong();
        double scale = plan.precision().lossScale();
        double squaredNorm = optimizer.clips() ? optimizer.squaredNorm(gradients) / (scale * scale) : Double.NaN;
        optimizer.step(objective.parameters(), gradients, squaredNorm, step);
        Arrays.fill(gradients, 0);
        long end = clock.getAsLong();
        return new StepTime((between - start) * 1e-9, (end - between) * 1e-9);
    }

    private static double median(List<StepTime> times, ToDoubleFunction<StepTime> part) {
        return Median.of(times.stream().mapToDouble(part).toArray());
    }
}
