package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.cases;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Outputs, losses, gradients and a step of Adam, compared with values of an independent implementation in binary64. */
class GradientVectorsTest {

    /** How a parameter is stored in the vectors. */
    enum Order {
        SAME,
        /** Outputs x inputs. */
        TRANSPOSED,
        /** A table whose row 1 belongs to the first position. */
        FROM_ONE
    }

    /** Our parameter for a name of the vectors. */
    record Place(ParameterView view, Order order) {

        double at(JsonNode theirs, int element) {
            int row = element / view.columns();
            int column = element % view.columns();
            return switch (order) {
                case TRANSPOSED -> theirs.get(column).get(row).doubleValue();
                case FROM_ONE ->
                    theirs.get((row + 1) % theirs.size()).get(column).doubleValue();
                case SAME -> (theirs.get(0).isArray() ? theirs.get(row).get(column) : theirs.get(column)).doubleValue();
            };
        }
    }

    record Vector(Architecture architecture, Map<String, Place> places, JsonNode figures, Batch batch) {

        /** The values of all parameters, in our layout. */
        double[] values(String field) {
            double[] values = new double[architecture.parameterCount()];
            places.forEach((name, place) -> {
                for (int i = 0; i < place.view().size(); i++) {
                    values[place.view().offset() + i] =
                            place.at(figures.get(field).get(name), i);
                }
            });
            return values;
        }

        Parameters parameters() {
            double[] exact = values("params");
            float[] values = new float[exact.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) exact[i];
            }
            return new Parameters(architecture, values);
        }

