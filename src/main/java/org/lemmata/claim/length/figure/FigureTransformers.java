package org.lemmata.claim.length.figure;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.SimpleTask;

/** The limit transformers that express the tasks of figures 1 and 2, beside the models that are trained on them. */
final class FigureTransformers {

    /** "the MLP width is 256". */
    static final int HIDDEN = 256;

    /** p, and the score of what is attended to; the significand bits of the trained models. */
    private static final int BITS = 24;

    private static final int EXACT = 53;

    /** The functions are asked for values at any length; the maximum of the construction is not looked at. */
    private static final int MAX_LENGTH = 1;

    private static final long SEED = 5_303;

    private FigureTransformers() {}

    /** SimpleTask's with as many relu as the trained models have. */
    static LimitFunction simpleTask(double omega) {
        return LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(omega, HIDDEN, BITS, EXACT, MAX_LENGTH).build());
    }

    /** ModPTask's, k = 0. */
    static LimitFunction modPTask(double period) {
        return LimitFunction.of(new ModPTaskByPeriodicPositions((int) period, 0, BITS, EXACT, MAX_LENGTH).build());
    }

    /** The mean squared error of SimpleTask's, in binary64, on fresh sequences of a length. */
    static double loss(double omega, int testLength, int sequences) {
        var task = new SimpleTask(new LinkFunction.Sine(omega), new LengthRange(testLength, testLength));
        LimitFunction function = simpleTask(omega);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        return Stream.generate(() -> task.sample(random, testLength).inputs())
                .limit(sequences)
                .mapToDouble(x -> Math.pow(function.value(x) - task.value(x), 2))
                .average()
                .orElseThrow();
    }
}
