package org.lemmata.figure.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.figure.length.LengthRecords.judge;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.construct.length.PiecewiseLinearSine;

/** The pictures of figures 1 to 3, drawn from made-up records, with closed forms and bounds. */
class LengthPicturesTest {

    private static List<Series> picture(FigureClaim claim) {
        return judge(claim, LengthRecords::asThePaperSays, LengthRecords::weightAsThePaperSays, 0.05)
                .figures()
                .getFirst()
                .series();
    }

    private static List<String> names(List<Series> series) {
        return series.stream().map(Series::name).toList();
    }

    @Test
    void minLengthsAreDrawnBesideTheirLawAndTheBounds() {
        List<Series> byOmega = picture(SimpleTaskFigure.RIGHT);
        assertThat(names(byOmega))
                .containsExactly(
                        "measured",
                        "fitted: N = 2.00 omega^1.00",
                        "fitted: N = 0.00 + 2.00 omega",
                        "theorem 4.1 as printed, L = omega: omega^2.00",
                        "theorem 4.1 as printed, L of the closed form: omega^3.68",
                        "theorem 4.1 corrected: omega^3.29");
        // At omega = 1, the loss is 1e-2 at the shortest training length, and lower at all others.
        List<Double> omegas = IntStream.rangeClosed(1, 8)
                .mapToObj(omega -> Figure.log2(omega))
                .toList();
        assertThat(byOmega.getFirst().x()).isEqualTo(omegas.subList(1, 8));
        assertThat(byOmega.get(1).x()).isEqualTo(omegas);
        assertThat(byOmega.getFirst().y().getLast()).isCloseTo(4, within(0.002));
        assertThat(byOmega.get(1).y().getLast()).isCloseTo(4, within(0.002));
        for (FigureClaim claim : List.of(ModPTaskFigure.LINEAR, ModPTaskFigure.LINEAR_IN_WHOLE_PERIODS)) {
            List<Series> byDelta = picture(claim);
            // The geometric middle of the losses that every curve crosses, 0.04 / 2² to 0.04 / 6², is 0.04 / 12.
            assertThat(names(byDelta))
                    .containsExactly(
                            "measured",
                            "fitted: N = 3.46 Delta^1.00",
                            "theorem 4.1 as printed, L = 1: Delta^1.00",
                            "theorem 4.1 corrected: Delta^2.00");
            for (int period = 2; period <= 10; period++) {
                double log = Math.log(Math.sqrt(12) * period) / Math.log(2);
                assertThat(byDelta.getFirst().y().get(period - 2)).isCloseTo(log, within(1e-9));
                assertThat(byDelta.get(1).y().get(period - 2)).isCloseTo(log, within(1e-9));
            }
        }
    }

    @Test
    void boundsHaveTheConstantsOfTheClosedForms() {
        TheoremBound simple = TheoremBound.simpleTask(1e-2);
        assertThat(simple.printed(8)).isEqualTo(6_400);
        // L = 1 + |A|_F |B|_F, with 1 for the residual; e = 0.1 / (4 L), C = 1 + 3/4.
        double l = 1 + new PiecewiseLinearSine(8, 256, 53).frobeniusProduct();
        double e = 0.1 / (4 * l);
        assertThat((double) simple.of(8).corrected())
                .isCloseTo(Math.ceil((1 + 2 * e) * 1.75 / (e * e)) + 1, within(1.0));
        assertThat(simple.caption(List.of(1.0, 8.0)))
                .contains(
                        "delta = 0", "epsilon² = 0.010", "p = 24 bits", "gamma = 24.0", "tau = 0", "Delta = 1", "L =");
        TheoremBound periodic = TheoremBound.modPTask(1e-2);
        assertThat(periodic.printed(3)).isEqualTo(300);
        // e = 0.1 / 4, C = 2 + 1: 2 ceil(1.05 * 3 / e²) + 2.
        assertThat(periodic.of(2).corrected()).isEqualTo(10_082);
        assertThat(periodic.caption(List.of(2.0, 8.0)))
                .contains("Delta as drawn", "L = |u| (1 + |A|_F |B|_F) max |v| = 1.0.");
    }

    @Test
    void theClosedFormIsDrawnBesideTheModels() {
        for (FigureClaim claim : List.of(SimpleTaskFigure.LEFT, SimpleTaskFigure.MIDDLE)) {
            Series closedForm = picture(claim).getLast();
            assertThat(closedForm.name()).isEqualTo("closed form, omega = 8");
            // The error of chords is a parabola up to (omega h)² / 8, times |sin|; the mean squares are 8/15 and 1/2.
            double maximum = Math.pow(8 * 2.0 / 255, 2) / 8;
            assertThat(closedForm.y().getLast())
                    .isCloseTo(Math.log10(maximum * maximum * 8 / 15 / 2), within(Math.log10(1.5)));
        }
        assertThat(names(picture(Figure3.ON)))
                .containsExactly(
                        "positions k mod p",
                        "other positions",
                        "without learning: uniform attention",
                        "closed form, positions k mod p: 1/16",
                        "closed form, other positions: 0");
        for (FigureClaim claim : List.of(ModPTaskFigure.OVERLAP, ModPTaskFigure.OVERLAP_OF_WHOLE_PERIODS)) {
            assertThat(picture(claim)).extracting(line -> line.x().getFirst()).containsOnly(1.0);
        }
    }
}
