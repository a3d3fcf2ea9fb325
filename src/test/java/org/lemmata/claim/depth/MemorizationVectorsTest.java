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
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.oracle.ReferenceValues.Each;
import org.lemmata.token.Batch;

/** Lemma 5.1 and theorem 3.1 of Richard (2024) against figures of an independent implementation in binary64. */
class MemorizationVectorsTest {

    /** Relative to the maximum logit, in binary64. */
    private static final double TIGHT = 1e-13;

    /** The same in binary32, to which weights were rounded: some 20 terms of a few roundings each. */
    private static final double BINARY32 = 1e-5;

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
            double tolerance = model instanceof ReferenceTransformer ? TIGHT : BINARY32;
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
            assertLogits(model, vector, word, model instanceof ReferenceTransformer ? TIGHT : BINARY32);
        }
    }

    /** In binary64, and on both kinds of kernels with weights to nearest in binary32. */
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
