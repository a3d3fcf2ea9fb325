package org.lemmata.construct.length;

import java.util.List;
import java.util.SplittableRandom;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.token.Batch;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A limit transformer of one layer, and a sequence. The transformer is a construction's model with 24-bit weights, or
 * {@code DRAWN}, a model of the sizes of Izzo, Nichani and Lee (2025), appendix B (width 16, 256 hidden units) with
 * random weights.
 *
 * <p>Pitfalls: with tied keys, as in the constructions, hardmax and thresholded softmax do the same work. In
 * {@code DRAWN}, only keys with equal token and residue tie.
 */
@State(Scope.Thread)
public abstract class LimitTransformerProblem {

    private static final int P = 10;

    /** The maximum length of the sequence whose last row is compared with a pass over all rows. */
    private static final int CHECKED_LENGTH = 2_000;

    /** Maximum error of the outputs in binary32. The outputs are at most about 1. */
    private static final double MAX_ERROR = 1e-4;

    public enum ModelKind {
        SIMPLE_TASK,
        MOD_P_TASK,
        DRAWN
    }

    @Param
    public ModelKind task = ModelKind.SIMPLE_TASK;

    @Param({"THRESHOLDED", "HARDMAX"})
    public Weighting weighting = Weighting.THRESHOLDED;

    @Param("1")
    public int threads;

    private Workers workers = Workers.caller();
    private Parameters parameters =
            new Parameters(architecture(1), new float[architecture(1).parameterCount()]);
    Transformer scalarModel = new Transformer(parameters, Kernels.scalar());
    Transformer vectorModel = scalarModel;
    Batch batch = Batch.of(List.of());

    abstract int length();

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Tokens {
        public long tokens;
    }

    /** Builds the models. Compares the last row with the binary64 reference and with a pass over all rows. */
    @Setup
    public void prepare() {
        int length = length();
        workers = Workers.of(threads);
        parameters = parameters();
        scalarModel = new Transformer(parameters, Kernels.scalar());
        vectorModel = new Transformer(parameters, Kernels.best(workers));
        var random = new SplittableRandom(20251122);
        int tokens = parameters.architecture().vocabularySize();
        int[] ids = random.ints(length, 0, tokens).toArray();
        batch = Batch.of(List.of(ids));
        var reference = new ReferenceTransformer(parameters.widen());
        Batch start = Batch.of(
                List.of(random.ints(Math.min(length, CHECKED_LENGTH), 0, tokens).toArray()));
        for (Batch checked : List.of(batch, start)) {
            double expected = reference.lastLogits(checked)[0];
            for (Transformer model : List.of(scalarModel, vectorModel)) {
                double value = model.lastLogits(checked)[0];
                if (!(Math.abs(value - expected) <= MAX_ERROR)) {
                    throw new IllegalStateException("expected " + expected + ", got " + value);
                }
            }
        }
        double[] every = vectorModel.logits(start);
        double last = vectorModel.lastLogits(start)[0];
        if (last != every[every.length - 1]) {
            throw new IllegalStateException("expected the bits of " + every[every.length - 1] + ", got " + last);
        }
    }

    private Architecture architecture(int maxLength) {
        return LimitTransformer.architecture(
                3,
                maxLength,
                16,
                PositionOptions.periodic(5),
                16,
                P,
                new FeedForwardOptions(256, Activation.Kind.RELU, true, false));
    }

    private Parameters parameters() {
        int length = length();
        Parameters of = switch (task) {
            case SIMPLE_TASK ->
                new SimpleTaskByPiecewiseLinearSine(1, 65, P, 24, length + CHECKED_LENGTH)
                        .build()
                        .nearest();
            case MOD_P_TASK ->
                new ModPTaskByPeriodicPositions(5, 1, P, 24, length + CHECKED_LENGTH)
                        .build()
                        .nearest();
            case DRAWN -> Parameters.normal(architecture(length + CHECKED_LENGTH), 0.1, new SplittableRandom(20251122));
        };
        Architecture weighted = of.architecture()
                .withAttention(of.architecture()
                        .attention()
                        .withWeighting(weighting, weighting == Weighting.THRESHOLDED ? P : 0));
        return new Parameters(weighted, of.values());
    }

    @TearDown
    public void close() {
        workers.close();
    }
}
