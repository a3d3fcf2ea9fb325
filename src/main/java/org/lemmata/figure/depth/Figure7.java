package org.lemmata.figure.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.Judgement.Side;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.figure.depth.Ablations.Model;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 7: the sentences of appendix 5.3.4 about the sums of learned positions, for figure 6's models
 * on the largest training set. "Near" means within 1/2 of the origin, as in the theory, where tokens are 1 and -1.
 *
 * <p>At the reduced sizes, sums of positions end farther from the origin if V is the identity (root mean square 5.3)
 * and in the model of one layer (4.0) than if V is trained (0.8).
 */
final class Figure7 {

    /** "the cumulative sum of the constructed positional embeddings end within 1/2 of the origin". */
    private static final double NEAR = 0.5;

    private static final FigureSentences<Ablations> FIGURE =
            new FigureSentences<>("depth.figure-7", "figure 7, appendix 5.3.4", Figure6.GRID, """
                all columns of the position table of each run; 5 seeds
                | d = 1024, 10,000 steps, 4^12 words
                | d = 64, 2,000 steps at a greater rate (1e-3), 4^7 words; with V fixed and of one layer 20,000 steps
                at 1e-2
                """, Ablations::of);

    static final FigureClaim AWAY = FIGURE.claim(
            "away",
            """
            in the model where V is learned ..., cumulative sums ... do not all end near the origin. Centroid curves
            display this
            | Take the model of several layers with V trained, uniform attention and embeddings ±1. Group the columns of
            the position table by k-means on their cumulative sums over positions, with k = 8. In every seed, at least
            one of the 8 centroid curves ends farther than 1/2 from the origin.
            """,
            (models, judgement) -> centroids(
                    models,
                    judgement,
                    Model.SIGNS,
                    "some centroid ends farther than 1/2",
                    farthest -> farthest > NEAR));

    static final FigureClaim IDENTITY = FIGURE.claim(
            "identity", """
            When V is fixed to identity, ... seem to remain closer to the origin, especially at the end
            | Take two models of several layers with uniform attention (Q = 0) and embeddings ±1: one with V trained,
            and one with V fixed to the identity and no projection or feed-forward part. Take the cumulative sums over
            positions of their position tables, and divide the root mean square of the last sums by that of all sums.
            This ratio is significantly smaller with V fixed: relative to all sums, the last ones are nearer to the
            origin.
            """, (models, judgement) -> nearer(models, judgement, Model.IDENTITY, Model.SIGNS));

    static final FigureClaim SINGLE = FIGURE.claim(
            "single", """
            This behavior is even more pronounced in the 1 model (bottom figure)
            | Take two models with uniform attention (Q = 0), embeddings ±1 and no projection or feed-forward part:
            one of one layer with V trained, and one of several layers with V fixed to the identity. Take the
            cumulative sums over positions of their position tables, and divide the root mean square of the last
            sums by that of all sums. This ratio is significantly smaller with one layer, and also smaller than in a
            model of several layers with V trained: relative to all sums, the last ones are nearer to the origin.
            """, (models, judgement) -> nearer(models, judgement, Model.SINGLE, Model.IDENTITY, Model.SIGNS));

    static final FigureClaim THEORY = FIGURE.claim(
            "theory",
            """
            the constructed positional embeddings end within 1/2 of the origin. This ... of the trained model matches
            our ... finding
            | Take the model of one layer with V trained, uniform attention (Q = 0) and embeddings ±1. Group the
            columns of the position table by k-means on their cumulative sums over positions, with k = 8. In every
            seed, all 8 centroid curves end within 1/2 of the origin.
            """,
            (models, judgement) -> centroids(
                    models, judgement, Model.SINGLE, "all centroids end within 1/2", farthest -> farthest <= NEAR));

    static final List<FigureClaim> CLAIMS = List.of(AWAY, IDENTITY, SINGLE, THEORY);

    /** The root mean square of the sums' ends divided by the root mean square of all sums; the mean over seeds. */
    private static Measurement ends(Ablations models, Model model) {
        double[] ends = models.runs(model, models.sizes().last()).stream()
                .mapToDouble(run -> value(run, "endSpread") / value(run, "spread"))
                .filter(Double::isFinite)
                .toArray();
        String name = "end over spread, " + model;
        return ends.length < 2
                ? new Measurement(name, Double.NaN, "", new Interval(0, Double.POSITIVE_INFINITY), ends.length, null)
                : Measurement.middle(name, "", Interval.mean(ends), ends.length, null);
    }

    private static String text(Model model, Measurement ends) {
        return Judgement.text(model.toString(), "%.3f", ends.value(), ends.interval());
    }

