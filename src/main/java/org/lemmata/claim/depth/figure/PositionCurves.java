package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.depth.figure.Ablations.Model;
import org.lemmata.track.CellRecord;

/** The curves of Richard (2024), figure 7: centroids of the sums of learned positions, and the closed form's sums. */
final class PositionCurves {

    private PositionCurves() {}

    /** The mean curve of each cluster; empty of a run that diverged. */
    static List<Series> centroids(CellRecord run) {
        var curves = new ArrayList<Series>();
        for (int cluster = 0; run.measurement("positions.size." + cluster).isPresent(); cluster++) {
            curves.add(centroid(run, cluster));
        }
        return curves;
    }

    private static Series centroid(CellRecord run, int cluster) {
        var sums = new ArrayList<Double>();
        String name = "positions.centre." + cluster + ".";
        for (int t = 0; run.measurement(name + t).isPresent(); t++) {
            sums.add(FigureCells.value(run, name + t, Double.NaN));
        }
        double size = FigureCells.value(run, "positions.size." + cluster, 0);
        return curve((int) size + (size == 1 ? " column" : " columns"), sums);
    }

    private static Series curve(String name, List<Double> sums) {
        return new Series(
                name,
                IntStream.rangeClosed(1, sums.size()).mapToObj(t -> (double) t).toList(),
                sums);
    }

    /** The centroids of a model, of the first seed, and the closed form's curve. */
    static Figure picture(Ablations models, Model model) {
        CellRecord run = models.runs(model, models.sizes().last()).getFirst();
        var series = new ArrayList<>(centroids(run));
        series.add(curve(
                "root mean square at initialization",
                IntStream.rangeClosed(1, run.integer("model.max-length"))
                        .mapToObj(t -> InitialWeights.positionSum(run, t))
                        .toList()));
        series.add(curve(
                "closed form of one word",
                DoubleStream.of(TrainingWordClosedForm.of(run).positionSums())
                        .boxed()
                        .toList()));
        return new Figure(
                "Sums of learned positions, " + model,
                "The mean curves of 8 clusters of columns, with how many columns each has; seed " + run.seed()
                        + ". The closed form of theorem 4.1 (gamma = -1/2), made from the first word that this model"
                        + " was trained on, has one column. Beside Richard (2024), figure 7.",
                "position",
                "sum of the position table",
                series);
    }
}
