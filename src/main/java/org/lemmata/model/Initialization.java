package org.lemmata.model;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * The law (probability distribution) of a transformer's initial parameters. Unless an implementation says otherwise,
 * the entries W_ij ~ N(0, deviation(W)^2) are independent and biases are 0. Gains are 1; shifts, score biases and the
 * factors a and b of the identities are 0.
 *
 * <p>Each parameter has its own stream of random numbers, determined by its role and layer and consumed row by row.
 * Adding or removing options or layers therefore changes other parameters only through their deviations.
 */
public sealed interface Initialization {

    /**
     * The standard deviation of the entries of a matrix or table; undefined for vectors.
     *
     * @throws IllegalArgumentException if the law does not cover the architecture
     */
    double deviation(Architecture architecture, ParameterView view);

    /** The factor of Adam's learning rate for {@code view}. It preserves the scaling of this law during training. */
    default double adamRateFactor(Architecture architecture, ParameterView view) {
        return 1;
    }

    /**
     * Draws the parameters of an architecture.
     *
     * @param random gives one number, the key for the numbers of all parameters
     * @throws IllegalArgumentException if the law does not cover the architecture
     */
    default Parameters draw(Architecture architecture, RandomGenerator random) {
        long key = random.nextLong();
        float[] values = new float[architecture.parameterCount()];
        architecture.layout().forEach(view -> drawInto(values, architecture, view, key));
        return new Parameters(architecture, values);
    }

    /** Overwrites one parameter in the flat array with random numbers determined by {@code key}, role and layer. */
    default void drawInto(float[] values, Architecture architecture, ParameterView view, long key) {
        double mean = view.role().isGain() ? 1 : 0;
        boolean constant = view.vector() || view.role() == ParameterRole.SCORE_BIAS;
        double deviation = constant ? 0 : deviation(architecture, view);
        view.drawInto(values, mean, deviation, RandomGenerator::nextGaussian, key);
    }

    /**
     * deviation(W) = sigma, or sigma / sqrt(N) for the maps that write to the residual stream, where N is the number of
     * these maps.
     *
     * <p>Attention writes through W_O, or through W_V if there is no W_O; the feed-forward part writes through W_2.
     * Without a residual, N is 1.
     *
     * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.3, for 1 /
     * sqrt(N); Radford et al. (2018), Improving language understanding by generative pre-training, section 4.1, for
     * sigma = 0.02.
     *
     * @param sigma at least 0
     */
    record Gpt2(double sigma) implements Initialization {

        public Gpt2() {
            this(0.02);
        }

        public Gpt2 {
            Refuse.when(
                    !(sigma >= 0 && sigma < Double.POSITIVE_INFINITY), "sigma", "a finite number of at least 0", sigma);
        }

        @Override
        public double deviation(Architecture architecture, ParameterView view) {
            boolean writes = switch (view.role()) {
                case OUTPUT, SECOND -> true;
                case VALUE -> !architecture.attention().outputProjection();
                default -> false;
            };
            if (!writes || !architecture.residual()) {
                return sigma;
            }
            int parts = architecture.feedForward() == null ? 1 : 2;
            return sigma / Math.sqrt((double) parts * architecture.layers());
        }
    }

    /**
     * deviation(W)^2 = 1 / width for E, P, U, W_Q, W_K, W_O and W_1; 1 / headWidth for W_V; 1 / hidden for W_2.
     *
     * <p>Rows of x have a norm of order 1. Outputs have a variance of order 1 / width, so they vanish as the width
     * grows.
     *
     * <p>Source: Boix-Adsera et al. (2024), When can transformers reason with abstract symbols?, appendix J.2 for
     * embeddings, positions, W_V and W_O (there W_{V,h} and W_{O,h}) and for b = 0. The choice a = 0 is ours. W_Q, W_K
     * and the feed-forward part are absent from J.2; they have the variance 1 / fan-in of appendix H.1, which writes it
     * as a factor before N(0, 1) weights.
     */
    record MeanField() implements Initialization {

