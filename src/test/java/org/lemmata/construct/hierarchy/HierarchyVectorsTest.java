package org.lemmata.construct.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.ReferenceValues.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.Construction;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.oracle.ReferenceValues.Each;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.token.Batch;

/** Scores and probabilities, compared with values of an independent implementation in binary64. */
class HierarchyVectorsTest {

    static int[] tokens(JsonNode vector) {
        return integers(vector.get("tokens"));
    }

    private static BracketTokens types(JsonNode group) {
        return new BracketTokens(integer(group, "k"));
    }

    /** Checks scores divided by the bias, for legal inputs. */
    private static void check(
            BracketTransformer transformer, JsonNode group, double unit, BracketLanguage language, double tolerance) {
        LanguageModel model = new ReferenceTransformer(transformer.build());
        for (JsonNode vector : group.get("cases")) {
            int[] brackets = tokens(vector);
            boolean promised = !vector.has("first_two_differ")
                    || vector.get("first_two_differ").booleanValue();
            if (!promised) {
                continue;
            }
            double[] scores = model.logits(Batch.of(List.of(transformer.input(brackets))));
            double[] expected = numbers(vector.get("logit_over_b"));
            assertThat(Arrays.stream(scores).map(score -> score / unit).toArray())
                    .as("%s", vector.get("tokens"))
                    .containsExactly(expected, within(tolerance));
            int first = transformer.hasStart() ? 0 : 1;
            for (int i = first; i <= brackets.length; i++) {
                assertThat(scores[i - first] > 0)
                        .as("%s to %d", vector.get("tokens"), i)
                        .isEqualTo(vector.get("member").get(i - first).booleanValue())
                        .isEqualTo(language.contains(transformer.tokens(), Arrays.copyOf(brackets, i)));
            }
        }
    }

    @Each(file = "hierarchy-theorem-1", list = "groups", count = 8)
    void scoresOfTheRecognizerAreThoseOfTheVectors(JsonNode group) {
        int n = integer(group, "n_max");
        DyckConstants constants = DyckConstants.shared(n, Math.max(1, n / 2));
        assertThat(constants.depthWeight())
                .isCloseTo(group.get("constants").get("C1").doubleValue(), within(1e-8));
        boolean recover = !group.get("recov").isNull();
        for (boolean byScore : new boolean[] {false, true}) {
            var variant = new DyckRecognizer.Variant(recover, byScore, false);
            check(
                    new DyckRecognizer(types(group), constants, variant),
                    group,
                    number(group, "b_cls"),
                    BracketLanguage.DYCK,
                    1e-5);
        }
    }

    @Each(file = "hierarchy-proposition-3", list = "groups", count = 4)
    void scoresOfTheShuffleRecognizerAreThoseOfTheVectors(JsonNode group) {
        check(
                ShuffleDyckRecognizer.exact(types(group), integer(group, "n_max")),
                group,
                group.get("constants").get("b").doubleValue(),
                BracketLanguage.SHUFFLE_DYCK,
                1e-6);
    }

    @Each(file = "hierarchy-corollary-1", list = "groups", count = 3)
    void scoresOfTheRecognizerWithoutStartAreThoseOfTheVectors(JsonNode group) {
        int n = integer(group, "n_max");
        check(
                new DyckRecognizerWithoutStart(types(group), DyckConstants.shared(n, n / 2)),
                group,
                number(group, "b"),
                BracketLanguage.DYCK,
                1e-3);
    }

    private static List<Double> list(double... numbers) {
        return DoubleStream.of(numbers).boxed().toList();
    }

    private static GenerationProcess process(BracketLanguage language, JsonNode group) {
        BracketTokens tokens = types(group);
        return new GenerationProcess(
                language,
                tokens,
                number(group, "q"),
                number(group, "r"),
                list(numbers(group.get("pi"))),
                group.has("pibar") ? list(numbers(group.get("pibar"))) : GenerationProcess.uniform(tokens.types()));
    }

    private static void check(BracketTransformer transformer, JsonNode group, double tolerance) {
        LanguageModel model = new ReferenceTransformer(transformer.build());
        int count = transformer.tokens().count();
        for (JsonNode vector : group.get("cases")) {
            double[] logits = model.logits(Batch.of(List.of(transformer.input(tokens(vector)))));
            int position = 0;
            for (JsonNode expected : vector.get("probs")) {
                assertThat(BracketTransformer.softmax(logits, position * count, count))
                        .as("%s after %d", vector.get("tokens"), position)
                        .containsExactly(numbers(expected), within(tolerance));
                position++;
            }
        }
    }

