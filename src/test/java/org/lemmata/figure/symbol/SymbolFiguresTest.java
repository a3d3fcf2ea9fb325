package org.lemmata.figure.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.SeedMean;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;

/** Judges claims from made-up test losses that support, refute, or leave them open. */
class SymbolFiguresTest {

    static Stream<FigureClaim> claims() {
        return SymbolFigures.CLAIMS.stream();
    }

    private static double number(Cell cell, String setting, double otherwise) {
        String text = cell.settings().get(setting);
        return text == null ? otherwise : Double.parseDouble(text);
    }

    /** The loss by the axes of the figures; {@code way} is 1 for effects as in the paper, -1 for the opposite. */
    private static double loss(Cell cell, int way) {
        double n = number(cell, "data.train", 0);
        double exponent = -0.6 * Figure.log2(n / 512)
                - 0.5 * Figure.log2(number(cell, "model.attention.heads", 16) / 16)
                + 0.4 * Figure.log2(number(cell, "model.width", 128) / 128)
                + (n == 512 ? 0.5 : 0.2) * Figure.log2(number(cell, "batch", 1024) / 512)
                + Math.abs(Math.log10(number(cell, "optimizer.learning-rate", 1e-3)) + 3)
                + 0.2 * (number(cell, "task.settings.length", 5) - 5)
                + 0.3 * (number(cell, "task.settings.wildcards", 2) - 2)
                - 0.9 * number(cell, "task.settings.tokens", 0)
                - (n == 1024 || way < 0 ? 0.9 : 0) * Figure.log2(number(cell, "model.layers", 2) / 2);
        return (way > 0 ? 0.4 : 1e-3) * Math.pow(architecture(cell) * Math.pow(2, exponent), way);
    }

    /** The factor of the architecture: identities and X X^T help, identities with their own rate more. */
    private static double architecture(Cell cell) {
        boolean ownRate = cell.settings().keySet().stream().anyMatch(key -> key.matches("optimizer.groups.*rate"))
                || number(cell, "model.attention.identity-multiplier", 0) >= 100;
        return has(cell, "model.kind", "mlp")
                ? has(cell, "model.incidence", "true") ? 1 : 2
                : has(cell, "model.attention.identities", "true") ? ownRate ? 0.02 : 0.3 : 1;
    }

    private static List<Measurement> measured(Cell cell, double loss, int right) {
        // Five seeds within some percent; the scatter differs between cells.
        int scatter = 1 + cell.axes().toString().chars().sum() % 5;
        double own = loss * Math.exp((cell.seed() - 3) * 0.01 * scatter);
        double rate = number(cell, "optimizer.learning-rate", 1e-3);
        return List.of(
                Measurement.exact("testLoss", own, "", 1),
                Measurement.exact("lastTestLoss", own, "", 1),
                Measurement.exact("validationLoss", rate == 1e-3 ? 0.01 * own : own, "", 1),
                Measurement.exact("lowestTrainLoss", 1e-3, "", 1),
                Measurement.share("testAccuracy", 100, right));
    }

    private static void assertOutcome(FigureClaim claim, Function<Cell, List<Measurement>> measured, Outcome expected) {
        assertThat(MadeUpCells.check(claim, measured, expected).figures())
                .extracting(picture -> picture.series().getLast().name())
                .allSatisfy(name -> assertThat(name).startsWith("without learning: "));
    }

