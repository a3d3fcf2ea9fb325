package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatList;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.ReferenceValues.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.oracle.ReferenceValues.Each;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/** Compares the constructions of Richard (2024) with an independent implementation in binary64. */
class DepthVectorsTest {

    /** The relative tolerance in binary64. */
    private static final double TIGHT = 1e-12;

    /** The unit roundoff of binary32, in which the sums of theorem 4.1 are exact, and only the division by r rounds. */
    private static final double UNIT = 0x1p-24;

    /** The tolerance of memorizers' logits, relative to the maximum logit. */
    private static final double IN_BINARY64 = 1e-13;

    /** The same tolerance with weights in binary32: about 20 terms with a few roundings each. */
    private static final double IN_BINARY32 = 1e-5;

    private static void assertNear(double actual, JsonNode expected, double relative, String what) {
        double distance = Math.abs(actual - expected.doubleValue());
        // Subnormal numbers have no relative accuracy.
        assertThat(distance)
                .as("%s: %s against %s", what, actual, expected)
                .isLessThanOrEqualTo(relative * Math.abs(expected.doubleValue()) + Double.MIN_NORMAL);
    }

    @Each(file = "depth-theorem-4.1", count = 29)
    void theorem41HasTheWeightsAndTheFiguresOfTheVectors(JsonNode vector) {
        int[] word = DyckWords.ids(vector.get("s").asText());
        var construction =
                new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, number(vector, "gamma"), number(vector, "v"));
        ExactParameters parameters = construction.build();
        assertThat(parameters.values()).hasSize(integer(vector, "weights")).hasSize(word.length + 3);
        double[] positions = parameters
                .architecture()
                .find(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER)
                .map(view -> Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size()))
                .orElseThrow();
        assertThat(positions).containsExactly(numbers(vector.get("B")));
        assertFigures(new ReferenceTransformer(parameters), vector, word, TIGHT, TIGHT);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            LanguageModel model = construction.model(kernels);
            assertThat(model).isInstanceOf(Transformer.class);
            assertFigures(model, vector, word, 2 * UNIT, 1e-5);
        }
    }

    /** {@code relative} holds for scores, {@code mixed} for sums of probabilities over many steps. */
    private static void assertFigures(LanguageModel model, JsonNode vector, int[] word, double relative, double mixed) {
        String name = model.getClass().getSimpleName() + " of " + vector.get("s") + ", gamma " + vector.get("gamma");
        double loss = Memorization.loss(model, word);
        assertNear(loss, vector.get("loss_r1_to_2Nminus1"), mixed, name + ": loss");
        assertNear(-Math.expm1(-loss), vector.get("p_not_s_from_first_token"), mixed, name + ": another word");
        int pairs = word.length / 2;
        assertNear(Theorem41.lossBound(pairs), vector.get("loss_bound"), TIGHT, name + ": bound of the loss");
        assertNear(Theorem41.failureBound(pairs), vector.get("prob_bound_fail"), TIGHT, name + ": bound of failure");
        CompletionLaw law = CompletionLaw.of(model, pairs, CompletionLaw.covering(pairs));
        for (JsonNode expected : vector.get("prefixes")) {
            String what = name + ", prefix " + expected.get("z");
            int[] prefix = DyckWords.ids(expected.get("z").asText());
            double[] logits = model.logits(Batch.of(List.of(prefix)));
            double open = logits[2 * prefix.length - 2];
            double close = logits[2 * prefix.length - 1];
            assertNear(open, expected.get("X"), relative, what + ": X");
            assertThat(close).as(what).isEqualTo(-open);
            assertNear(
                    1 / (1 + Math.exp(close - open)),
                    expected.get("p_open"),
                    2 * relative * (1 + Math.abs(open)),
                    what + ": probability of (");
            Generation generation = Generation.complete(model, List.of(prefix), word.length, new Decoding.Greedy())
                    .getFirst();
            assertThat(DyckWords.text(generation.tokens()))
                    .as(what)
                    .isEqualTo(expected.get("greedy").asText());
            assertThat(DyckWords.isBalanced(generation.tokens()))
                    .as(what)
                    .isEqualTo(expected.get("greedy_valid").booleanValue());
            int stack = integer(expected, "delta_z");
            assertThat(DyckSizes.stack(prefix, prefix.length)).as(what).isEqualTo(stack);
            assertThat(DyckSizes.stack(word, prefix.length)).as(what).isEqualTo(integer(expected, "delta_s"));
            JsonNode invalid = expected.get("p_invalid_if_sampled");
            assertNear(law.failure()[prefix.length][stack], invalid, mixed, what + ": failure");
            assertThat(law.success()[prefix.length][stack])
                    .as("%s: success", what)
                    .isCloseTo(1 - invalid.asDouble(), within(mixed));
        }
    }

    @Each(file = "depth-claim-5.3", count = 6)
    void claim53HasTheWeightsAndTheLogitsOfTheVectors(JsonNode vector) {
        int pairs = integer(vector, "N");
        var construction = new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs, number(vector, "v"));
        ExactParameters exact = construction.build();
        assertThat(exact.values()).hasSize(3);
        assertNear(exact.values()[0], vector.get("E").get(0), TIGHT, "E of (, N = " + pairs);
        assertNear(exact.values()[1], vector.get("E").get(1), 0, "E of ), N = " + pairs);
        assertThat(construction.model(Kernels.best())).isInstanceOf(ReferenceTransformer.class);
        // S is at least 1 / (2N + 1), but sums up to 2N terms of at most 1, so cancellation multiplies errors by this.
        double cancelled = 2.0 * pairs * (2 * pairs + 1);
        assertLogits(construction.model(Kernels.best()), vector, 0x1p-52 * cancelled);
        Parameters parameters = exact.nearest();
        assertLogits(new Transformer(parameters, Kernels.scalar()), vector, 2 * UNIT * cancelled);
        assertLogits(new Transformer(parameters, Kernels.best()), vector, 2 * UNIT * cancelled);
    }

    private static void assertLogits(LanguageModel model, JsonNode vector, double relative) {
        for (JsonNode state : vector.get("states_r_delta_S_logitOpen_logitClose_next")) {
            int[] prefix = prefix(state.get(0).intValue(), state.get(1).intValue());
            String what = model.getClass().getSimpleName() + ", N = " + vector.get("N") + ", prefix "
                    + DyckWords.text(prefix);
            double[] logits = model.logits(Batch.of(List.of(prefix)));
            double open = logits[2 * prefix.length - 2];
            double close = logits[2 * prefix.length - 1];
            assertNear(open, state.get(3), relative, what + ": logit of (");
            assertNear(close, state.get(4), relative, what + ": logit of )");
            assertThat(open > close ? "(" : ")").as(what).isEqualTo(state.get(5).asText());
        }
    }

    /** A prefix of r brackets: "()" repeated, then {@code stack} opening brackets. */
    private static int[] prefix(int r, int stack) {
        return DyckWords.ids("()".repeat((r - stack) / 2) + "(".repeat(stack));
    }

    private static int[] word(JsonNode vector) {
        return integers(vector.get("s"));
    }

    @Each(file = "depth-theorem-3.1", list = "lemma51", count = 4)
    void lemma51HasTheWeightsAndTheFiguresOfTheVectors(JsonNode vector) {
        int tokens = integer(vector, "t");
        int[] word = word(vector);
        var construction = new SequenceMemorizerByOneHotEmbedding(
                Memorization.vocabulary(tokens), word, number(vector, "gamma"), number(vector, "v"));
        ExactParameters parameters = construction.build();
        assertThat(1 - construction.failureBound()).isCloseTo(number(vector, "bound"), within(1e-12));
        assertPositions(parameters, rows(vector.get("R")), 0);
        for (int token = 0; token < tokens; token++) {
            double[] row = new double[tokens];
            row[token] = 1;
            assertThat(row(parameters, ParameterRole.TOKEN_EMBEDDING, token)).containsExactly(row);
        }
        for (LanguageModel model : models(parameters)) {
            double tolerance = model instanceof ReferenceTransformer ? IN_BINARY64 : IN_BINARY32;
            assertLogits(model, vector, word, tolerance);
            Memorization memorization = Memorization.of(model, word);
            double loss = number(vector, "loss_r1_to_nminus1");
            assertThat(memorization.loss()).isCloseTo(loss, within(10 * tolerance * loss));
            assertThat(memorization.failure()).isCloseTo(1 - number(vector, "p_s"), within(10 * tolerance));
            assertThatList(memorization.departures()).isEmpty();
        }
    }

    @Each(file = "depth-theorem-3.1", list = "theorem31", count = 2)
    void theorem31HasTheWeightsAndTheLogitsOfTheVectors(JsonNode vector) {
        int[] word = word(vector);
        double[][] embedding = rows(vector.get("E"));
        var construction = new SequenceMemorizerByProjection(
                Memorization.vocabulary(integer(vector, "t")),
                embedding,
                word,
                number(vector, "gamma"),
                number(vector, "v"));
        assertThat(construction.gap()).isCloseTo(number(vector, "min_gap"), within(1e-15));
        ExactParameters parameters = construction.build();
        assertThat(parameters.architecture().width()).isEqualTo(integer(vector, "d"));
        assertPositions(parameters, rows(vector.get("B")), 1e-15);
        for (int token = 0; token < embedding.length; token++) {
            assertThat(row(parameters, ParameterRole.TOKEN_EMBEDDING, token)).containsExactly(embedding[token]);
        }
        for (LanguageModel model : models(parameters)) {
            assertLogits(model, vector, word, model instanceof ReferenceTransformer ? IN_BINARY64 : IN_BINARY32);
        }
    }

    /** The model in binary64, and on scalar and SIMD kernels with weights rounded to binary32. */
    private static List<LanguageModel> models(ExactParameters parameters) {
        Parameters narrow = parameters.nearest();
        return List.of(
                new ReferenceTransformer(parameters),
                new Transformer(narrow, Kernels.scalar()),
                new Transformer(narrow, Kernels.best()));
    }

    private static void assertPositions(ExactParameters parameters, double[][] expected, double tolerance) {
        for (int i = 0; i < expected.length; i++) {
            double[] row = row(parameters, ParameterRole.POSITION_EMBEDDING, i);
            assertThat(row).hasSameSizeAs(expected[i]);
            for (int column = 0; column < row.length; column++) {
                assertThat(row[column])
                        .as("position %d, column %d", i + 1, column)
                        .isCloseTo(expected[i][column], within(tolerance));
            }
        }
    }

    private static double[] row(ExactParameters parameters, ParameterRole role, int row) {
        ParameterView view = parameters.architecture().view(role, ParameterView.NO_LAYER);
        int start = view.offset() + row * view.columns();
        return Arrays.copyOfRange(parameters.values(), start, start + view.columns());
    }

    private static void assertLogits(LanguageModel model, JsonNode vector, int[] word, double relative) {
        double[] logits = model.logits(Batch.of(List.of(word)));
        assertThat(vector.get("logits_rows")).hasSize(word.length - 1);
        for (JsonNode expected : vector.get("logits_rows")) {
            int r = expected.get(0).intValue();
            double[] row = numbers(expected.get(1));
            double scale = Arrays.stream(row).map(Math::abs).max().orElseThrow();
            for (int token = 0; token < row.length; token++) {
                assertThat(logits[(r - 1) * row.length + token])
                        .as("%s, r = %d, token %d", model.getClass().getSimpleName(), r, token)
                        .isCloseTo(row[token], within(relative * scale));
            }
        }
    }
}
