package org.lemmata.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.NormalizationOptions.Placement;

/** An architecture with random parameters and random sequences of ragged lengths; name and seed are printed with it. */
public record ModelCase(String name, long seed, Architecture architecture) {

    public static final int MAX_LENGTH = 23;

    private static final FeedForwardOptions FEED_FORWARD =
            new FeedForwardOptions(19, Activation.Kind.GELU, false, false);

    private static final NormalizationOptions ROOT_MEAN_SQUARE =
            new NormalizationOptions(Placement.PRE, Normalization.Kind.ROOT_MEAN_SQUARE, 1e-6f, true, true);

    /** Softmax attention with residual, and nothing else. */
    private static Architecture plain() {
        return new Architecture(
                new Architecture.Size(7, MAX_LENGTH, 10, 2),
                PositionOptions.none(),
                AttentionOptions.softmax(2, 5),
                null,
                NormalizationOptions.none(),
                true,
                OutputOptions.nextToken(false),
                0);
    }

    /** Each option separately, with the options that it needs. */
    public static Stream<ModelCase> alone() {
        Map<String, UnaryOperator<Architecture>> options = new LinkedHashMap<>();
        options.put("plain", of -> of);
        options.put("one layer", of -> of.withLayers(1));
        options.put("three layers", of -> of.withLayers(3));
        options.put("no residual", of -> of.withResidual(false));
        options.put("position table", of -> of.withPositions(PositionOptions.table()));
        options.put("periodic positions", of -> of.withPositions(PositionOptions.periodic(5)));
        options.put("period 1", of -> of.withPositions(PositionOptions.periodic(1)));
        options.put("tied", of -> of.withOutput(OutputOptions.nextToken(true)));
        options.put("output bias", of -> of.withOutput(new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, true, true)));
        options.put("regression", of -> of.withOutput(OutputOptions.regression(false)));
        options.put("regression with bias", of -> of.withOutput(OutputOptions.regression(true)));
        options.put("uniform", of -> attention(of, a -> a.withWeighting(Weighting.UNIFORM, 0)));
        options.put("hardmax", of -> attention(of, a -> a.withWeighting(Weighting.HARDMAX, 0)));
        options.put("thresholded", of -> attention(of, a -> a.withWeighting(Weighting.THRESHOLDED, 2)));
        options.put("no mask", of -> attention(of, a -> a.withMask(Mask.NONE)));
        options.put("score scale 1", of -> attention(of, a -> a.withScores(1, LogLength.NONE, 0)));
        options.put("log length", of -> attention(of, a -> a.withScores(0.4f, LogLength.SEEN, 0)));
        options.put("log length of the sequence", of -> attention(of, a -> a.withScores(0.4f, LogLength.SEQUENCE, 0)));
        options.put(
                "log length of the sequence, one layer",
                of -> attention(of, a -> a.withScores(0.4f, LogLength.SEQUENCE, 0))
                        .withLayers(1));
        options.put(
                "thresholded with log length of the sequence",
                of -> attention(
                        of, a -> a.withWeighting(Weighting.THRESHOLDED, 2).withScores(2, LogLength.SEQUENCE, 0)));
        options.put("score bias", of -> attention(of, a -> a.withScores(0.4f, LogLength.NONE, 4)));
        options.put("identities", of -> attention(of, a -> a.withIdentities(true)));
        options.put(
                "uniform identities",
                of -> attention(of, a -> a.withWeighting(Weighting.UNIFORM, 0).withIdentities(true)));
        options.put("head width of its own", of -> attention(of, a -> AttentionOptions.softmax(3, 4)));
        options.put("no output projection", of -> attention(of, a -> a.withOutputProjection(false)));
        options.put("attention biases", of -> attention(of, a -> a.withBiases(true)));
        options.put(
                "biases without output projection",
                of -> attention(of, a -> a.withBiases(true).withOutputProjection(false)));
        options.put(
                "normalized queries and keys",
                of -> attention(of, a -> a.withNormalizedQueriesAndKeys(true))
                        .withNormalization(NormalizationOptions.layer(Placement.NONE)));
        for (Activation.Kind activation : Activation.Kind.values()) {
            options.put(
                    "feed-forward " + activation,
                    of -> of.withFeedForward(new FeedForwardOptions(19, activation, false, false)));
        }
        options.put(
                "feed-forward biases",
                of -> of.withFeedForward(new FeedForwardOptions(19, Activation.Kind.GELU, true, true)));
        options.put(
                "first bias", of -> of.withFeedForward(new FeedForwardOptions(19, Activation.Kind.GELU, true, false)));
        for (Placement placement : Placement.values()) {
            options.put(
                    "layer norm " + placement,
                    of -> of.withFeedForward(FEED_FORWARD).withNormalization(NormalizationOptions.layer(placement)));
            options.put(
                    "root mean square norm " + placement,
                    of -> of.withFeedForward(FEED_FORWARD)
                            .withNormalization(new NormalizationOptions(
                                    placement, Normalization.Kind.ROOT_MEAN_SQUARE, 1e-6f, true, false)));
        }
        options.put("norm without feed-forward", of -> of.withNormalization(ROOT_MEAN_SQUARE));
        options.put("dropout", of -> of.withDropout(0.3));
        options.put(
                "identities read what is normalized",
                of -> attention(of, a -> a.withIdentities(true)).withNormalization(ROOT_MEAN_SQUARE));
        options.put("GPT-2", of -> Architecture.gpt2(7, MAX_LENGTH, 12, 2, 3, 21, 0));
        // Factors of 8 and 2, which commute with roundings.
        options.put(
                "identities added to scaled scores",
                of -> attention(of, a -> a.withScores(0.25f, LogLength.NONE, 0).withIdentities(true, 2))
                        .withNormalization(
                                NormalizationOptions.layer(Placement.PRE).withBareFinal()));
        options.put(
                "uniform identities with a multiplier",
                of -> attention(of, a -> a.withWeighting(Weighting.UNIFORM, 0).withIdentities(true, 0.5f)));
        options.put(
                "bare final norm",
                of -> of.withNormalization(ROOT_MEAN_SQUARE.withBareFinal()).withOutput(OutputOptions.nextToken(true)));
        List<ModelCase> cases = new ArrayList<>();
        options.forEach((name, option) -> cases.add(new ModelCase(name, cases.size(), option.apply(plain()))));
        return cases.stream();
    }

    /** The case of {@link #alone} with this name. */
    public static ModelCase named(String name) {
        return alone().filter(model -> model.name.equals(name)).findFirst().orElseThrow();
    }

    private static Architecture attention(Architecture of, UnaryOperator<AttentionOptions> option) {
        return of.withAttention(option.apply(of.attention()));
    }

    /**
     * Combinations drawn from all options and from sizes up to a few tens. {@link Random} is not used, because its
     * first numbers are similar for nearby seeds.
     */
    public static Stream<ModelCase> drawn(int count) {
        return IntStream.range(0, count)
                .mapToObj(seed -> new ModelCase("drawn", seed, drawn(new SplittableRandom(seed), 40)));
    }

    /** Like {@link #drawn}, but small enough for numerical differentiation. */
    public static Stream<ModelCase> small(int count) {
        return IntStream.range(0, count)
                .mapToObj(seed -> new ModelCase("small", seed, drawn(new SplittableRandom(~seed), 6)));
    }

    private static Architecture drawn(RandomGenerator random, int maxWidth) {
        Weighting weighting = one(random, Weighting.values());
        boolean scores = weighting != Weighting.UNIFORM;
        int heads = 1 + random.nextInt(3);
        boolean outputProjection = random.nextBoolean();
        // Without a projection this is the width, and a single column has no information after normalization.
        int headWidth = (outputProjection ? 1 : 2) + random.nextInt(Math.max(1, maxWidth / heads));
        // A head of one column is constant after normalization.
        boolean normalizesHeads = scores && headWidth > 1 && random.nextInt(3) == 0;
        var attention = new AttentionOptions(
                heads,
                headWidth,
                new AttentionOptions.Scores(
                        weighting,
                        random.nextInt(4) == 0 ? Mask.NONE : Mask.CAUSAL,
                        0.3f + random.nextFloat(),
                        scores && random.nextBoolean() ? LogLength.SEEN : LogLength.NONE,
                        scores && random.nextBoolean() ? 1 + random.nextInt(6) : 0,
                        weighting == Weighting.THRESHOLDED ? 1 + random.nextInt(8) : 0),
                random.nextInt(3) == 0,
                0,
                normalizesHeads,
                outputProjection,
                random.nextBoolean());
        FeedForwardOptions feedForward = random.nextInt(4) == 0
                ? null
                : new FeedForwardOptions(
                        3 + random.nextInt(2 * maxWidth),
                        one(random, Activation.Kind.values()),
                        random.nextBoolean(),
                        random.nextBoolean());
        Placement placement = one(random, Placement.values());
        if (placement == Placement.INNER && feedForward == null) {
            placement = Placement.NONE;
        }
        var normalization = new NormalizationOptions(
                placement,
                one(random, Normalization.Kind.values()),
                (float) Math.pow(10, -1 - random.nextInt(5)),
                random.nextBoolean(),
                random.nextBoolean());
        OutputOptions output = switch (random.nextInt(4)) {
            case 0 -> OutputOptions.regression(random.nextBoolean());
            case 1 -> new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, true, random.nextBoolean());
            default -> new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, random.nextBoolean());
        };
        return new Architecture(
                new Architecture.Size(
                        2 + random.nextInt(8),
                        MAX_LENGTH,
                        outputProjection ? 2 + random.nextInt(maxWidth) : heads * headWidth,
                        1 + random.nextInt(3)),
                switch (random.nextInt(3)) {
                    case 0 -> PositionOptions.none();
                    case 1 -> PositionOptions.periodic(1 + random.nextInt(5));
                    default -> PositionOptions.table();
                },
                attention,
                feedForward,
                normalization,
                random.nextInt(4) > 0,
                output,
                0);
    }

    private static <T> T one(RandomGenerator random, T[] of) {
        return of[random.nextInt(of.length)];
    }

    /**
     * Parameters that keep activations near 1: a map's deviation is one over the root of its inner size, gains are near
     * 1.
     */
    public Parameters parameters() {
        var random = new Random(seed);
        float[] values = new float[architecture.parameterCount()];
        for (ParameterView view : architecture.layout()) {
            boolean map = !view.vector() && view.layer() != ParameterView.NO_LAYER;
            double deviation = map && view.role() != ParameterRole.SCORE_BIAS ? 1 / Math.sqrt(view.rows()) : 0.5;
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                values[i] = (float) ((view.role().isGain() ? 1 : 0) + deviation * random.nextGaussian());
            }
        }
        return new Parameters(architecture, values);
    }

    /**
     * Like {@link #parameters}, but multiples of 1/4 up to 1 in magnitude, so that sums of their products are exact in
     * binary32.
     */
    Parameters coarseParameters() {
        var random = new Random(seed);
        float[] values = new float[architecture.parameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (random.nextInt(9) - 4) / 4f;
        }
        return new Parameters(architecture, values);
    }

    /** Lengths 0, 1, the maximum, and drawn ones. */
    public List<int[]> sequences() {
        var random = new Random(~seed);
        int[] lengths = {5, 0, architecture.maxLength(), 1, random.nextInt(23), 16, 17};
        return Arrays.stream(lengths)
                .mapToObj(length -> sequence(length, random))
                .toList();
    }

    public int[] sequence(int length, RandomGenerator random) {
        return IntStream.range(0, length)
                .map(i -> random.nextInt(architecture.vocabularySize()))
                .toArray();
    }

    @Override
    public String toString() {
        return name + ", seed " + seed + ", " + architecture;
    }
}
