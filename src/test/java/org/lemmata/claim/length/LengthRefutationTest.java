package org.lemmata.claim.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.Verdicts.assertRefuted;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Finding;
import org.lemmata.claim.length.Theorem41String.StringGap;
import org.lemmata.construct.length.AuxiliaryString;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;

/** Claims on margins, strings and bounds are refuted where they do not hold, and supported where they do. */
class LengthRefutationTest {

    private static final List<Double> EPSILONS = List.of(0.05, 0.02, 0.01);

    private static final List<LimitAttention> HEADS =
            MarginCases.heads(MarginCases.CORRECTED.scope(Budget.QUICK, Map.of("heads", "100")), _ -> true);

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void aLengthThatIsOffByOneRefutesHardmax(int off) {
        float[] none = {};
        var instances = List.of(
                new Hardmax.Instance(4, new float[] {1, 0, 1}, none),
                new Hardmax.Instance(8, new float[] {0, -1.5f, 0, -4}, new float[] {0.5f, 1}));
        Finding finding = Hardmax.check(
                instances, (bits, margin) -> LogitMargin.hardmaxLength(bits, margin) + off, new SplittableRandom(1));
        if (off == 0) {
            assertSupported(finding);
        } else {
            assertRefuted(finding);
        }
    }

    /** Heads of 4 bits do not differ. From 16 tokens on, heads of 12 bits differ; from 15 on, heads of 4 bits do. */
    @Test
    void roundedWeightsRefuteThatIdentifyingTakesThem() {
        int unrounded = 1 << 30;
        assertSupported(Identifiability.check(List.of(8), unrounded, 4, 16));
        assertRefuted(Identifiability.check(List.of(64), 4, 4, 16));
        assertRefuted(Identifiability.check(List.of(8), unrounded, 12, 16));
        assertRefuted(Identifiability.check(List.of(8), unrounded, 4, 15));
    }

    @Tag("long")
    @Test
    void aGreaterMarginRefutesTheLogitMargin() {
        assertSupported(MarginCases.checkCorrected(HEADS, LogitMargin::corrected));
        assertRefuted(MarginCases.checkCorrected(HEADS, LogitMargin::printed));
        assertRefuted(MarginCases.checkCorrected(HEADS, head -> 1.25 * LogitMargin.corrected(head)));
    }

    @Test
    void thePrintedMarginIsSupportedWhereItLeavesNothingOut() {
        List<LimitAttention> alike = HEADS.stream()
                .filter(head -> LogitMargin.printed(head) == LogitMargin.corrected(head))
                .toList();
        assertThat(alike).hasSizeBetween(20, HEADS.size() - 5);
        assertSupported(MarginCases.checkPrinted(alike));
    }

    private static Finding strings(Function<Theorem41Cases.Case, AuxiliaryString> strings) {
        return Theorem41String.check(100, random -> Theorem41Cases.draw(List.of(0.2, 0.1), random), strings);
    }

    private static AuxiliaryString string(Theorem41Cases.Case one, double factor) {
        return AuxiliaryString.of(one.f().attention(), one.g().attention(), one.x(), factor * one.e());
    }

    @Test
    void aCoarserAFinerAndAnotherHeadsStringRefuteTheString() {
        assertSupported(strings(one -> string(one, 1)));
        assertRefuted(strings(one -> string(one, 5)));
        assertRefuted(strings(one -> string(one, 0.5)));
        assertRefuted(
                strings(one -> AuxiliaryString.of(one.f().attention(), one.f().attention(), one.x(), one.e())));
        assertRefuted(
                strings(one -> AuxiliaryString.of(one.g().attention(), one.g().attention(), one.x(), one.e())));
    }

    @ParameterizedTest
    @EnumSource(StringGap.class)
    void eachGapRefutesThePrintedStringByItself(StringGap gap) {
        Finding finding = Theorem41String.checkPrinted(200, EPSILONS, List.of(gap));
        assertRefuted(finding);
        assertThat(finding.verdict().reason()).contains(gap.label);
    }

    @Tag("long")
    @Test
    void aShorterLengthRefutesTheBound() {
        assertRefuted(Theorem41Bound.check(
                List.of(),
                Theorem41Bound.late(),
                List.of(),
                pair -> pair.bound().hardmaxLength() - 1));
        assertRefuted(Theorem41Bound.check(List.of(), List.of(), Theorem41Bound.hidden(), pair -> pair.looked() / 4));
        assertSupported(Theorem41Bound.check(
                List.of(),
                Theorem41Bound.late(),
                Theorem41Bound.hidden(),
                pair -> pair.bound().corrected()));
    }

    /** With at most M² tokens, one of the tents is not visible. */
    @ParameterizedTest
    @ValueSource(longs = {3, 5})
    void nestedPairsNeedTheSquareOfM(long m) {
        List<Theorem41Pair> pair = List.of(Theorem41Pair.nested((int) m));
        assertRefuted(Theorem41Bound.check(List.of(), List.of(), pair, each -> m * m));
        assertSupported(Theorem41Bound.check(List.of(), List.of(), pair, each -> 2 * m * m));
    }

    @Test
    void withTheUnembeddingInLTheTentsAreNoCounterexamples() {
        List<Theorem41Bound.Pair> tents = List.of(Theorem41Bound.highTent(1, 1), Theorem41Bound.highTent(3, 100));
        assertRefuted(Theorem41Bound.checkPrinted(tents));
        assertSupported(Theorem41Bound.check(
                List.of(),
                List.of(),
                tents.stream().map(Theorem41Bound.Pair::pair).toList(),
                pair -> pair.bound().corrected()));
    }

    /** For all constants, f and g agree exactly up to N = 2 C1 and differ by 1; random strings show more than half. */
    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1000", "20, 1", "20, 10000"})
    void theResidualAloneRefutesTheBoundForEachPairOfConstants(int c1, double c2) {
        Theorem41Bound.Pair pair = Theorem41Bound.ofResidual(c1, c2);
        assertThat(pair.n())
                .isEqualTo(2L * c1)
                .isLessThan(pair.pair().f().attention().period());
        Finding finding = Theorem41Bound.checkPrinted(List.of(pair));
        assertRefuted(finding);
        assertThat(finding.measured().getFirst().value()).isBetween(2.0, 4.0001);
        assertThat(finding.verdict().reason()).contains("|f - g| <= 0.0 up to N");
    }

    /** From Delta tokens on, every residue occurs, so the difference within N is as large as anywhere. */
    @Test
    void aPeriodOfTokensIsEnoughForThePairsOfOneResidue() {
        Theorem41Bound.Pair pair = Theorem41Bound.ofResidual(1, 1);
        assertSupported(
                Theorem41Bound.checkPrinted(List.of(new Theorem41Bound.Pair(pair.pair(), pair.c1(), pair.c2(), 3))));
    }
}
