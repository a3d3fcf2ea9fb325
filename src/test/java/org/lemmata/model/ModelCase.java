package org.lemmata.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/** An architecture with random parameters and random sequences of ragged lengths; the seed is printed with it. */
record ModelCase(long seed, Architecture architecture) {

    /** Every kind of weighting with every choice of the four switches, sizes drawn. */
    static Stream<ModelCase> all() {
        List<ModelCase> cases = new ArrayList<>();
        for (Weighting weighting : List.of(Weighting.SOFTMAX, Weighting.UNIFORM, Weighting.HARDMAX)) {
            for (int switches = 0; switches < 16; switches++) {
                long seed = cases.size();
                cases.add(new ModelCase(seed, architecture(weighting, switches, new Random(seed))));
            }
        }
        return cases.stream();
    }

    private static Architecture architecture(Weighting weighting, int switches, RandomGenerator random) {
        boolean outputProjection = (switches & 1) != 0;
        int heads = 1 + random.nextInt(4);
        int headWidth = 1 + random.nextInt(19);
        return new Architecture(
                2 + random.nextInt(17),
                23,
                outputProjection ? 1 + random.nextInt(40) : heads * headWidth,
                1 + random.nextInt(3),
                heads,
                headWidth,
                weighting,
                (float) (1 / Math.sqrt(headWidth)),
                (switches & 2) != 0,
                outputProjection,
                (switches & 4) != 0,
                (switches & 8) != 0);
    }

    /** Parameters that keep activations near 1: the deviation is one over the root of the greatest inner size. */
    Parameters parameters() {
        int inner = Math.max(architecture.width(), architecture.attentionWidth());
        return Parameters.normal(architecture, 1 / Math.sqrt(inner), new Random(seed));
    }

    /**
     * As {@link #parameters}, but multiples of 1/4 up to 1 in magnitude: sums of their products are exact in binary32.
     */
    Parameters coarseParameters() {
        var random = new Random(seed);
        float[] values = new float[architecture.parameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (random.nextInt(9) - 4) / 4f;
        }
        return new Parameters(architecture, values);
    }

    /** Lengths 0, 1, the greatest, and drawn ones. */
    List<int[]> sequences() {
        var random = new Random(~seed);
        int[] lengths = {5, 0, architecture.maxLength(), 1, random.nextInt(23), 16, 17};
        return Arrays.stream(lengths)
                .mapToObj(length -> sequence(length, random))
                .toList();
    }

    int[] sequence(int length, RandomGenerator random) {
        return IntStream.range(0, length)
                .map(i -> random.nextInt(architecture.vocabularySize()))
                .toArray();
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + architecture;
    }
}
