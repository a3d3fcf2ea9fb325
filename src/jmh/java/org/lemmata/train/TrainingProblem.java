package org.lemmata.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.part.FlopCount;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * A model, the batch that it trains on, and the work of a step. The models are decoders like GPT-2, which other
 * libraries also support, and the configuration of each paper. Weights and tokens are random and fixed. All sequences
 * have the maximum length.
 */
@SuppressWarnings("ImmutableEnumChecker") // Records and lists that are never modified.
public enum TrainingProblem {
    /**
     * A decoder with the width, length, batch and activation for Dyck languages in Hayakawa and Sato (2024), with 8
     * types of brackets.
     */
    A(
            Architecture.gpt2(18, 700, 30, 4, 1, 120, 0)
                    .withFeedForward(new FeedForwardOptions(120, Activation.Kind.RELU, true, true)),
            16,
            1,
            adamW(1e-4),
            List.of(3.290806327706089, 3.258197298040014, 3.228522672288098)),

    /** The model of Richard (2024) with width 128 for Dyck words of length 32, without dropout. */
    B(
            Architecture.gpt2(2, 32, 128, 4, 2, 1024, 0),
            8,
            1,
            adamW(1e-4),
            List.of(0.7986037937165031, 1.0637073861925688, 0.8096508440523942)),

    /** The largest model of Richard (2024), without dropout. */
    C(
            Architecture.gpt2(2, 32, 1024, 4, 4, 8192, 0),
            8,
            1,
            adamW(1e-6),
            List.of(0.8513130906070938, 0.768554329593646, 0.7491184804970089)),

    /** A decoder with the width, hidden width and batch of Izzo, Nichani and Lee (2025). */
    D(
            Architecture.gpt2(3, 64, 16, 1, 1, 256, 0),
            1024,
            1,
            adamW(1e-4),
            List.of(1.2465964560398317, 1.2395946100500195, 1.2328940615124557)),

    /** Richard (2024), section 4.2: the smallest model that reaches 95%. */
    DEPTH(Architecture.gpt2(2, 32, 128, 4, 2, 1024, 0.1), 8, 1, adamW(6e-5), List.of()),

    /**
     * Boix-Adsera et al. (2024), appendix A, figure 1, with 512 names and 7 other tokens. The string
     * "a=1;b=-1;print(a)" has 12 tokens.
     */
    SYMBOL(
            Architecture.gpt2(519, 12, 128, 2, 16, 256, 0)
                    .withAttention(AttentionOptions.softmax(16, 64).withBiases(true))
                    .withOutput(OutputOptions.regression(true)),
            1024,
            1,
            adam(1e-3),
            List.of()),

    /**
     * Hayakawa and Sato (2024), table 4 and appendix B, with 10 layers, 8 types of brackets, a start token and no
     * positions.
     */
    HIERARCHY(
            new Architecture(
                    new Architecture.Size(18, 700, 30, 10),
                    PositionOptions.none(),
                    AttentionOptions.softmax(1, 30)
                            .withScores(1, LogLength.NONE, 0)
                            .withOutputProjection(false),
                    new FeedForwardOptions(30, Activation.Kind.RELU, false, false),
                    new NormalizationOptions(Placement.INNER, Normalization.Kind.ROOT_MEAN_SQUARE, 1e-5f, true, true),
                    true,
                    OutputOptions.nextToken(false),
                    0),
            16,
            2,
            adam(3e-4),
            List.of()),

    /** Izzo, Nichani and Lee (2025), appendix B, for SimpleTask, with scores multiplied by ln n. */
    LENGTH(
            new Architecture(
                    new Architecture.Size(3, 64, 16, 1),
                    PositionOptions.none(),
                    AttentionOptions.softmax(1, 16)
                            .withWeighting(Weighting.SOFTMAX, 0)
                            .withScores(1, LogLength.SEEN, 0)
                            .withOutputProjection(false),
                    new FeedForwardOptions(256, Activation.Kind.RELU, true, false),
                    NormalizationOptions.none(),
                    true,
                    OutputOptions.regression(false),
                    0),
            1024,
            1,
            adam(6.25e-4),
            List.of()),

    /** The model of docs/examples/text/small-gpt.yaml, on natural language. */
    SMALL_GPT(Architecture.gpt2(50_257, 256, 256, 4, 4, 1024, 0), 4, 1, adamW(1e-4), List.of()),

    /** GPT-2 with 124 million parameters. A step takes seconds. */
    GPT2(Architecture.gpt2(50_257, 1024, 768, 12, 12, 3072, 0), 1, 1, adamW(1e-4), List.of());

    private static final long SEED = 20251122;

    private static final double CHECKED_FLOPS = 1e8;

    /** The length of the sequence in a slow check of natural language. A full sequence would take minutes. */
    private static final int CHECKED_TOKENS = 32;

    /** Maximum error of the loss. A missing gradient of one matrix changes the third loss by more. */
    private static final double MAX_RELATIVE_ERROR = 2e-5;

    private final Architecture architecture;
    private final int sequences;
    private final int microBatches;
    private final UpdateRule rule;

    /**
     * The losses before the first step and after one and two steps, computed by PyTorch in binary64; empty if unknown.
     */
    private final List<Double> losses;

