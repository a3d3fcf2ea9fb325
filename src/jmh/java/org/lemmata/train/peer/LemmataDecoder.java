package org.lemmata.train.peer;

import java.util.List;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.kernel.Kernels;
import org.lemmata.train.TrainingProblem;
import org.lemmata.train.TrainingSteps;

/** Lemmata's own training step. */
final class LemmataDecoder implements Contender {

    private final TrainingSteps steps;

    LemmataDecoder(TrainingProblem problem, int threads) {
        steps = new TrainingSteps(problem, threads);
    }

    @Override
    public void run() {
        double _ = steps.next();
    }

    @Override
    public List<float[]> results() {
        return List.of(steps.threeLosses());
    }

    @Override
    public String description() {
        return "Lemmata, " + Kernels.best().description();
    }

    @Override
    public void close() {
        steps.close();
    }
}
