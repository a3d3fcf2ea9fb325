package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Form;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.Sizes;
import org.lemmata.figure.length.Fit.Jackknife;
import org.lemmata.figure.length.Fit.LossPlane;
import org.lemmata.figure.length.Fit.PowerLaw;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;

/**
 * Izzo, Nichani and Lee (2025), figure 2: the sentences of its caption about ModPTask. Losses are squared errors, as
 * geometric means over seeds. "Significantly" refers to 95% intervals.
 *
 * <p>The loss depends on the position within a period at which a sequence ends. Sentences about several Delta are
 * therefore judged twice: at test lengths chosen without regard to Delta, and (as a correction) at test lengths that
 * are whole periods of every Delta. With N = 2 Delta and k = 0, training sequences with incomplete periods have one
 * position k mod p, so f* is 0 or 1. At long test lengths with incomplete periods, the loss of these models is then
 * tens of times their loss at whole periods. Test lengths 80, 320, ... are whole periods of 2, 4, 5, 8 and 10; the
 * curves of 3, 6, 7 and 9 are therefore far above the others. These effects do not depend on batch size or steps.
 *
 * <p>With whole periods, the number of attended positions has the same distribution for each Delta at equal N / Delta:
 * uniform from one to N / Delta. One difference remains: only 1 / Delta of the training lengths are whole periods, so
 * after equal numbers of steps the loss of a greater Delta should be slightly higher. The effect on c is too small to
 * leave its range. But with 8 seeds, 95% intervals extend by factors of 1.3 to 2.1 around the loss, too wide to
 * distinguish ratios of 1 and 2.
 */
final class ModPTaskFigure {

    /** Our reading of "approximately": the paper gives no number. */
    private static final double NEAR = 2;

    /** The period in the paper's text; its losses are plotted by test length. */
    static final int SHOWN = 5;

    /** The grid. Figure 3 also uses its cells. */
    static final FigureGrid GRID = new FigureGrid("length.figure-2", ModPTaskFigure.class, "figure-2.yaml");

    private static final LossPanels PANELS = new LossPanels(
            "ModPTask",
            2,
            "The closed form averages the positions k mod p exactly: its loss is 0 but for rounding, which a logarithm"
                    + " does not show.",
            LossCurves::modPTask);

    private static final String RIGHT = "figure 2 (right), section 5";

    private static final FigureSentences<LossCurves> FIGURE =
            sentences(Form.AS_STATED, ", test lengths 80, 320, 1,280 and 5,120", ", test lengths 80, 320 and 1,280");

    private static final FigureSentences<LossCurves> IN_WHOLE_PERIODS =
            sentences(Form.CORRECTED, ", test lengths 2,520 and 5,040", ", test lengths 2,520 and 5,040");

    static final FigureClaim LEFT = PANELS.left(FIGURE, "period", curves -> PANELS.byTestLength(curves, SHOWN));

    static final FigureClaim MIDDLE = PANELS.middle(FIGURE, "period", PANELS::byTrainingLength);

    static final FigureClaim OVERLAP = FIGURE.at(RIGHT).claim("right.overlap", """
        We observe that the different curves approximately overlap
        | On ModPTask, compare models at equal N / Delta (training length over period). Their losses at the largest test
        length differ, for any two Delta, by significantly less than a factor of 2 (our threshold).
        """, ModPTaskFigure::overlap);

    static final FigureClaim LINEAR = FIGURE.at(RIGHT).claim("right.linear", """
        implying that the training length needed for the limiting test loss to reach ... scales linearly
        | On ModPTask, the training length N for a fixed loss at the largest test length grows as Delta^c, with c
        significantly between 1/sqrt(2) and sqrt(2) (our thresholds). Here c = 1 - y / x, where ln loss = u + x ln(N /
        Delta) + y ln Delta is fitted by least squares.
        """, ModPTaskFigure::linear);

    static final FigureClaim OVERLAP_OF_WHOLE_PERIODS =
            IN_WHOLE_PERIODS.at(RIGHT).claim("right.overlap.whole-periods", """
                We observe that the different curves approximately overlap
                | Let all test lengths be multiples of every period Delta of ModPTask, and compare models at equal N /
                Delta (training length over period). Their losses at the largest test length differ, for any two Delta,
                by significantly less than a factor of 2 (our threshold).
                """, ModPTaskFigure::overlap);

