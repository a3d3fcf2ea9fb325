package org.lemmata.train;

import java.util.SplittableRandom;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.token.Batch;

/** Compares a loss with binary64, and a gradient with a difference of losses, on a few sequences of a problem. */
final class TrainingCheck {

    /** Maximum relative error of the loss. */
    private static final double MAX_LOSS_ERROR = 1e-5;

    /**
     * Maximum error of the derivative along a random Gaussian direction, relative to its standard deviation, the norm
     * of the gradient.
     */
    private static final double MAX_GRADIENT_ERROR = 0.03;

    /**
     * The typical relative change of the loss by a step along the direction. It is far above rounding errors, but so
     * small that the loss is nearly linear.
     */
    private static final double STEP = 1e-3;

    private static final long SEED = 1;

    private final TrainingProblem problem;
    private final Batch batch;
    private final Parameters parameters;
    private final Backpropagation backpropagation;

    private TrainingCheck(TrainingProblem problem) {
        this.problem = problem;
        batch = problem.fewSequences();
        parameters = problem.parameters();
        backpropagation = new Backpropagation(parameters, Kernels.best());
    }

    /**
     * The error of the loss, in units of 2^-23 of the loss.
     *
     * @throws IllegalStateException if the error of the loss or of the gradient is too large
     */
    static double errorUlps(TrainingProblem problem) {
        TrainingCheck check = new TrainingCheck(problem);
        double exact = check.exactLoss();
        double error = Math.abs(check.backpropagation.loss(check.batch) / exact - 1);
        if (!(error <= MAX_LOSS_ERROR)) {
            throw new IllegalStateException(
                    problem + ": expected a loss of " + exact + ", got " + check.backpropagation.loss(check.batch));
        }
        check.checkGradient();
        return error * 0x1p23;
    }

    /** The loss in binary64, without dropout. */
    private double exactLoss() {
        Architecture architecture = problem.architecture();
        double[] outputs = new ReferenceTransformer(parameters.widen()).logits(batch);
        int columns = architecture.outputs();
        int[] rows = batch.scoredRows();
        boolean regression = architecture.output().kind() == OutputOptions.Kind.REGRESSION;
        double loss = 0;
        for (int i = 0; i < rows.length; i++) {
            int at = rows[i] * columns;
            loss += regression
                    ? Math.pow(outputs[at] - batch.values()[i], 2)
                    : crossEntropy(outputs, at, columns, batch.targets()[i]);
        }
        return loss / rows.length;
    }

    private static double crossEntropy(double[] logits, int at, int columns, int target) {
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < columns; j++) {
            maximum = Math.max(maximum, logits[at + j]);
        }
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += Math.exp(logits[at + j] - maximum);
        }
        return maximum + Math.log(sum) - logits[at + target];
    }

    /** Computes gradients; returns the loss. If there is dropout, all calls use the same random numbers. */
    private double gradient(float[] gradients) {
        return backpropagation.gradient(gradients, batch, 1.0 / batch.scoredRows().length, SEED, 1);
    }

    /**
     * Compares the derivative along a random direction, which involves every parameter, with a difference of losses.
     */
    private void checkGradient() {
        float[] values = parameters.values();
        float[] gradients = new float[values.length];
        double loss = gradient(gradients);
        SplittableRandom random = new SplittableRandom(SEED);
        double[] direction = new double[values.length];
        double slope = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            direction[i] = random.nextGaussian();
            slope += gradients[i] * direction[i];
            squares += (double) gradients[i] * gradients[i];
        }
        double typical = Math.sqrt(squares);
        double distance = STEP * loss / typical;
        float[] start = values.clone();
        double difference = lossAt(start, direction, distance) - lossAt(start, direction, -distance);
        double found = difference / (2 * distance);
        if (!(Math.abs(found - slope) <= MAX_GRADIENT_ERROR * typical)) {
            throw new IllegalStateException(problem + ": expected a slope of " + found
                    + " by differences of losses, got " + slope + " from a gradient of norm " + typical);
        }
    }

    private double lossAt(float[] start, double[] direction, double distance) {
        for (int i = 0; i < start.length; i++) {
            parameters.values()[i] = (float) (start[i] + distance * direction[i]);
        }
        return gradient(new float[start.length]);
    }
}
