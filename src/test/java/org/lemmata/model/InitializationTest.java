package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.token.Batch;

class InitializationTest {

    private static final long SEED = 20260711;

    /** Tables and maps with a row or a column for each element of the residual stream. */
    private static final List<ParameterRole> OF_WIDTH = List.of(
            ParameterRole.TOKEN_EMBEDDING,
            ParameterRole.POSITION_EMBEDDING,
            ParameterRole.QUERY,
            ParameterRole.KEY,
            ParameterRole.FIRST,
            ParameterRole.UNEMBEDDING);

    /** Width 64 with 4 heads of 8, so that all sizes in the laws differ. */
    private static Architecture architecture(int width, int layers) {
        return new Architecture(
                new Architecture.Size(37, 29, width, layers),
                PositionOptions.table(),
                AttentionOptions.softmax(4, 8)
                        .withScores(0.3f, LogLength.SEEN, 5)
                        .withIdentities(true)
                        .withNormalizedQueriesAndKeys(true)
                        .withBiases(true),
                new FeedForwardOptions(48, Activation.Kind.GELU, true, true),
                NormalizationOptions.layer(Placement.PRE),
                true,
                new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true),
                0);
    }

    static List<Initialization> laws() {
        return List.of(
                new Initialization.Gpt2(),
                new Initialization.Gpt2(0.7),
                new Initialization.MeanField(),
                new Initialization.MaximalUpdate(false),
                new Initialization.MaximalUpdate(true));
    }

    private static float[] values(Parameters parameters, ParameterView view) {
        return Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size());
    }

    private static Parameters draw(Initialization law, Architecture architecture) {
        return law.draw(architecture, new SplittableRandom(SEED));
    }

    private static double deviation(Initialization law, Architecture architecture, ParameterRole role) {
        return law.deviation(architecture, architecture.view(role, 0));
    }

    /** Mean, variance and fourth moment of each matrix for normal laws, within 5 standard errors. */
    @ParameterizedTest
    @MethodSource("laws")
    void matricesAreNormalWithTheirDeviation(Initialization law) {
        Architecture architecture = architecture(64, 2);
        Parameters parameters = draw(law, architecture);
        for (ParameterView view : architecture.layout()) {
            if (view.vector() || view.role() == ParameterRole.SCORE_BIAS) {
                continue;
            }
            double deviation = law.deviation(architecture, view);
            float[] values = values(parameters, view);
            if (deviation == 0) {
                assertThat(values).as(view.name()).containsOnly(0);
                continue;
            }
            double n = values.length;
            double[] moments = new double[5];
            for (float value : values) {
                for (int power = 1; power < moments.length; power++) {
                    moments[power] += Math.pow(value / deviation, power) / n;
                }
            }
            // Standard errors of the moments of N(0, 1): sqrt(E z^2k - (E z^k)^2) = 1, sqrt 2, sqrt 15, sqrt 96.
            double error = 5 / Math.sqrt(n);
            assertThat(moments[1]).as("mean of %s", view.name()).isCloseTo(0, within(error));
            assertThat(moments[2]).as("variance of %s", view.name()).isCloseTo(1, within(error * Math.sqrt(2)));
            assertThat(moments[3]).as("third moment of %s", view.name()).isCloseTo(0, within(error * Math.sqrt(15)));
            assertThat(moments[4]).as("fourth moment of %s", view.name()).isCloseTo(3, within(error * Math.sqrt(96)));
        }
    }

    @ParameterizedTest
    @MethodSource("laws")
    void gainsAreOneAndEverythingElseThatAddsIsZero(Initialization law) {
        Architecture architecture = architecture(64, 2);
        Parameters parameters = draw(law, architecture);
        for (ParameterView view : architecture.layout()) {
            if (view.vector() || view.role() == ParameterRole.SCORE_BIAS) {
                assertThat(values(parameters, view))
                        .as(view.name())
                        .containsOnly(view.role().isGain() ? 1 : 0);
            }
        }
    }

    static List<Initialization> allLaws() {
        return Stream.concat(laws().stream(), Stream.of(new Initialization.UniformFanIn()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("allLaws")
    void sameSeedSameBitsAndAnotherSeedOtherBits(Initialization law) {
        Architecture architecture = architecture(16, 1);
        assertThat(draw(law, architecture).values())
                .isEqualTo(draw(law, architecture).values());
        assertThat(law.draw(architecture, new SplittableRandom(SEED + 1)).values())
                .isNotEqualTo(draw(law, architecture).values());
    }

    /** The parameters that a smaller model has in common with the full one have the same bits. */
    @ParameterizedTest
    @MethodSource("allLaws")
    void optionsLeaveTheOtherParametersAsTheyAre(Initialization law) {
        Architecture full = architecture(64, 2);
        Architecture bare = full.withPositions(PositionOptions.none())
                .withAttention(AttentionOptions.softmax(4, 8))
                .withNormalization(NormalizationOptions.none());
        Parameters ofFull = draw(law, full);
        Parameters ofBare = draw(law, bare);
        for (ParameterView view : bare.layout()) {
            assertThat(values(ofBare, view))
                    .as(view.name())
                    .isEqualTo(values(ofFull, full.view(view.role(), view.layer())));
        }
    }

    /** No two parameters share random numbers, so values are repeated only by chance. */
    @Test
    void parametersAreIndependent() {
        Architecture architecture = architecture(64, 3);
        Parameters parameters =
                new Initialization.Gpt2(1).draw(architecture.withResidual(false), new SplittableRandom(SEED));
        Set<List<Float>> beginnings = new HashSet<>();
        int matrices = 0;
        for (ParameterView view : architecture.layout()) {
            if (!view.vector() && view.role() != ParameterRole.SCORE_BIAS) {
                float[] values = values(parameters, view);
                beginnings.add(List.of(values[0], values[1], values[2]));
                matrices++;
            }
        }
        assertThat(matrices).isEqualTo(2 + 3 * 6 + 1);
        assertThat(beginnings).hasSize(matrices);
    }

    @Test
    void gpt2ScalesWhatWritesToTheResidualStreamByTheNumberOfParts() {
        var law = new Initialization.Gpt2();
        for (int layers : new int[] {1, 2, 8, 12}) {
            Architecture architecture = architecture(64, layers);
            double writing = 0.02 / Math.sqrt(2 * layers);
            assertThat(deviation(law, architecture, ParameterRole.OUTPUT)).isEqualTo(writing);
            assertThat(deviation(law, architecture, ParameterRole.SECOND)).isEqualTo(writing);
            for (ParameterRole role : OF_WIDTH) {
                assertThat(deviation(law, architecture, role)).as("%s", role).isEqualTo(0.02);
            }
            assertThat(deviation(law, architecture, ParameterRole.VALUE)).isEqualTo(0.02);
            assertThat(deviation(law, architecture.withResidual(false), ParameterRole.OUTPUT))
                    .isEqualTo(0.02);
            assertThat(deviation(law, architecture.withFeedForward(null), ParameterRole.OUTPUT))
                    .isEqualTo(0.02 / Math.sqrt(layers));
        }
        Architecture withoutOutput =
                architecture(32, 2).withAttention(AttentionOptions.softmax(4, 8).withOutputProjection(false));
        assertThat(deviation(law, withoutOutput, ParameterRole.VALUE)).isEqualTo(0.01);
        // The drawn numbers scale exactly, because a factor of 1/2 is exact in binary32.
        ParameterRole role = ParameterRole.SECOND;
        float[] ofTwo =
                values(draw(law, architecture(64, 2)), architecture(64, 2).view(role, 1));
        float[] ofEight =
                values(draw(law, architecture(64, 8)), architecture(64, 8).view(role, 1));
        for (int i = 0; i < ofTwo.length; i++) {
            assertThat(ofEight[i]).isEqualTo(ofTwo[i] / 2);
        }
    }

    @Test
    void meanFieldKeepsRowsOfNormOneAndLetsOutputsVanish() {
        var law = new Initialization.MeanField();
        for (int width : new int[] {16, 64, 256}) {
            Architecture architecture = architecture(width, 1);
            for (ParameterRole role : OF_WIDTH) {
                assertThat(deviation(law, architecture, role)).as("%s", role).isEqualTo(1 / Math.sqrt(width));
            }
            assertThat(deviation(law, architecture, ParameterRole.OUTPUT)).isEqualTo(1 / Math.sqrt(width));
            assertThat(deviation(law, architecture, ParameterRole.VALUE)).isEqualTo(1 / Math.sqrt(8));
            assertThat(deviation(law, architecture, ParameterRole.SECOND)).isEqualTo(1 / Math.sqrt(48));
        }
    }

    /** Each map and its bias are within 1 / sqrt(fan-in), nearly reach it, and have the moments of the uniform law. */
    @Test
    void uniformFanInDrawsMapsAndTheirBiasesByTheirInputs() {
        var law = new Initialization.UniformFanIn();
        Architecture architecture = architecture(64, 2);
        Parameters parameters = draw(law, architecture);
        for (ParameterView view : architecture.layout()) {
            int fanIn = switch (view.role()) {
                case OUTPUT, OUTPUT_BIAS -> 32;
                case SECOND, SECOND_BIAS -> 48;
                case QUERY, KEY, VALUE, FIRST, UNEMBEDDING -> 64;
                case QUERY_BIAS, KEY_BIAS, VALUE_BIAS, FIRST_BIAS, UNEMBEDDING_BIAS -> 64;
                default -> 0;
            };
            float[] values = values(parameters, view);
            if (fanIn > 0) {
                double bound = 1 / Math.sqrt(fanIn);
                double[] scaled = new double[values.length];
                Arrays.setAll(scaled, i -> values[i] / bound);
                double error = 5 / Math.sqrt(values.length);
                assertThat(Arrays.stream(scaled).max().orElseThrow())
                        .as(view.name())
                        .isBetween(1 - 16.0 / values.length, 1 + 1e-6);
                assertThat(Arrays.stream(scaled).average().orElseThrow())
                        .as(view.name())
                        .isCloseTo(0, within(error / Math.sqrt(3)));
                assertThat(Arrays.stream(scaled).map(x -> x * x).average().orElseThrow())
                        .as(view.name())
                        .isCloseTo(1.0 / 3, within(error * Math.sqrt(4.0 / 45)));
                assertThat(law.deviation(architecture, view)).isEqualTo(1 / Math.sqrt(3.0 * fanIn));
            } else if (view.role() == ParameterRole.TOKEN_EMBEDDING
                    || view.role() == ParameterRole.POSITION_EMBEDDING) {
                assertThat(law.deviation(architecture, view)).isEqualTo(1);
                double squares = 0;
                for (float value : values) {
                    squares += value * value;
                }
                double error = 5 * Math.sqrt(2.0 / values.length);
                assertThat(squares / values.length).as(view.name()).isCloseTo(1, within(error));
            } else {
                assertThat(values).as(view.name()).containsOnly(view.role().isGain() ? 1 : 0);
            }
        }
    }

    @Test
    void maximalUpdateScalesByFanIn() {
        var law = new Initialization.MaximalUpdate(false);
        for (int width : new int[] {16, 64, 256}) {
            Architecture architecture = architecture(width, 1);
            assertThat(deviation(law, architecture, ParameterRole.TOKEN_EMBEDDING))
                    .isEqualTo(1);
            assertThat(deviation(law, architecture, ParameterRole.POSITION_EMBEDDING))
                    .isEqualTo(1);
            for (ParameterRole role :
                    List.of(ParameterRole.QUERY, ParameterRole.KEY, ParameterRole.VALUE, ParameterRole.FIRST)) {
                assertThat(deviation(law, architecture, role)).as("%s", role).isEqualTo(1 / Math.sqrt(width));
            }
            assertThat(deviation(law, architecture, ParameterRole.OUTPUT)).isEqualTo(1 / Math.sqrt(4 * 8));
            assertThat(deviation(law, architecture, ParameterRole.SECOND)).isEqualTo(1 / Math.sqrt(48));
            assertThat(deviation(law, architecture, ParameterRole.UNEMBEDDING)).isEqualTo(1.0 / width);
        }
        assertThat(deviation(new Initialization.MaximalUpdate(true), architecture(64, 1), ParameterRole.UNEMBEDDING))
                .isEqualTo(0);
    }

    @Test
    void adamsRateFallsWithTheFanInOfMapsAloneUnderMaximalUpdate() {
        Architecture architecture = architecture(64, 2);
        for (ParameterView view : architecture.layout()) {
            double expected = switch (view.role()) {
                case QUERY, KEY, VALUE, FIRST, UNEMBEDDING -> 1.0 / 64;
                case OUTPUT -> 1.0 / 32;
                case SECOND -> 1.0 / 48;
                default -> 1;
            };
            assertThat(new Initialization.MaximalUpdate(true).adamRateFactor(architecture, view))
                    .as(view.name())
                    .isEqualTo(expected);
            assertThat(new Initialization.Gpt2().adamRateFactor(architecture, view))
                    .isEqualTo(1);
            assertThat(new Initialization.MeanField().adamRateFactor(architecture, view))
                    .isEqualTo(1);
        }
    }

    /** muP gives entries of x of order 1 at every width; mean-field gives rows of x with norm near 1. */
    @Test
    void activationsHaveTheOrderThatTheLawPromises() {
        for (int width : new int[] {32, 256}) {
            Architecture architecture = Architecture.gpt2(50, 4, width, 1, 1, width, 0)
                    .withNormalization(NormalizationOptions.none())
                    .withPositions(PositionOptions.none())
                    .withOutput(OutputOptions.nextToken(false));
            double ofMaximalUpdate = rootMeanSquareLogit(new Initialization.MaximalUpdate(false), architecture);
            double ofMeanField = rootMeanSquareLogit(new Initialization.MeanField(), architecture);
            // x is a sum of three parts of order 1 at most; a logit is a mean, or an inner product, of width terms.
            double order = 1 / Math.sqrt(width);
            assertThat(ofMaximalUpdate / order).as("muP at width %d", width).isBetween(0.8, 2.0);
            assertThat(ofMeanField / order).as("mean-field at width %d", width).isBetween(0.8, 2.0);
        }
    }

    private static double rootMeanSquareLogit(Initialization law, Architecture architecture) {
        var model = new ReferenceTransformer(draw(law, architecture).widen());
        double[] logits = model.logits(
                Batch.of(List.of(new int[] {0, 1, 2, 3}, new int[] {4, 5, 6, 7}, new int[] {8, 9, 10, 11})));
        return Math.sqrt(Arrays.stream(logits).map(x -> x * x).average().orElseThrow());
    }

    @Test
    void whatALawDoesNotCoverIsRefused() {
        Architecture tied = Architecture.gpt2(5, 4, 8, 1, 1, 8, 0);
        var law = new Initialization.MaximalUpdate(true);
        assertRefused(() -> draw(law, tied), "tied: expected an unembedding of its own for muP, got tied");
        assertRefused(() -> new Initialization.Gpt2(-0.02), "sigma: expected a finite number of at least 0, got -0.02");
    }

    private static Parameters parameters(PositionOptions positions, int width) {
        Architecture architecture = Architecture.gpt2(3, 6, width, 1, 1, 4, 0).withPositions(positions);
        return Parameters.normal(architecture, 1, RandomGenerator.of("L64X128MixRandom"));
    }

    private static float[] table(Parameters parameters) {
        ParameterView view = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        return Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size());
    }

    @Test
    void sinesAndCosinesTurnByTheAngleOfTheirPair() {
        // An odd width ends with a sine. Row t is computed independently, by rotating row 1 t - 1 times.
        Parameters parameters = parameters(PositionOptions.table(), 5);
        FixedWeights.SINUSOIDAL.writeInto(parameters);
        float[] table = table(parameters);
        double[] wavelengths = {1, Math.pow(10, 4 * 2.0 / 5), Math.pow(10, 4 * 4.0 / 5)};
        for (int pair = 0; pair < 3; pair++) {
            double stepSine = Math.sin(1 / wavelengths[pair]);
            double stepCosine = Math.cos(1 / wavelengths[pair]);
            double sine = 0;
            double cosine = 1;
            for (int t = 0; t < 6; t++) {
                assertThat((double) table[t * 5 + 2 * pair]).isCloseTo(sine, within(1e-7));
                if (pair < 2) {
                    assertThat((double) table[t * 5 + 2 * pair + 1]).isCloseTo(cosine, within(1e-7));
                }
                double turned = sine * stepCosine + cosine * stepSine;
                cosine = cosine * stepCosine - sine * stepSine;
                sine = turned;
            }
        }
    }

    @Test
    void oneHotRowsTellPositionsApart() {
        Parameters parameters = parameters(PositionOptions.periodic(3), 4);
        float[] before = parameters.values().clone();
        FixedWeights.ONE_HOT.writeInto(parameters);
        assertThat(table(parameters)).containsExactly(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
        ParameterView view = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        System.arraycopy(table(parameters), 0, before, view.offset(), view.size());
        assertThat(parameters.values()).as("nothing else is written").isEqualTo(before);
    }

    @Test
    void whatHasNoRoomIsRefused() {
        assertRefused(
                () -> FixedWeights.SINUSOIDAL.writeInto(parameters(PositionOptions.none(), 4)),
                "positions: expected a table for SINUSOIDAL, got NONE");
        assertRefused(
                () -> FixedWeights.ONE_HOT.writeInto(parameters(PositionOptions.table(), 5)),
                "width: expected at least 6, the rows of the position table, for ONE_HOT, got 5");
    }
}
