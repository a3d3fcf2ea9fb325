package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertRefuted;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Outcome;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.depth.DyckWords;

/** Each claim is refuted for models for which it does not hold. */
class RefutationTest {

    private static final List<Double> BOTH = List.of(Theorem41.ATTRACTIVE, Theorem41.REPULSIVE);

    private static final DyckSizes SMALL = new DyckSizes(4, List.of(), 0);

    /** The models of theorem 4.1 with a v that its precondition does not allow. */
    private static Theorem41.Models withValueWeight(double v) {
        return (word, gamma) -> {
            ExactParameters parameters = Theorem41.construction(word, gamma).build();
            parameters.set(ParameterRole.VALUE, 0, 0, 0, v * Math.signum(gamma));
            return new ReferenceTransformer(parameters);
        };
    }

    /** The models of theorem 4.1 with a fixed gamma instead of the requested one. */
    private static Theorem41.Models withGamma(double gamma) {
        return (word, asked) ->
                new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma).model(Kernels.scalar());
    }

    private static LanguageModel withoutPositions(int pairs, double v) {
        ExactParameters parameters = new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs).build();
        parameters.set(ParameterRole.VALUE, 0, 0, 0, v);
        return new ReferenceTransformer(parameters);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesTheLoss(double v) {
        assertRefuted(Theorem41.loss(new DyckSizes(0, List.of(12), 1), BOTH, withValueWeight(v)));
    }

    @Test
    void aModelWithMoreWeightsRefutesTheLoss() {
        assertRefuted(Theorem41.loss(
                SMALL,
                BOTH,
                (word, gamma) -> Theorem41.on(SCALAR).of(DyckWords.ids("()" + DyckWords.text(word)), gamma)));
    }

    @Test
    void theModelOfAnotherWordRefutesMemorization() {
        assertRefuted(Theorem41.memorized(
                SMALL,
                BOTH,
                (word, gamma) ->
                        Theorem41.on(SCALAR).of(DyckSizes.all(word.length / 2).getFirst(), gamma)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesMemorization(double v) {
        assertRefuted(Theorem41.memorized(SMALL, BOTH, withValueWeight(v)));
    }

    @Test
    void aPositiveGammaRefutesGeneralization() {
        assertRefuted(Theorem41.completed(SMALL, List.of(Theorem41.ATTRACTIVE), withGamma(0.5), false));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesGeneralization(double v) {
        assertRefuted(Theorem41.completed(SMALL, List.of(Theorem41.ATTRACTIVE), withValueWeight(v), false));
    }

    @Test
    void aNegativeGammaRefutesTheConverse() {
        assertRefuted(Theorem41.completed(SMALL, List.of(Theorem41.REPULSIVE), withGamma(-0.5), true));
    }

    @Test
    void asSmallASuccessAsTheBoundAllowsIsToldFromALargerOneWhereBothRoundToOne() {
        // At N = 64, 2N exp(-N) = 2e-26, and 1 minus it rounds to 1; a weak v succeeds more often than that.
        assertRefuted(Theorem41.completed(
                new DyckSizes(0, List.of(64), 1), List.of(Theorem41.REPULSIVE), withValueWeight(400), true));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, Double.NaN})
    void aWeakOrBrokenValueWeightRefutesClaim53(double v) {
        assertRefuted(Claim53.check(List.of(1, 2, 3, 4), 4, pairs -> withoutPositions(pairs, v)));
        assertRefuted(Claim53.check(List.of(1, 5, 9), 0, pairs -> withoutPositions(pairs, v)));
    }

    /** With gamma = 2, the distance of the stacks sometimes stays equal: it never grows, but is not always reduced. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2})
    void aCompletionThatDoesNotCloseTheDistanceAtOnceRefutesFigure2(double gamma) {
        assertRefuted(Figure2.check(List.of(1, 2, 3, 4), Theorem41.ATTRACTIVE, withGamma(gamma)));
    }

    @Test
    void drawnSizesAreSupportedByTheTheoremsOwnModels() {
        DyckSizes drawn = new DyckSizes(0, List.of(64), 2);
        Theorem41.Models models = Theorem41.on(SCALAR);
        assertThat(List.of(
                        Theorem41.loss(drawn, BOTH, models),
                        Theorem41.memorized(drawn, BOTH, models),
                        Theorem41.completed(drawn, List.of(Theorem41.ATTRACTIVE), models, false),
                        Theorem41.completed(drawn, List.of(Theorem41.REPULSIVE), models, true)))
                .allSatisfy(finding -> assertThat(finding.verdict().outcome()).isEqualTo(Outcome.SUPPORTED));
        assertThat(drawn.seeds()).doesNotHaveDuplicates().hasSize(2);
    }
}
