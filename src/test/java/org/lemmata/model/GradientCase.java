package org.lemmata.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Batches for gradients of drawn models, and the checks of their gradients. */
public final class GradientCase {

    public static final long SEED = 91;
    public static final long STEP = 17;

    private GradientCase() {}

    /** Ragged examples with answers of the architecture's kind; only some next-token positions are scored. */
    public static Batch batch(ModelCase model, int... lengths) {
        var random = new Random(model.seed());
        boolean regression = isRegression(model);
        List<Example> examples = new ArrayList<>();
        for (int length : lengths) {
            int[] ids = model.sequence(length, random);
            int[] scored = IntStream.range(0, length)
                    .filter(i -> random.nextInt(3) > 0 || i == 3)
                    .toArray();
            if (regression && length > 0) {
                examples.add(Example.regression(ids, (float) random.nextGaussian()));
            } else {
                examples.add(new Example(ids, model.sequence(scored.length, random), scored));
            }
        }
        return Batch.ofExamples(examples);
    }

    /** Sequences of which only the last position is scored. */
    public static Batch lastBatch(ModelCase model, int... lengths) {
        var random = new Random(model.seed());
        boolean regression = isRegression(model);
        return Batch.ofExamples(IntStream.of(lengths)
                .mapToObj(length -> {
                    int[] ids = model.sequence(length, random);
                    return regression
                            ? Example.regression(ids, (float) random.nextGaussian())
                            : new Example(ids, model.sequence(1, random), new int[] {length - 1});
                })
                .toList());
    }

    /** Two sequences with so few scored rows that the last feed-forward is computed only for them. */
    public static Batch fewRows(ModelCase model) {
        int[] ids = model.sequence(9, new Random(model.seed()));
        int[] others = model.sequence(3, new Random(model.seed() + 1));
        return Batch.ofExamples(
                isRegression(model)
                        ? List.of(Example.regression(ids, 0.25f), Example.regression(others, -1))
                        : List.of(
                                new Example(ids, new int[] {1, 0}, new int[] {2, 6}),
                                new Example(others, new int[] {1}, new int[] {2})));
    }

    static boolean isRegression(ModelCase model) {
        return model.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
    }

    static float[] gradient(Objective objective, Batch batch, double factor) {
        float[] gradients = new float[objective.parameters().length];
        objective.gradient(gradients, batch, factor, SEED, STEP);
        return gradients;
    }

    static double norm(float[] of) {
        return norm(of, 0, of.length);
    }

    static double norm(float[] of, int from, int to) {
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += (double) of[i] * of[i];
        }
        return Math.sqrt(squares);
    }

    static double norm(float[] of, ParameterView view) {
        return norm(of, view.offset(), view.offset() + view.size());
    }

    static ModelCase withoutDropout(ModelCase model) {
        return new ModelCase(model.name(), model.seed(), model.architecture().withDropout(0));
    }
}
