package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.Judgement.Side;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.statistic.Welch;

/**
 * Izzo, Nichani and Lee (2025), figure 3: the sentences of section 5 about attention weights on sequences of 80 tokens,
 * for ModPTask with p = 5. "Given sufficient training length" is read as the models with the largest training length.
 *
 * <p>Of the eight runs with training length 40 at the paper's size, five have mean weights on positions k mod p of
 * 0.060 to 0.061, and three of 0.043 to 0.045. The latter three also attend to other positions, although all eight
 * reached the training loss of 1e-5. In seven runs, the standard deviation is above a tenth of 1/16.
 */
final class Figure3 {

    /** The weight if 80 / 5 positions share the attention equally. */
    private static final double UNIFORM = 1.0 / 16;

    /** Our reading of "nearly" and "near zero" as a tenth of 1/16; the paper gives no numbers. */
    private static final double NEAR = 0.1;

    /** The attention weights of the last of 80 positions before training, if scores are negligible. */
    private static final TrivialAnswer UNTRAINED = new TrivialAnswer("uniform attention", 1.0 / 80);

    private static final String HEAD = "attention.0.0";

    private static final FigureSentences<Weights> FIGURE = new FigureSentences<>(
            "length.figure-3",
            new Source(Paper.LENGTH, "figure 3, section 5"),
            ModPTaskFigure.GRID,
            new Sizes(
                    "attention of the last position of sequences of 80, p = 5; "
                            + ModPTaskFigure.trained().tested(),
                    ModPTaskFigure.trained().paper(),
                    ModPTaskFigure.trained().reduced()),
            Figure3::weights);

    static final FigureClaim ON = FIGURE.claim("on", """
        those in positions equal to k mod p receive ... 1/16
        | Take ModPTask with period p = 5, the longest training length, and test sequences of 80 tokens. The mean
        attention weight from the last token to the 16 positions t = k (mod p) differs from 1/16, the weight that
        hardmax gives each of them, by significantly less than a tenth of 1/16 (our threshold).
        """, (weights, judgement) -> {
        weights.learned(judgement);
        Interval mean = weights.of(".relevant", 0);
        judgement.measure(weights.measured("mean weight on k mod p", mean, new Reference(Relation.ABOUT, UNIFORM)));
        judgement.within(
                text("mean on k mod p", mean) + " within a tenth of 1/16",
                mean,
                (1 - NEAR) * UNIFORM,
                (1 + NEAR) * UNIFORM);
        judgement.show(picture(weights.curves()));
    });

    static final FigureClaim SAME = FIGURE.claim("same", """
        nearly the same attention probability
        | Take ModPTask with period p = 5, the longest training length, and test sequences of 80 tokens. The attention
        weights from the last token to the 16 positions t = k (mod p) have a standard deviation significantly below a
        tenth of 1/16 (our threshold). Hardmax gives each of them 1/16.
        """, (weights, judgement) -> {
        weights.learned(judgement);
        weights.small(".relevantDeviation", "standard deviation", "deviation", "k mod p", judgement);
    });

    static final FigureClaim OFF = FIGURE.claim("off", """
        The positions not equal to k mod p receive near zero attention probabilities
        | Take ModPTask with period p = 5, the longest training length, and test sequences of 80 tokens. The attention
        weights from the last token to positions other than t = k (mod p) have a mean and a standard deviation
        significantly below a tenth of 1/16 (our threshold). Hardmax gives these positions 0, and each of the 16 others
        1/16.
        """, (weights, judgement) -> {
        weights.learned(judgement);
        weights.small(".others", "mean", "mean", "other positions", judgement);
        weights.small(".othersDeviation", "standard deviation", "standard deviation", "other positions", judgement);
    });