    /** Requires that models have learned to complete prefixes, and that their sums of positions exceed initial sums. */
    private static void learned(Ablations models, Judgement judgement, Model... compared) {
        models.learned(judgement, compared);
        for (Model model : compared) {
            List<CellRecord> runs = models.runs(model, models.sizes().last());
            CellRecord run = runs.getFirst();
            int positions = run.integer("model.max-length");
            double[] spreads =
                    runs.stream().mapToDouble(each -> value(each, "spread")).toArray();
            judgement.learned(
                    Measurement.middle(
                            "root mean square of the sums, " + model,
                            "weights",
                            Interval.mean(spreads),
                            spreads.length,
                            null),
                    Side.ABOVE,
                    List.of(new TrivialAnswer(
                            "sums at initialization", ClosedFormCompletions.positionSpread(run, positions))));
            judgement.named(new TrivialAnswer(
                    "end over spread at initialization",
                    ClosedFormCompletions.positionSum(run, positions)
                            / ClosedFormCompletions.positionSpread(run, positions)));
        }
    }

    private static double value(CellRecord run, String name) {
        return FigureCells.value(run, "positions." + name, Double.NaN);
    }

    private static void nearer(Ablations models, Judgement judgement, Model nearer, Model... farther) {
        int most = models.sizes().last();
        Model[] all = Stream.concat(Stream.of(nearer), Arrays.stream(farther)).toArray(Model[]::new);
        learned(models, judgement, all);
        Measurement near = ends(models, nearer);
        for (Model model : farther) {
            Measurement far = ends(models, model);
            judgement.below(text(nearer, near), near.interval(), text(model, far), far.interval());
        }
        // The ratio does not show how far the ends are from the origin.
        for (Model model : all) {
            judgement.measure(ends(models, model));
            judgement.measureMean(
                    "end, root mean square, " + model, models.runs(model, most), run -> value(run, "endSpread"));
        }
        judgement.show(picture(models, nearer));
    }

    /** Requires, in every seed, a condition on the distance from the origin to the farthest end of a centroid. */
    private static void centroids(
            Ablations models, Judgement judgement, Model model, String what, DoublePredicate condition) {
        List<CellRecord> runs = models.runs(model, models.sizes().last());
        learned(models, judgement, model);
        judgement.measureMean("end of the farthest centroid, " + model, runs, Figure7::farthestEnd);
        judgement.each(
                what, runs.stream().map(run -> condition.test(farthestEnd(run))).toList());
        // Another claim shows the plot of the model of one layer.
        if (model != Model.SINGLE) {
            judgement.show(picture(models, model));
        }
    }

    /** The distance from the origin to the farthest end of a centroid; NaN for a run that diverged. */
    private static double farthestEnd(CellRecord run) {
        return centroids(run).stream()
                .mapToDouble(curve -> Math.abs(curve.y().getLast()))
                .max()
                .orElse(Double.NaN);
    }

    /** The mean curve of each cluster; empty for a run that diverged. */
    static List<Series> centroids(CellRecord run) {
        var curves = new ArrayList<Series>();
        for (int cluster = 0; run.measurement("positions.size." + cluster).isPresent(); cluster++) {
            curves.add(centroid(run, cluster));
        }
        return curves;
    }

    private static Series centroid(CellRecord run, int cluster) {
        double size = FigureCells.value(run, "positions.size." + cluster, 0);
        return curve(
                (int) size + (size == 1 ? " column" : " columns"),
                Figure5.values(run, "positions.centre." + cluster + "."));
    }

    private static Series curve(String name, List<Double> sums) {
        List<Integer> t = IntStream.rangeClosed(1, sums.size()).boxed().toList();
        return Series.of(name, t, i -> i, i -> sums.get(i - 1));
    }

    /** A plot of a model's centroids for the first seed, and of the closed form's curve. */
    static Figure picture(Ablations models, Model model) {
        CellRecord run = models.runs(model, models.sizes().last()).getFirst();
        var series = new ArrayList<>(centroids(run));
        series.add(curve(
                "root mean square at initialization",
                IntStream.rangeClosed(1, run.integer("model.max-length"))
                        .mapToObj(t -> ClosedFormCompletions.positionSum(run, t))
                        .toList()));
        series.add(curve(
                "closed form of one word",
                DoubleStream.of(ClosedFormCompletions.positionSums(run)).boxed().toList()));
        return new Figure(
                "Sums of learned positions, " + model,
                "The mean curves of 8 clusters of columns, with how many columns each has; seed " + run.seed()
                        + ". The closed form of theorem 4.1 (gamma = -1/2), made from the first word that this"
                        + " model was trained on, has one column. Compare Richard (2024), figure 7.",
                "position",
                "sum of the position table",
                series);
    }
}