    @Each(file = "hierarchy-theorem-2", list = "groups", count = 5)
    void probabilitiesOfTheGeneratorAreThoseOfTheVectors(JsonNode group) {
        int n = integer(group, "n_max");
        GenerationProcess process = process(BracketLanguage.DYCK, group);
        double tolerance = number(group, "eps_tv");
        check(new DyckGenerator(process, DyckConstants.shared(n, n), tolerance), group, 1e-7);
    }

    @Each(file = "hierarchy-proposition-4", list = "groups", count = 4)
    void probabilitiesOfTheShuffleGeneratorAreThoseOfTheVectors(JsonNode group) {
        check(
                ShuffleDyckGenerator.exact(process(BracketLanguage.SHUFFLE_DYCK, group), integer(group, "n_max"), 1e-6),
                group,
                1e-9);
    }

    /** Recovered codes are exact, so layers that do not depend on the tolerance give the same vectors. */
    @Each(file = "hierarchy-theorem-2", list = "groups", count = 5)
    void probabilitiesWithRecoveryAreWithinTheToleranceAndLayersAreThoseOfAnyTolerance(JsonNode group) {
        int n = integer(group, "n_max");
        GenerationProcess process = process(BracketLanguage.DYCK, group);
        double tolerance = number(group, "eps_tv");
        DyckConstants constants = DyckConstants.shared(n, n);
        var recovering = new DyckGenerator(process, constants, tolerance, DyckGenerator.Wording.RECOVERING);
        check(recovering, group, tolerance);
        var finer = new DyckGenerator(process, constants, tolerance / 1000, DyckGenerator.Wording.RECOVERING);
        double[] layers = recovering.build().values();
        int head = process.tokens().count() * (recovering.build().architecture().width() + 1);
        assertThat(Arrays.copyOf(finer.build().values(), layers.length - head))
                .containsExactly(Arrays.copyOf(layers, layers.length - head));
        assertThat(finer.build().values()).isNotEqualTo(layers);
    }

    /** If the first two tokens are equal, the paper promises nothing, and near ties differ. */
    @Each(file = "hierarchy-corollary-2", list = "groups", count = 3)
    void probabilitiesWithoutStartAreThoseOfTheVectors(JsonNode group) {
        int n = integer(group, "n_max");
        GenerationProcess process = process(BracketLanguage.DYCK, group);
        check(new DyckGeneratorWithoutStart(process, DyckConstants.shared(n, n), number(group, "eps_tv")), group, 1e-6);
    }

    @Test
    void normalizedQueriesAndKeysGiveTheVectorsScoresAndLayerNormTheSame() {
        JsonNode group = read("hierarchy-qk-norm-lemma-13");
        var tokens = new BracketTokens(2);
        // n = 8: A = 8 in the vector's constants.
        var recognizer = new DyckRecognizer(tokens, DyckConstants.shared(8, 4), DyckRecognizer.Variant.normalized());
        check(recognizer, group, number(group, "b_cls"), BracketLanguage.DYCK, 1e-6);
        Construction plain = new DyckRecognizer(tokens, DyckConstants.shared(8, 4), DyckRecognizer.Variant.plain());
        Batch batch = Batch.of(List.of(new int[] {4, 0, 1, 3, 2, 0, 3}, new int[] {4, 2, 0}));
        assertThat(new ReferenceTransformer(LayerNormForm.of(plain.build())).logits(batch))
                .containsExactly(new ReferenceTransformer(plain.build()).logits(batch), within(1e-9));
    }

    @Each(file = "hierarchy-proposition-6", list = "groups", count = 5)
    void pseudoStartsAreThoseOfTheVectors(JsonNode group) {
        int n = integer(group, "n_max");
        int codeBits = Math.max(1, BracketTransformer.codeBits(integer(group, "k")));
        var block = new WithoutStart(types(group), DyckConstants.shared(n, n), codeBits);
        assertThat(block.epsilon()).isCloseTo(number(group, "eps"), within(1e-15));
        LanguageModel model = new ReferenceTransformer(block.pseudoStart(block.epsilon()));
        for (JsonNode vector : group.get("cases")) {
            assertThat(model.logits(Batch.of(List.of(tokens(vector)))))
                    .containsExactly(numbers(vector.get("s_hat")), within(1e-9));
        }
    }
}
