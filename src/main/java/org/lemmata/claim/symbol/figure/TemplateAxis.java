package org.lemmata.claim.symbol.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.TrivialAnswer;

/**
 * What a figure varies.
 *
 * @param setting its key
 * @param name in words
 * @param doubling whether it goes by doublings, not by ones
 */
record TemplateAxis(String setting, String name, boolean doubling) {

    static final TemplateAxis SAMPLES = new TemplateAxis("data.train", "n", true);
    static final TemplateAxis RATE = new TemplateAxis("optimizer.learning-rate", "learning rate", true);

    double scaled(double value) {
        return doubling ? Figure.log2(value) : value;
    }

    /** What ids of sentences on it end with. */
    String part() {
        return name.replace(' ', '-');
    }

    /** Of one more, or of twice as much. */
    String step() {
        return (doubling ? "a doubling of " : "one more of ") + (name.length() == 1 ? "" : "the ") + name;
    }

    /** A value as text. */
    String at(double value) {
        return name + " = "
                + (value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.0e", value));
    }

    /** The runs at each value, at its best rate among those that all values have. */
    SortedMap<Double, TemplateRuns> points(TemplateRuns runs) {
        SortedMap<Double, TemplateRuns> points = runs.by(this);
        if (!setting.equals(RATE.setting)) {
            Set<Double> shared = new TreeSet<>(runs.by(RATE).keySet());
            points.values().forEach(some -> shared.retainAll(some.by(RATE).keySet()));
            points.replaceAll((value, some) -> some.atBestRate(shared));
        }
        return points;
    }

    /**
     * The factor by which a step multiplies the test loss, of each seed: exp of the slope of the straight line of least
     * squares through the logarithms of its losses.
     */
    double[] growth(TemplateRuns runs) {
        SortedMap<Double, TemplateRuns> points = points(runs);
        double mean =
                points.keySet().stream().mapToDouble(this::scaled).average().orElseThrow();
        double squares = points.keySet().stream()
                .mapToDouble(value -> Math.pow(scaled(value) - mean, 2))
                .sum();
        double[] factors = new double[runs.seeds()];
        Arrays.fill(factors, 1);
        points.forEach((value, some) -> {
            double[] losses = some.losses();
            for (int seed = 0; seed < factors.length; seed++) {
                factors[seed] *= Math.pow(losses[seed], (scaled(value) - mean) / squares);
            }
        });
        return factors;
    }

    /** Measures the losses, and asks that those that are best by validation were learned. */
    void learned(TemplateRuns runs, String where, Judgement judgement) {
        SortedMap<Double, TemplateRuns> points = points(runs);
        points.forEach((value, some) -> some.measure(at(value) + where, judgement));
        Map.Entry<Double, TemplateRuns> best = points.entrySet().stream()
                .min(Comparator.comparingDouble(point -> point.getValue().validation()))
                .orElseThrow();
        best.getValue().learned(at(best.getKey()) + where, judgement);
    }

    /** Measures the factor of a step, and asks something of it. */
    void ask(TemplateRuns runs, String where, TemplateTrend.Check check, Judgement judgement) {
        ask(SeedMean.of(growth(runs)), "factor of the test loss by " + step() + where, check, judgement);
    }

    /** Measures a factor, and asks something of it. */
    static void ask(SeedMean factor, String name, TemplateTrend.Check check, Judgement judgement) {
        judgement.measure(factor.measured(name, ""));
        check.of(factor, factor.text(name), judgement);
    }

    /** It is significantly less than 1. */
    static void isBelowOne(SeedMean factor, String text, Judgement judgement) {
        judgement.add(
                text + " < 1", factor.interval().high() < 1, factor.interval().low() > 1);
    }

    /** It is significantly more than 1. */
    static void isAboveOne(SeedMean factor, String text, Judgement judgement) {
        judgement.add(
                text + " > 1", factor.interval().low() > 1, factor.interval().high() < 1);
    }

    /** Shows our lines beside the authors' of a figure. */
    void show(Judgement judgement, String title, int figure, SortedMap<String, TemplateRuns> lines) {
        show(judgement, title, figure, AuthorsCurves.of(figure, this), lines);
    }

    /**
     * Shows what the authors plot by this, a line for each name, beside the authors' own lines, and measures ours at
     * the points that both have.
     *
     * @param figure the paper's
     * @param authors their lines, by x; those of names that ours lack are removed
     */
    void show(
            Judgement judgement,
            String title,
            int figure,
            SortedMap<String, NavigableMap<Double, AuthorsCurves.Point>> authors,
            SortedMap<String, TemplateRuns> lines) {
        TemplateRuns.Answer answer = lines.firstEntry().getValue().answer();
        authors.keySet().retainAll(lines.keySet());
        int shared = 0;
        int apart = 0;
        var ours = new ArrayList<Series>();
        for (Map.Entry<String, TemplateRuns> line : lines.entrySet()) {
            SortedMap<Double, TemplateRuns> points = points(line.getValue());
            ours.add(Series.of(
                    line.getKey(),
                    points.entrySet(),
                    point -> scaled(point.getKey()),
                    point -> point.getValue().plotted().value(),
                    point -> point.getValue().plotted().interval()));
            for (var theirs :
                    authors.getOrDefault(line.getKey(), new TreeMap<>()).entrySet()) {
                TemplateRuns here = points.get(theirs.getKey());
                if (here != null && here.seeds() > 1) {
                    SeedMean mean = here.plotted();
                    String name = answer.plotted() + ", " + line.getKey() + ", " + at(theirs.getKey());
                    judgement.measure(mean.measured(name + theirs.getValue().beside(mean), ""));
                    shared++;
                    apart += theirs.getValue().differs(mean) ? 1 : 0;
                }
            }
        }
        List<Double> x =
                ours.stream().flatMap(line -> line.x().stream()).sorted().toList();
        TrivialAnswer trivial = lines.firstEntry().getValue().plottedTrivial();
        String points = shared == 0 ? "" : " Of the " + shared + " points that both have, " + apart + " are apart.";
        judgement.show(new Figure(
                title,
                "Measured on symbols that are neither of training nor of validation, after the epoch that is best by"
                        + " validation; means over seeds with 95% intervals. Boix-Adsera et al. (2024), figure "
                        + figure + ": means with one standard error on either side." + points,
                doubling ? "log2 of the " + name : name,
                answer.plotted(),
                Stream.of(
                                ours.stream(),
                                authors.entrySet().stream()
                                        .map(line -> AuthorsCurves.series(line.getKey(), line.getValue(), this)),
                                Stream.of(trivial.line(x.getFirst(), x.getLast())))
                        .flatMap(series -> series)
                        .toList()));
    }

    /**
     * A sentence on how the test loss goes along an axis, at one number of samples.
     *
     * @param figure its number
     * @param task in words
     * @param axis what is varied
     * @param samples n
     */
    record TemplateTrend(int figure, String task, TemplateAxis axis, int samples) {

        /** What is asked of the factor by which a step multiplies the loss. */
        interface Check {
            void of(SeedMean factor, String text, Judgement judgement);
        }

        /**
         * A sentence; the models that are best by validation have to be better than what takes no learning.
         *
         * @param paper the paper's words
         * @param factor what the factor is, in words
         */
        FigureClaim claim(FigureSentences<TemplateRuns> sentences, String paper, String factor, Check check) {
            return sentences.claim(
                    axis.part(),
                    paper,
                    String.format(
                            Locale.ROOT,
                            "At n = %,d, each at the rate that is best by validation, %s multiplies the test loss by"
                                    + " %s.",
                            samples,
                            axis.step(),
                            factor),
                    (all, judgement) -> {
                        TemplateRuns runs = all.with(TemplateAxis.SAMPLES, samples);
                        String where = ", n = " + samples;
                        axis.learned(runs, where, judgement);
                        axis.ask(runs, where, check, judgement);
                        axis.show(
                                judgement, task + " by " + axis.name() + where, figure, runs.lines(TemplateAxis.RATE));
                    });
        }

        /** The loss falls. */
        FigureClaim falls(FigureSentences<TemplateRuns> sentences, String paper) {
            return claim(sentences, paper, "significantly less than 1", TemplateAxis::isBelowOne);
        }

        /** The loss rises. */
        FigureClaim rises(FigureSentences<TemplateRuns> sentences, String paper) {
            return claim(sentences, paper, "significantly more than 1", TemplateAxis::isAboveOne);
        }
    }
}