    TrainingProblem(Architecture architecture, int sequences, int microBatches, UpdateRule rule, List<Double> losses) {
        this.architecture = architecture;
        this.sequences = sequences;
        this.microBatches = microBatches;
        this.rule = rule;
        this.losses = losses;
    }

    private static UpdateRule adamW(double learningRate) {
        return new AdamW(learningRate, 0.9, 0.999, 1e-8, 0.01);
    }

    private static UpdateRule adam(double learningRate) {
        return new Adam(learningRate, 0.9, 0.999, 1e-8, 0);
    }

    public Architecture architecture() {
        return architecture;
    }

    /** The number of sequences of a micro-batch. */
    public int sequences() {
        return sequences;
    }

    /** The update rule, whose weight decay applies to all parameters. */
    public UpdateRule rule() {
        return rule;
    }

    /** The number of tokens of a step. */
    public int tokens() {
        return microBatches * sequences * architecture.maxLength();
    }

    private boolean regression() {
        return architecture.output().kind() == OutputOptions.Kind.REGRESSION;
    }

    /**
     * The initial values of a parameter; its name seeds the random numbers. They are Gaussian, with standard deviation
     * 1/√inputs for maps, 1/√width for tables and 0.1 for vectors, and with mean 1 for gains. If biases or positions
     * were zero, the loss would not depend on them. If scores have no scale, maps are multiplied by 0.3. Without this
     * factor, attention in ten layers would be close to hardmax, and differences of losses would not approximate the
     * gradient.
     */
    public float[] initial(ParameterView view) {
        double ofMaps = architecture.attention().scoreScale() == 1 ? 0.3 : 1;
        SplittableRandom random = new SplittableRandom(SEED + view.name().hashCode());
        boolean table = view.name().endsWith("embedding");
        double deviation =
                view.vector() ? 0.1 : table ? 1 / Math.sqrt(view.columns()) : ofMaps / Math.sqrt(view.rows());
        double mean = view.name().endsWith("gain") ? 1 : 0;
        float[] values = new float[view.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (mean + deviation * random.nextGaussian());
        }
        return values;
    }

    public Parameters parameters() {
        float[] values = new float[architecture.parameterCount()];
        for (ParameterView view : architecture.layout()) {
            System.arraycopy(initial(view), 0, values, view.offset(), view.size());
        }
        return new Parameters(architecture, values);
    }

    /** The micro-batches of a step. Each position of a next-token example is scored; its target is the next token. */
    public List<Batch> batches() {
        SplittableRandom random = new SplittableRandom(SEED);
        var batches = new ArrayList<Batch>();
        for (int i = 0; i < microBatches; i++) {
            var examples = new ArrayList<Example>();
            for (int sequence = 0; sequence < sequences; sequence++) {
                examples.add(example(random, architecture.maxLength()));
            }
            batches.add(Batch.ofExamples(examples));
        }
        return batches;
    }

    /**
     * Sequences for slow checks: as many as a step can process with {@link #CHECKED_FLOPS}, and at least one. Sequences
     * of natural language have {@link #CHECKED_TOKENS} tokens.
     */
    Batch fewSequences() {
        SplittableRandom random = new SplittableRandom(SEED);
        double count = microBatches * sequences * Math.min(1, CHECKED_FLOPS / flops());
        int length = this == SMALL_GPT || this == GPT2 ? CHECKED_TOKENS : architecture.maxLength();
        return Batch.ofExamples(IntStream.range(0, Math.max(1, (int) count))
                .mapToObj(_ -> example(random, length))
                .toList());
    }

    private Example example(SplittableRandom random, int length) {
        int[] tokens = random.ints(length + 1, 0, architecture.vocabularySize()).toArray();
        int[] inputs = Arrays.copyOf(tokens, length);
        return regression()
                ? Example.regression(inputs, (float) random.nextGaussian())
                : new Example(
                        inputs,
                        Arrays.copyOfRange(tokens, 1, length + 1),
                        IntStream.range(0, length).toArray());
    }

    /** The number of operations of a step, as {@link FlopCount} counts them. */
    public double flops() {
        double length = architecture.maxLength();
        double all = (double) microBatches * sequences;
        FlopCount count = new FlopCount(architecture);
        return count.gradient(all * length, all * count.pairs(length), regression() ? all : all * length);
    }

    /** The bytes that the optimizer moves: parameters, both moments and gradients are read and written. */
    public double bytes() {
        return 8.0 * Float.BYTES * architecture.parameterCount();
    }

    /**
     * The error of losses compared with the expected losses; 0 if these are unknown.
     *
     * @param found the losses before the first step and after one and two steps
     * @return the maximum error, in units of 2^-23 of the loss
     * @throws IllegalStateException if the error is too large
     */
    public double checkedErrorUlps(float[] found) {
        double maximum = 0;
        for (int step = 0; step < losses.size(); step++) {
            double error = Math.abs(found[step] / losses.get(step) - 1);
            if (!(error <= MAX_RELATIVE_ERROR)) {
                throw new IllegalStateException(
                        this + ": expected losses " + losses + ", got " + Arrays.toString(found));
            }
            maximum = Math.max(maximum, error);
        }
        return maximum * 0x1p23;
    }
}
