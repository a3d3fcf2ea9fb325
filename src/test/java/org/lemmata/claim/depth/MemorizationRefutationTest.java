package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
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

/** Each claim on memorization, tested on models for which it does not hold, has to say so. */
class MemorizationRefutationTest {

    private static final List<Lemma51.Size> SEQUENCES = List.of(new Lemma51.Size(3, 3, 0));

    private static final List<Theorem31.Size> PROJECTIONS = List.of(new Theorem31.Size(16, 24, 0.25));

    /** A construction's model with all of v changed. */
    private static LanguageModel scaled(Construction construction, double factor) {
        ExactParameters parameters = construction.build();
        var view = parameters.architecture().view(ParameterRole.VALUE, 0);
        for (int i = view.offset(); i < view.offset() + view.size(); i++) {
            parameters.values()[i] *= factor;
        }
        return new ReferenceTransformer(parameters);
    }

    private static LanguageModel unchanged(Construction construction) {
        return construction.model(Kernels.scalar());
    }

    private static void assertRefuted(Finding finding) {
        assertThat(finding.verdict().outcome()).isEqualTo(Outcome.REFUTED);
        assertThat(finding.measured()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesLemma51(double factor) {
        assertRefuted(Lemma51.check(
                SEQUENCES, List.of(-0.5, 0.5), List.of(1.0, 1e-2, 1e-9), construction -> scaled(construction, factor)));
        assertThat(Lemma51.check(
                                SEQUENCES,
                                List.of(-0.5, 0.5),
                                List.of(1.0, 1e-2, 1e-9),
                                MemorizationRefutationTest::unchanged)
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.SUPPORTED);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesTheorem31(double factor) {
        List<Theorem31.Case> cases = Theorem31.cases(PROJECTIONS);
        assertRefuted(Theorem31Memorization.check(cases, construction -> scaled(construction, factor)));
        assertRefuted(Theorem31Loss.check(
                cases,
                construction -> scaled(construction, factor),
                one -> one.construction().failureBound()));
        assertThat(Theorem31Memorization.check(cases, MemorizationRefutationTest::unchanged)
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.SUPPORTED);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, -1, Double.NaN})
    void aWeakOrBrokenValueMatrixRefutesSeveralSequences(double factor) {
        assertRefuted(SeveralSequences.check(4, parameters -> {
            var view = parameters.architecture().view(ParameterRole.VALUE, 0);
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                parameters.values()[i] *= factor;
            }
            return new ReferenceTransformer(parameters);
        }));
    }

    @Test
    void boundsOfTheRemarksAreToldFromOthers() {
        List<Theorem31.Case> cases = Theorem31.cases(PROJECTIONS);
        assertRefuted(Section3Remarks.scaling(cases, one -> 0, MemorizationRefutationTest::unchanged));
        assertThat(Section3Remarks.scaling(cases, Section3Remarks::printed, MemorizationRefutationTest::unchanged)
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.SUPPORTED);
        // As if no greater v helped.
        assertRefuted(Section3Remarks.optimum(
                true,
                new Settings(Section3Remarks.OPTIMUM.settings(), Map.of()),
                head -> scaled(head, 100 / head.v())));
    }

    /**
     * Small sizes are within the printed bound: the claim is refuted by its counterexamples, not by how it is tested.
     */
    @Test
    void smallProjectionsAloneDoNotRefuteThePrintedBound() {
        assertThat(Theorem31MemorizationPrinted.check(
                                Theorem31.cases(List.of(new Theorem31.Size(2, 8, 0.25))),
                                MemorizationRefutationTest::unchanged)
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.SUPPORTED);
    }

    /** One half and next to one, however great v is. */
    @Test
    void distancesOfTheSequencesTokensAloneDoNotMemorize() {
        Theorem31.Case norm = Theorem31MemorizationPrinted.withoutNorm();
        Theorem31.Case other = Theorem31MemorizationPrinted.withoutOtherTokens();
        assertThat(Memorization.of(
                                unchanged(norm.construction()),
                                norm.construction().word())
                        .failure())
                .isEqualTo(0.5);
        assertThat(Memorization.of(
                                unchanged(other.construction()),
                                other.construction().word())
                        .failure())
                .isGreaterThan(1 - 1e-12);
        assertThat(norm.construction().gap()).isZero();
        assertThat(other.construction().gap()).isEqualTo(-1);
        for (Theorem31.Case one : List.of(norm, other)) {
            assertRefuted(Theorem31MemorizationPrinted.check(List.of(one), MemorizationRefutationTest::unchanged));
        }
    }

    /** An independent implementation has 6e-9 against 3.4e-10, for another draw. */
    @Test
    void thePrintedBoundIsOffByFactorsAtThreeHundredTokens() {
        List<Theorem31.Case> cases = Theorem31.cases(List.of(new Theorem31.Size(300, 300, 0.5)));
        List<Measurement> measured = Theorem31MemorizationPrinted.check(cases, MemorizationRefutationTest::unchanged)
                .measured();
        assertThat(cases.getFirst().size().width()).isEqualTo(274);
        assertThat(cases.getFirst().printedBound()).isBetween(3.3e-10, 3.5e-10);
        assertThat(measured.getFirst().value()).isBetween(5e-10, 1e-7);
        // The token of the minimum gap, over and over.
        assertThat(measured.get(2).value()).isBetween(1e-8, 1e-3);
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
        assertThat(lemma52(200, MemorizationRefutationTest::unchanged).verdict().outcome())
                .isEqualTo(Outcome.SUPPORTED);
    }

    /** Its logits are [X, -X] still, so only the tokens that are sampled tell. */
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

    /** By the recursion alone: sum_{i <= r} c_i = r gamma c_{r+1}, or gamma c_{r+1}. */
    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0.5, -0.75, 2})
    void theFactorsAreThoseOfTheRecursion(double gamma) {
        for (boolean scaled : List.of(false, true)) {
            double[] differences = FreeRun.differences(8, gamma, scaled, MemorizationRefutationTest::unchanged);
            double sum = 0;
            for (int r = 1; r < 8; r++) {
                sum += differences[r - 1];
                assertThat(differences[r]).isCloseTo(sum / (gamma * (scaled ? 1 : r)), within(1e-9));
                double factor = scaled ? FreeRun.scaledFactor(r, gamma) : FreeRun.factor(r, gamma);
                assertThat(differences[r]).isCloseTo(factor * differences[r - 1], within(1e-9));
            }
        }
        assertThat(FreeRun.factor(4, -0.5)).isEqualTo(1 - 3.0 / 4);
        assertThat(FreeRun.factor(4, 0.5)).isEqualTo(1 + 1.0 / 4);
        assertThat(FreeRun.printedFactor(4, -0.5)).isEqualTo(1 - 1.0 / 4);
        assertThat(FreeRun.printedFactor(4, 0.5)).isEqualTo(1 + 3.0 / 4);
    }
}