    static final FigureClaim SHORTER = FIGURE.claim("shorter", """
        "the models are indeed operating in the hardmax regime, given sufficient training length": of the smaller
        training lengths that the figure shows.
        | Take ModPTask with period p = 5 and test sequences of 80 tokens. The mean attention weight from the last token
        to positions other than t = k (mod p) falls with the training length. At the shortest training length it is
        significantly higher than at the longest. At no training length is it significantly higher than at the next
        shorter one.
        """, (weights, judgement) -> {
        weights.learned(judgement);
        List<Weights> all = weights.curves().lengths(ModPTaskFigure.SHOWN).stream()
                .map(length -> new Weights(weights.curves(), length))
                .toList();
        for (int i = 0; i < all.size(); i++) {
            Interval others = all.get(i).of(".others", 1);
            judgement.measure(all.get(i).measured("mean weight on other positions", others, null));
            if (i > 0) {
                Interval before = all.get(i - 1).of(".others", 1);
                boolean rises = Welch.isBelow(before, others);
                judgement.add(
                        text(all.get(i).at(), others) + " not above "
                                + text(all.get(i - 1).at(), before),
                        !rises,
                        rises);
            }
        }
        Interval longest = weights.of(".others", 1);
        Interval shortest = all.getFirst().of(".others", 1);
        judgement.below(
                text(weights.at(), longest), longest, text(all.getFirst().at(), shortest), shortest);
    });

    static final List<FigureClaim> CLAIMS = List.of(ON, SAME, OFF, SHORTER);

    private static Weights weights(FigureCells cells) {
        LossCurves curves = LossCurves.of(cells, "task.settings.period", "p");
        return new Weights(curves, curves.lengths(ModPTaskFigure.SHOWN).getLast());
    }

    /** Attention weights for one training length: arithmetic means over seeds with Student's 95% interval. */
    record Weights(LossCurves curves, int length) {

        private double[] values(String name, double lost) {
            return curves.runs(ModPTaskFigure.SHOWN, length).stream()
                    .mapToDouble(run -> FigureCells.value(run, HEAD + name, lost))
                    .toArray();
        }

        Interval of(String name, double lost) {
            return Interval.mean(values(name, lost));
        }

        /** The mean for a kind of positions, plus {@code deviations} standard deviations. */
        double beside(String kind, int deviations) {
            return mean("." + kind) + deviations * mean("." + kind + "Deviation");
        }

        private double mean(String name) {
            return Arrays.stream(values(name, 0)).average().orElseThrow();
        }

        /** Requires that positions k mod p receive more attention than under uniform attention. */
        void learned(Judgement judgement) {
            judgement.learned(
                    measured("mean weight on k mod p", of(".relevant", 0), null), Side.ABOVE, List.of(UNTRAINED));
        }

        String at() {
            return "N = " + length;
        }

        /** Requires that a value is at most a tenth of 1/16; the value of a diverged run counts as 1. */
        void small(String name, String figure, String brief, String place, Judgement judgement) {
            Interval value = of(name, 1);
            judgement.measure(measured(
                    figure + " of weights on " + place, value, new Reference(Relation.AT_MOST, NEAR * UNIFORM)));
            judgement.add(
                    text(brief + " on " + (place.startsWith("other") ? "others" : place), value)
                            + " at most a tenth of 1/16",
                    value.high() <= NEAR * UNIFORM,
                    value.low() > NEAR * UNIFORM);
        }

        Measurement measured(String name, Interval interval, @Nullable Reference reference) {
            return Measurement.middle(
                    name + ", N = " + length,
                    "weight",
                    interval,
                    curves.runs(ModPTaskFigure.SHOWN, length).size(),
                    reference);
        }
    }

    private static String text(String name, Interval interval) {
        return Judgement.text(name, "%.4f", interval.middle(), interval);
    }

    /** The paper's plot of means over the training length, with bands of one standard deviation of the weights. */
    private static Figure picture(LossCurves curves) {
        List<Integer> lengths = curves.lengths(ModPTaskFigure.SHOWN);
        var series = new ArrayList<Series>();
        for (String kind : List.of("relevant", "others")) {
            series.add(Series.of(
                    kind.equals("relevant") ? "positions k mod p" : "other positions",
                    lengths,
                    length -> length,
                    length -> new Weights(curves, length).beside(kind, 0),
                    length -> new Interval(
                            new Weights(curves, length).beside(kind, -1),
                            new Weights(curves, length).beside(kind, 1))));
        }
        int first = lengths.getFirst();
        int last = lengths.getLast();
        series.add(UNTRAINED.line(first, last));
        series.add(Series.level("closed form, positions k mod p: 1/16", first, last, UNIFORM));
        series.add(Series.level("closed form, other positions: 0", first, last, 0));
        return new Figure(
                "ModPTask: attention weights on and off the positions k mod p",
                "Of sequences of 80, p = 5, from the last position: means over sequences and seeds, and a standard"
                        + " deviation of the weights to each side. Compare Izzo, Nichani and Lee (2025), figure 3.",
                "training length N",
                "attention weight",
                series);
    }
}