        @Override
        public double deviation(Architecture architecture, ParameterView view) {
            int inverseVariance = switch (view.role()) {
                case VALUE -> architecture.attention().headWidth();
                case SECOND -> view.rows();
                default -> architecture.width();
            };
            return 1 / Math.sqrt(inverseVariance);
        }
    }

    /**
     * The entries of the tables E and P are N(0, 1). Those of all maps, U and biases are uniform between -1 /
     * sqrt(fan-in) and 1 / sqrt(fan-in), where a bias has the fan-in of its map.
     *
     * <p>Source: Boix-Adsera et al. (2024), the code at github.com/eboix/relational-reasoning, which uses the defaults
     * of PyTorch.
     */
    record UniformFanIn() implements Initialization {

        @Override
        public double deviation(Architecture architecture, ParameterView view) {
            int fanIn = fanIn(architecture, view);
            return fanIn == 0 ? 1 : 1 / Math.sqrt(3.0 * fanIn);
        }

        @Override
        public void drawInto(float[] values, Architecture architecture, ParameterView view, long key) {
            int fanIn = fanIn(architecture, view);
            if (fanIn == 0) {
                Initialization.super.drawInto(values, architecture, view, key);
            } else {
                view.drawInto(values, 0, 1 / Math.sqrt(fanIn), random -> 2 * random.nextDouble() - 1, key);
            }
        }

        /** The number of inputs of the map that a parameter belongs to, or 0 if it belongs to no map. */
        private static int fanIn(Architecture architecture, ParameterView view) {
            return switch (view.role()) {
                case OUTPUT, OUTPUT_BIAS -> architecture.attention().width();
                case SECOND, SECOND_BIAS ->
                    Objects.requireNonNull(architecture.feedForward()).hidden();
                case QUERY, KEY, VALUE, FIRST, UNEMBEDDING -> architecture.width();
                case QUERY_BIAS, KEY_BIAS, VALUE_BIAS, FIRST_BIAS, UNEMBEDDING_BIAS -> architecture.width();
                default -> 0;
            };
        }
    }

    /**
     * muP: deviation(W) is 1 for the tables E and P, 1 / sqrt(fan-in) for the maps of layers, and 1 / fan-in or 0 for
     * U. The learning rate of Adam is multiplied by 1 / fan-in for these maps and U, and by 1 for tables and vectors.
     *
     * <p>For any width, every entry of x is of order 1 and changes by order 1 in a step, so a learning rate tuned for a
     * narrow model also suits a wide one. Scores must be q k / headWidth. With U = 0, muP is also the law of the random
     * features of Boix-Adsera et al. (2024), appendix H, with gamma = 1.
     *
     * <p>Source: Yang et al. (2022), Tensor programs V, table 3 and definition 4.1; U = 0 is from their appendix D.2.
     * Izzo, Nichani and Lee (2025), appendix B, multiply the learning rate by 1 / width for all maps of layers,
     * including W_2, and by 1 for other parameters.
     *
     * @param zeroReadout whether U starts at 0
     */
    record MaximalUpdate(boolean zeroReadout) implements Initialization {

        @Override
        public double deviation(Architecture architecture, ParameterView view) {
            requireUntied(architecture);
            return switch (view.role()) {
                case TOKEN_EMBEDDING, POSITION_EMBEDDING -> 1;
                case UNEMBEDDING -> zeroReadout ? 0 : 1.0 / view.columns();
                default -> 1 / Math.sqrt(view.rows());
            };
        }

        @Override
        public double adamRateFactor(Architecture architecture, ParameterView view) {
            requireUntied(architecture);
            return switch (view.role()) {
                case QUERY, KEY, VALUE, OUTPUT, FIRST, SECOND -> 1.0 / view.rows();
                // U is stored as outputs x width.
                case UNEMBEDDING -> 1.0 / view.columns();
                default -> 1;
            };
        }

        /** Rejects a tied U. E is of order 1 and U of order 1 / width, so they cannot be the same matrix. */
        private static void requireUntied(Architecture architecture) {
            Refuse.when(architecture.output().tied(), "tied", "an unembedding of its own for muP", "tied");
        }
    }
}
