package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertRefuted;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.Construction;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Measurement;

/** Each claim on memorization is refuted for models for which it does not hold. */
class MemorizationRefutationTest {

    private static final List<Lemma51.Size> SEQUENCES = List.of(new Lemma51.Size(3, 3, 0));

    private static final List<Theorem31.Size> PROJECTIONS = List.of(new Theorem31.Size(16, 24, 0.25));

    /** A model with all weights of a role changed. */
    static LanguageModel changed(ExactParameters parameters, ParameterRole role, DoubleUnaryOperator change) {
        parameters.architecture().layout().stream()
                .filter(view -> view.role() == role)
                .forEach(view -> IntStream.range(view.offset(), view.offset() + view.size())
                        .forEach(i -> parameters.values()[i] =
                                change.applyAsDouble(parameters.values()[i])));
        return new ReferenceTransformer(parameters);
    }

    private static LanguageModel scaled(ExactParameters parameters, double factor) {
        return changed(parameters, ParameterRole.VALUE, v -> factor * v);
    }

    private static LanguageModel scaled(Construction construction, double factor) {
        return scaled(construction.build(), factor);
    }

    private static LanguageModel unchanged(Construction construction) {
        return construction.model(Kernels.scalar());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesLemma51(double factor) {
        assertRefuted(Lemma51.check(
                SEQUENCES, List.of(-0.5, 0.5), List.of(1.0, 1e-2, 1e-9), construction -> scaled(construction, factor)));
        assertSupported(Lemma51.check(
                SEQUENCES, List.of(-0.5, 0.5), List.of(1.0, 1e-2, 1e-9), MemorizationRefutationTest::unchanged));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesTheorem31(double factor) {
        List<Theorem31.Case> cases = Theorem31.cases(PROJECTIONS);
        assertRefuted(Theorem31.memorized(cases, construction -> scaled(construction, factor)));
        assertRefuted(Theorem31.loss(
                cases,
                construction -> scaled(construction, factor),
                one -> one.construction().failureBound()));
        assertSupported(Theorem31.memorized(cases, MemorizationRefutationTest::unchanged));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueMatrixRefutesSeveralSequences(double factor) {
        assertRefuted(SeveralSequences.check(4, parameters -> scaled(parameters, factor)));
    }

    @Test
    void boundsOfTheRemarksAreToldFromOthers() {
        List<Theorem31.Case> cases = Theorem31.cases(PROJECTIONS);
        assertRefuted(Section3Remarks.scaling(cases, one -> 0, MemorizationRefutationTest::unchanged));
        // As if no greater v helped.
        assertRefuted(Section3Remarks.optimum(
                new Settings(Section3Remarks.OPTIMUM_CORRECTED.settings(), Map.of()),
                head -> scaled(head, 100 / head.v())));
    }

    private static Finding existence(
            Theorem31.Size size, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        Theorem31.checkExistence(size, Memorization::failure, Theorem31.Case::printedBound, models, tally);
        return tally.finding("");
    }

    /** An independent implementation has 1.3e-16 with rows of a frame, and 6e-9 as drawn, against 3.4e-10. */
    @Test
    void anEmbeddingKeepsTheBoundThatOneDrawnAsInTheProofExceeds() {
        var size = new Theorem31.Size(300, 300, 0.5);
        Finding finding = existence(size, MemorizationRefutationTest::unchanged);
        assertSupported(finding);
        assertThat(size.width()).isEqualTo(274);
        List<Measurement> measured = finding.measured();
        assertThat(measured.getFirst().value()).isLessThan(1e-12);
        assertThat(Objects.requireNonNull(measured.getFirst().reference()).value())
                .isBetween(3.3e-10, 3.5e-10);
        assertThat(measured.get(4).value()).isLessThan(0.5);
        assertThat(measured.subList(5, 9)).allSatisfy(each -> {
            assertThat(each.name()).contains("drawn as in the proof");
            assertThat(each.value()).isGreaterThan(1);
        });
    }

    /** Other t, n and d: fewer and more columns than tokens, and a long sequence of few tokens. */
    @ParameterizedTest
    @CsvSource({"2, 8, 0.25", "400, 4, 0.5", "40, 20, 0.9"})
    void theFrameKeepsTheBoundAtOtherSizes(int tokens, int length, double epsilon) {
        var size = new Theorem31.Size(tokens, length, epsilon);
        assertSupported(existence(size, MemorizationRefutationTest::unchanged));
        assertRefuted(existence(size, head -> scaled(head, 0.5)));
    }

    private static Finding lemma52(int draws, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        return Lemma52.check(3, -0.5, List.of(-1 / 64.0, -0.25, -1.0, -4.0, -64.0), draws, models);
    }

    @Test
    void logitsThatAreNotOppositeRefuteLemma52() {
        assertRefuted(lemma52(200, construction -> {
            ExactParameters parameters = construction.build();
            parameters.set(ParameterRole.TOKEN_EMBEDDING, 1, 0, -0.9);
            return new ReferenceTransformer(parameters);
        }));
        assertSupported(lemma52(200, MemorizationRefutationTest::unchanged));
    }

    /** The logits are still [X, -X], so only sampled tokens reveal the weaker weight. */
    @Test
    void aWeakerValueWeightRefutesTheSampledRateOfLemma52() {
        assertRefuted(lemma52(2_000, construction -> scaled(construction, 0.25)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, 1.01, -1})
    void anotherValueWeightRefutesTheFactors(double factor) {
        for (double gamma : List.of(-0.75, -0.5, 0.5, 1.0)) {
            for (boolean scaled : List.of(false, true)) {
                var tally = new Tally();
                Stability.checkFactors(gamma, scaled, construction -> scaled(construction, factor), tally);
                assertRefuted(tally.finding(""));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0.5})
    void theOtherGammaRefutesStability(double gamma) {
        var tally = new Tally();
        Stability.checkCompletions(
                new Lemma51.Size(2, 4, 0),
                List.of(-0.5, 0.5),
                Tally.random(1),
                construction -> unchanged(
                        new SequenceMemorizerByOneHotEmbedding(construction.vocabulary(), construction.word(), gamma)),
                tally);
        Finding finding = tally.finding("");
        assertRefuted(finding);
        assertThat(finding.measured()).allSatisfy(measurement -> {
            boolean own = measurement.name().endsWith("gamma = " + gamma);
            assertThat(measurement.value() <= 0).as(measurement.name()).isEqualTo(own);
        });
    }

    /** The recursion: the sum of c_1 to c_r is r gamma c_{r+1}, or gamma c_{r+1} if scaled. */
    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0.5, -0.75, 2})
    void theFactorsAreThoseOfTheRecursion(double gamma) {
        for (boolean scaled : List.of(false, true)) {
            double[] differences = Stability.differences(8, gamma, scaled, MemorizationRefutationTest::unchanged);
            double sum = 0;
            for (int r = 1; r < 8; r++) {
                sum += differences[r - 1];
                assertThat(differences[r]).isCloseTo(sum / (gamma * (scaled ? 1 : r)), within(1e-9));
                double factor = scaled ? Stability.scaledFactor(r, gamma) : Stability.factor(r, gamma);
                assertThat(differences[r]).isCloseTo(factor * differences[r - 1], within(1e-9));
            }
        }
        assertThat(Stability.factor(4, -0.5)).isEqualTo(1 - 3.0 / 4);
        assertThat(Stability.factor(4, 0.5)).isEqualTo(1 + 1.0 / 4);
        assertThat(Stability.printedFactor(4, -0.5)).isEqualTo(1 - 1.0 / 4);
        assertThat(Stability.printedFactor(4, 0.5)).isEqualTo(1 + 3.0 / 4);
    }
}
