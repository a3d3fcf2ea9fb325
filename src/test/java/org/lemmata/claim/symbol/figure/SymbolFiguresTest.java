package org.lemmata.claim.symbol.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;

/** Test losses made up to support, to refute and to leave open. */
class SymbolFiguresTest {

    static Stream<FigureClaim> claims() {
        return SymbolFigures.CLAIMS.stream();
    }

    private static double number(Cell cell, String setting, double otherwise) {
        String text = cell.settings().get(setting);
        return text == null ? otherwise : Double.parseDouble(text);
    }

    private static boolean has(Cell cell, String setting, String value) {
        return value.equals(cell.settings().get(setting));
    }

    /** What the axes of the figures do, as the paper says; as the opposite with {@code way} -1. */
    private static double loss(Cell cell, int way) {
        double n = number(cell, "data.train", 0);
        double rate = number(cell, "optimizer.learning-rate", 1e-3);
        double exponents = way
                * (-0.6 * log2(n / 512)
                        - 0.5 * log2(number(cell, "model.attention.heads", 16) / 16)
                        + 0.4 * log2(number(cell, "model.width", 128) / 128)
                        + (n == 512 ? 0.5 : 0.2) * log2(number(cell, "batch", 1024) / 512)
                        + Math.abs(Math.log10(rate) + 3)
                        + 0.3 * (number(cell, "task.settings.length", 5) - 5)
                        + 0.3 * (number(cell, "task.settings.wildcards", 2) - 2)
                        - 0.9 * number(cell, "task.settings.tokens", 0)
                        - (n == 1024 ? 0.5 : 0) * log2(number(cell, "model.layers", 2) / 2));
        return 0.1 * architecture(cell, way) * Math.pow(2, exponents);
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }

    /** Identities and X X^T help, those with a rate of their own more. */
    private static double architecture(Cell cell, int way) {
        boolean ownRate = cell.settings().keySet().stream().anyMatch(key -> key.matches("optimizer.groups.*rate"));
        double factor = has(cell, "model.kind", "mlp")
                ? has(cell, "model.incidence", "true") ? 1 : 2
                : has(cell, "model.attention.identities", "true") ? ownRate ? 0.02 : 0.3 : 1;
        return Math.pow(factor, way);
    }

    private static List<Measurement> measured(Cell cell, double loss) {
        // Five seeds a percent around it.
        double own = loss * (1 + (cell.seed() - 3) * 0.01);
        int right = (int) Math.round(100 * Math.clamp(1 - loss, 0, 1));
        return List.of(
                Measurement.exact("testLoss", own, "", 1),
                Measurement.exact("lastTestLoss", own, "", 1),
                Measurement.exact("validationLoss", own, "", 1),
                Measurement.exact("lowestTrainLoss", 1e-3, "", 1),
                Measurement.share("testAccuracy", 100, right));
    }

    private static Outcome outcome(FigureClaim claim, ToDoubleFunction<Cell> loss) throws IOException {
        Finding finding = MadeUpCells.judge(claim, cell -> measured(cell, loss.applyAsDouble(cell)));
        assertThat(finding.figures()).allSatisfy(picture -> assertThat(picture.series())
                .last()
                .satisfies(line -> assertThat(line.name()).startsWith("without learning: ")));
        return finding.verdict().outcome();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceHoldsAsThePaperSaysIt(FigureClaim claim) throws IOException {
        assertThat(outcome(claim, cell -> loss(cell, 1))).isEqualTo(Outcome.SUPPORTED);
    }
}