        @Override
        public String toString() {
            return architecture.toString();
        }
    }

    private static Batch batch(JsonNode inputs, JsonNode answers) {
        List<Example> examples = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            int[] ids = integers(inputs.get(i));
            // Rounding these answers to binary32 changes them as little as the parameters.
            examples.add(Example.regression(ids, answers.get(i).floatValue()));
        }
        return Batch.ofExamples(examples);
    }

    /** The transformer of Boix-Adsera et al. (2024), section 2, with both identities. */
    private static Vector symbol() {
        JsonNode figures = read("symbol-transformer-gradients");
        var architecture = new Architecture(
                new Architecture.Size(5, 3, 4, 2),
                PositionOptions.table(),
                AttentionOptions.softmax(2, 2).withMask(Mask.NONE).withIdentities(true),
                new FeedForwardOptions(3, Activation.Kind.RELU, true, false),
                new NormalizationOptions(Placement.PRE, Normalization.Kind.LAYER, 1e-5f, true, false),
                true,
                OutputOptions.regression(true),
                0);
        Map<String, Place> places = new LinkedHashMap<>();
        Map<String, ParameterRole> ofModel = Map.of(
                "E", ParameterRole.TOKEN_EMBEDDING,
                "P", ParameterRole.POSITION_EMBEDDING,
                "gf", ParameterRole.FINAL_NORM_GAIN,
                "wu", ParameterRole.UNEMBEDDING,
                "bu", ParameterRole.UNEMBEDDING_BIAS);
        Map<String, ParameterRole> ofLayer = Map.ofEntries(
                Map.entry("Q", ParameterRole.QUERY),
                Map.entry("K", ParameterRole.KEY),
                Map.entry("V", ParameterRole.VALUE),
                Map.entry("O", ParameterRole.OUTPUT),
                Map.entry("A", ParameterRole.FIRST),
                Map.entry("c", ParameterRole.FIRST_BIAS),
                Map.entry("B", ParameterRole.SECOND),
                Map.entry("a", ParameterRole.KEY_QUERY_IDENTITY),
                Map.entry("b", ParameterRole.VALUE_OUTPUT_IDENTITY),
                Map.entry("g", ParameterRole.ATTENTION_NORM_GAIN),
                Map.entry("h", ParameterRole.FEED_FORWARD_NORM_GAIN));
        ofModel.forEach((name, role) -> places.put(name, place(architecture, role, 0, Order.SAME)));
        for (int layer = 0; layer < 2; layer++) {
            int l = layer;
            ofLayer.forEach((name, role) -> places.put(name + l, place(architecture, role, l, Order.SAME)));
        }
        return new Vector(architecture, places, figures, batch(figures.get("X"), figures.get("Y")));
    }

    /** The transformers of Izzo, Nichani and Lee (2025), section 5; SimpleTask has no positions. */
    private static LogLength logLength(JsonNode figures) {
        return figures.get("logscale").booleanValue() ? LogLength.SEQUENCE : LogLength.NONE;
    }

    private static Vector length(JsonNode figures) {
        int width = figures.get("d").intValue();
        boolean positions = !figures.get("task").asText().equals("simple");
        var architecture = new Architecture(
                new Architecture.Size(figures.get("params").get("E").size(), 7, width, 1),
                positions ? PositionOptions.periodic(figures.get("P").intValue()) : PositionOptions.none(),
                AttentionOptions.softmax(1, width)
                        .withScores(1f / width, logLength(figures), 0)
                        .withOutputProjection(false),
                new FeedForwardOptions(figures.get("w").intValue(), Activation.Kind.RELU, true, false),
                NormalizationOptions.none(),
                true,
                OutputOptions.regression(true),
                0);
        Map<String, Place> places = new LinkedHashMap<>();
        if (positions) {
            places.put("Pe", place(architecture, ParameterRole.POSITION_EMBEDDING, 0, Order.FROM_ONE));
        }
        places.put("E", place(architecture, ParameterRole.TOKEN_EMBEDDING, 0, Order.SAME));
        places.put("Q", place(architecture, ParameterRole.QUERY, 0, Order.TRANSPOSED));
        places.put("K", place(architecture, ParameterRole.KEY, 0, Order.TRANSPOSED));
        places.put("V", place(architecture, ParameterRole.VALUE, 0, Order.TRANSPOSED));
        places.put("A", place(architecture, ParameterRole.FIRST, 0, Order.TRANSPOSED));
        places.put("b", place(architecture, ParameterRole.FIRST_BIAS, 0, Order.SAME));
        places.put("B", place(architecture, ParameterRole.SECOND, 0, Order.TRANSPOSED));
        places.put("u", place(architecture, ParameterRole.UNEMBEDDING, 0, Order.SAME));
        places.put("c", place(architecture, ParameterRole.UNEMBEDDING_BIAS, 0, Order.SAME));
        return new Vector(architecture, places, figures, batch(figures.get("x"), figures.get("target")));
    }

    private static Place place(Architecture architecture, ParameterRole role, int layer, Order order) {
        return new Place(architecture.view(role, layer), order);
    }

    static Stream<Vector> lengths() {
        return cases("length-gradients", 3).map(GradientVectorsTest::length);
    }

    static Stream<Vector> vectors() {
        return Stream.concat(Stream.of(symbol()), lengths());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void theirParametersAreAllOfOurs(Vector vector) {
        assertThat(vector.places().values().stream().map(Place::view))
                .containsExactlyInAnyOrderElementsOf(vector.architecture().layout());
    }

    /** Agree to 1e-9, after correcting for the rounding of targets to binary32. */
    @ParameterizedTest
    @MethodSource("vectors")
    void theReferenceHasTheirOutputsLossAndGradients(Vector vector) {
        var parameters = new ExactParameters(vector.architecture(), vector.values("params"));
        JsonNode figures = vector.figures();
        JsonNode outputs = figures.get(figures.has("out") ? "out" : "output");
        JsonNode targets = figures.get(figures.has("Y") ? "Y" : "target");
        int[] rows = vector.batch().scoredRows();
        var model = new ReferenceTransformer(parameters);
        var loss = new CentralDifferences(parameters.values(), () -> {
            double[] y = model.logits(vector.batch());
            double sum = 0;
            for (int k = 0; k < rows.length; k++) {
                sum += Math.pow(y[rows[k]] - targets.get(k).doubleValue(), 2);
            }
            return sum / rows.length;
        });
        double[] actual = model.logits(vector.batch());
        for (int k = 0; k < rows.length; k++) {
            assertThat(actual[rows[k]]).isCloseTo(outputs.get(k).doubleValue(), within(2e-8));
        }
        assertThat(loss.f().getAsDouble()).isCloseTo(figures.get("loss").doubleValue(), within(2e-8));
        double[] gradients = vector.values("grad");
        for (int i = 0; i < gradients.length; i++) {
            assertThat(loss.derivative(i, 1e-6)).as("parameter %d", i).isCloseTo(gradients[i], within(2e-8));
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void kernelsHaveTheirOutputsLossAndGradients(Vector vector) {
        JsonNode outputs = vector.figures().get(vector.figures().has("out") ? "out" : "output");
        double[] gradients = vector.values("grad");
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            double[] actual = new Transformer(vector.parameters(), kernels).logits(vector.batch());
            int[] rows = vector.batch().scoredRows();
            for (int k = 0; k < rows.length; k++) {
                assertThat(actual[rows[k]]).isCloseTo(outputs.get(k).doubleValue(), within(1e-6));
            }
            var objective = new Backpropagation(vector.parameters(), kernels);
            float[] computed = new float[gradients.length];
            assertThat(objective.gradient(computed, vector.batch(), 1.0 / rows.length, 0, 1))
                    .isCloseTo(vector.figures().get("loss").doubleValue(), within(2e-6));
            assertThat(objective.loss(vector.batch()))
                    .isCloseTo(vector.figures().get("loss").doubleValue(), within(2e-6));
            for (ParameterView view : vector.architecture().layout()) {
                double[] theirs = Arrays.copyOfRange(gradients, view.offset(), view.offset() + view.size());
                double norm = Math.sqrt(Arrays.stream(theirs).map(x -> x * x).sum());
                for (int i = 0; i < theirs.length; i++) {
                    assertThat((double) computed[view.offset() + i])
                            .as("%s[%d]", view.name(), i)
                            .isCloseTo(theirs[i], within(1e-5 * norm));
                }
            }
        }
    }

    /** Izzo, Nichani and Lee (2025), appendix B: 1e-2 / width for the maps of the layer, 1e-2 for the others. */
    @ParameterizedTest
    @MethodSource("lengths")
    void aStepOfAdamHasTheirParameters(Vector vector) {
        double[] expected = vector.values("after_one_adam_step");
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            Parameters parameters = vector.parameters();
            float[] values = parameters.values();
            float[] gradients = new float[values.length];
            new Backpropagation(parameters, kernels).gradient(gradients, vector.batch(), 0.25, 0, 1);
            float[] firstMoments = new float[values.length];
            float[] secondMoments = new float[values.length];
            for (ParameterView view : vector.architecture().layout()) {
                boolean map = view.layer() != ParameterView.NO_LAYER && !view.vector();
                double rate = map ? 1e-2 / vector.architecture().width() : 1e-2;
                kernels.optimizerStep()
                        .step(
                                values,
                                firstMoments,
                                secondMoments,
                                gradients,
                                Coefficients.of(new Adam(rate, 0.9, 0.999, 1e-8, 0), 1, 1, 1),
                                view.offset(),
                                view.offset() + view.size());
            }
            for (int i = 0; i < expected.length; i++) {
                assertThat((double) values[i]).as("parameter %d", i).isCloseTo(expected[i], within(2e-7));
            }
        }
    }
}
