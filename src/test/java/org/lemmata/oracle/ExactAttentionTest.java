package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lemmata.oracle.ExactAttention.Inputs;
import org.lemmata.oracle.ExactAttention.LogLength;
import org.lemmata.oracle.ExactAttention.Options;
import org.lemmata.oracle.ExactAttention.Outputs;
import org.lemmata.oracle.ExactAttention.Weights;

/** Gradients in closed form equal central differences of the forward pass, with all options. */
class ExactAttentionTest {

    private static final int COMBINATIONS = 128;

    @Test
    void gradientsAreCentralDifferences() {
        for (int seed = 0; seed < COMBINATIONS; seed++) {
            Random random = new Random(seed);
            Options options = options(seed, random);
            int total = 0;
            for (int length : options.lengths()) {
                total += length;
            }
            int size = total * options.heads() * options.headWidth();
            Inputs inputs = new Inputs(
                    uniform(size, random),
                    uniform(size, random),
                    uniform(size, random),
                    uniform(total * options.identityWidth(), random),
                    uniform(options.heads(), random),
                    uniform(options.heads(), random),
                    uniform(options.heads() * options.biasSpan(), random));
            Outputs dOutputs = new Outputs(uniform(size, random), uniform(total * options.identityWidth(), random));
            List<double[]> arrays = inputs.arrays();
            List<double[]> gradients =
                    ExactAttention.backward(options, inputs, dOutputs).exact().arrays();
            for (int i = 0; i < arrays.size(); i++) {
                var loss = new CentralDifferences(arrays.get(i), () -> ExactAttention.loss(options, inputs, dOutputs));
                for (int at = 0; at < arrays.get(i).length; at++) {
                    double difference = loss.derivative(at, 1e-6);
                    assertThat(gradients.get(i)[at])
                            .as("seed %d, array %d, element %d, %s", seed, i, at, options)
                            .isCloseTo(difference, within(1e-7 * (1 + Math.abs(difference))));
                }
            }
        }
    }

    /** The low bits of the seed select the options, so that every pair of options occurs. */
    private static Options options(int seed, Random random) {
        Weights weights = List.of(Weights.values()).get(seed % 4);
        return new Options(
                weights,
                (seed & 4) == 0,
                1 + random.nextInt(3),
                1 + random.nextInt(4),
                (seed & 8) == 0 ? 0 : 1 + random.nextInt(3),
                0.3 + random.nextDouble(),
                (seed & 16) != 0 ? LogLength.NONE : (seed & 64) == 0 ? LogLength.SEEN : LogLength.SEQUENCE,
                (seed & 32) == 0 ? 0 : 1 + random.nextInt(6),
                weights == Weights.THRESHOLDED ? 1 + random.nextInt(4) : 0,
                new int[] {random.nextInt(6), 1, 1 + random.nextInt(4)});
    }

    private static double[] uniform(int length, Random random) {
        return random.doubles(length).map(x -> 4 * x - 2).toArray();
    }
}