    static final FigureClaim LINEAR_IN_WHOLE_PERIODS =
            IN_WHOLE_PERIODS.at(RIGHT).claim("right.linear.whole-periods", """
                implying that the training length needed for the limiting test loss to reach ... scales linearly
                | Let all test lengths be multiples of every period Delta of ModPTask. The training length N for a fixed
                loss at the largest test length grows as Delta^c, with c significantly between 1/sqrt(2) and sqrt(2)
                (our thresholds). The fit is that of length.figure-2.right.linear.
                """, ModPTaskFigure::linear);

    static final List<FigureClaim> CLAIMS =
            List.of(LEFT, MIDDLE, OVERLAP, LINEAR, OVERLAP_OF_WHOLE_PERIODS, LINEAR_IN_WHOLE_PERIODS);

    private static FigureSentences<LossCurves> sentences(Form form, String paper, String reduced) {
        Sizes sizes = trained();
        return new FigureSentences<>(
                GRID.id(),
                new Source(Paper.LENGTH, "figure 2, section 5"),
                form,
                GRID,
                new Sizes(sizes.tested(), sizes.paper() + paper, sizes.reduced() + reduced),
                cells -> curves(cells, form == Form.CORRECTED));
    }

    /** The sizes of models and training; figure 3 also uses them. */
    static Sizes trained() {
        return new Sizes("""
            one layer of width 16 on ModPTask, k = 0, 8 seeds
            | batches of 1,024 to a training loss of 1e-5, 10,000 steps at most; p from 2 to 10, training lengths
            of 2 to 8 periods
            | batches of 128, 4,000 steps at most at a falling rate; p from 2 to 10, training lengths of 2, 4 and 6
            periods
            """);
    }

    /** The losses at test lengths that are multiples of every period, or at the other test lengths. */
    private static LossCurves curves(FigureCells cells, boolean wholePeriods) {
        LossCurves all = LossCurves.of(cells, "task.settings.period", "p");
        return all.at(length -> all.parameters().stream().allMatch(period -> length % period == 0) == wholePeriods);
    }

    private static SortedMap<Integer, List<Integer>> periodsByRatio(LossCurves curves) {
        var periods = new TreeMap<Integer, List<Integer>>();
        for (double parameter : curves.parameters()) {
            int period = (int) parameter;
            for (int length : curves.lengths(period)) {
                if (length % period == 0) {
                    periods.computeIfAbsent(length / period, ratio -> new ArrayList<>())
                            .add(period);
                }
            }
        }
        return periods;
    }

    private static void overlap(LossCurves curves, Judgement judgement) {
        PANELS.learned(curves, judgement);
        for (Map.Entry<Integer, List<Integer>> entry : periodsByRatio(curves).entrySet()) {
            int ratio = entry.getKey();
            List<Integer> periods = entry.getValue();
            for (int i = 0; i < periods.size(); i++) {
                int p = periods.get(i);
                SeedMean loss = curves.limit(p, p * ratio);
                judgement.measure(loss.measured("plateau, " + curves.name(p, p * ratio), "squared error"));
                for (int q : periods.subList(0, i)) {
                    SeedMean other = curves.limit(q, q * ratio);
                    double low = loss.interval().low() / other.interval().high();
                    double high = loss.interval().high() / other.interval().low();
                    judgement.within(
                            String.format(
                                    Locale.ROOT,
                                    "N = %d Delta: p = %d over p = %d %.3g [%.3g, %.3g] within a factor of %.0f",
                                    ratio,
                                    p,
                                    q,
                                    loss.value() / other.value(),
                                    low,
                                    high,
                                    NEAR),
                            new Interval(low, high),
                            1 / NEAR,
                            NEAR);
                }
            }
        }
        judgement.show(PANELS.plateaus(curves, true, "right"));
    }

    private static void linear(LossCurves curves, Judgement judgement) {
        PANELS.learned(curves, judgement);
        MinLengths lengths = MinLengths.whereAllCross(curves);
        Jackknife exponent = LossPlane.exponent(curves);
        lengths.measured().forEach(judgement::measure);
        PowerLaw.isLinear("c of N = a Delta^c", exponent, judgement);
        judgement.show(PANELS.minLengths(
                lengths,
                LossPlane.of(curves, Jackknife.all(curves.seeds())).length(lengths.bound()),
                exponent,
                "The loss is the middle, in logarithms, of those that all curves cross. Fitted to all plateaus, N = a"
                        + " Delta^c,",
                TheoremBound.modPTask(lengths.bound())));
    }
}