    private static boolean isOneOf(FigureClaim claim, String... ends) {
        return Stream.of(ends).anyMatch(claim.id()::endsWith);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceHoldsAsThePaperSaysIt(FigureClaim claim) {
        assertOutcome(claim, cell -> measured(cell, loss(cell, 1), 99), Outcome.SUPPORTED);
    }

    /** The cells of the authors' model also support the sentences, some with a curve that the authors plotted. */
    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceOfTheAuthorsModelHoldsAsThePaperSaysIt(FigureClaim claim) {
        Finding finding = claim.judge(
                MadeUpCells.of(claim.grid(), Budget.MEDIUM, cell -> measured(cell, loss(cell, 1), 99)), SCALAR);
        assertSupported(finding);
        if (!finding.figures().isEmpty()) {
            assertThat(finding.figures().getFirst().series())
                    .as(claim.id())
                    .anyMatch(line -> line.name().startsWith("authors: "));
            assertThat(finding.measured())
                    .as(claim.id())
                    .anyMatch(each -> each.name().contains("; the authors' mean is "));
        }
    }

    /** The authors' figure 3 at n = 64: a narrow model copies, a wide one does not. */
    @Test
    void pointsOfTheAuthorsAreThoseOfTheirFigures() {
        var curves = AuthorsCurves.of(3, new TemplateAxis("model.width", "width", true));
        var curve = Objects.requireNonNull(curves.get("transformer"));
        assertThat(Objects.requireNonNull(curve.get(64.0)).mean()).isEqualTo(0.052);
        AuthorsCurves.Point wide = Objects.requireNonNull(curve.get(512.0));
        assertThat(wide.differs(new SeedMean(0.998, new Interval(0.99, 1), 3))).isFalse();
        assertThat(wide.differs(new SeedMean(0.5, new Interval(0.4, 0.6), 3))).isTrue();
    }

    @Test
    void aUsersLearningRatesKeepTheirNames() {
        assertThat(Stream.of(1e-3, 0.0015, 0.002, 0.0025).map(TemplateAxis.RATE::at))
                .containsExactly(
                        "learning rate = 1e-03",
                        "learning rate = 0.0015",
                        "learning rate = 2e-03",
                        "learning rate = 0.0025");
    }

    /** Except "universal", which only needs a loss below 1; models that learn nothing have a loss of about 1. */
    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceFailsTheOtherWayRound(FigureClaim claim) {
        assertOutcome(
                claim,
                cell -> measured(cell, loss(cell, -1), 50),
                isOneOf(claim, "universal") ? Outcome.SUPPORTED : Outcome.REFUTED);
    }

    /** Sentences that need no change, or just some learning, hold; sentences that need a certain value fail. */
    @ParameterizedTest
    @MethodSource("claims")
    void aComparisonOfWhatIsAlikeIsLeftOpen(FigureClaim claim) {
        assertOutcome(
                claim,
                cell -> measured(cell, 0.3, 70),
                isOneOf(claim, "figure-7.depth", "universal")
                        ? Outcome.SUPPORTED
                        : isOneOf(
                                        claim,
                                        "data",
                                        "observation-1.2",
                                        "regular-tokens",
                                        "figure-3.identity",
                                        "figure-3.identity.model-rate")
                                ? Outcome.REFUTED
                                : Outcome.INCONCLUSIVE);
    }

    @Test
    void aSmallEffectOfTheDepthIsARelationship() {
        for (FigureClaim claim : SymbolFigures.CLAIMS) {
            if (isOneOf(claim, "figure-7.depth")) {
                assertOutcome(
                        claim,
                        cell -> measured(cell, 0.3 * Math.pow(0.8, Figure.log2(number(cell, "model.layers", 2))), 70),
                        Outcome.REFUTED);
            }
        }
    }

    /** If no n suffices, a sentence about some n is refuted if the plain transformer has learned at the largest n. */
    @ParameterizedTest
    @CsvSource({"0.8, INCONCLUSIVE", "0.45, REFUTED"})
    void aLargerNumberOfSamplesMayDoWhileThePlainTransformerLearnsNothing(double plain, Outcome expected) {
        for (FigureClaim claim : SymbolFigures.CLAIMS) {
            if (isOneOf(claim, "figure-1.data", "observation-1.2")) {
                assertOutcome(claim, cell -> measured(cell, plain * (architecture(cell) < 1 ? 0.5 : 1), 70), expected);
            }
        }
    }

    /** Diverged runs have learned nothing. */
    @ParameterizedTest
    @MethodSource("claims")
    void runsThatDivergeDecideNothing(FigureClaim claim) {
        assertOutcome(claim, cell -> MadeUpCells.DIVERGED, Outcome.NOT_LEARNED);
    }
}
