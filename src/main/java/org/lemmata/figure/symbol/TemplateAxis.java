package org.lemmata.figure.symbol;

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
 * The quantity that a figure varies.
 *
 * @param setting the key of the quantity
 * @param name the name of the quantity in words
 * @param doubling whether a step along the axis doubles the value; otherwise a step adds one
 */
record TemplateAxis(String setting, String name, boolean doubling) {

    static final TemplateAxis SAMPLES = new TemplateAxis("data.train", "n", true);
    static final TemplateAxis RATE = new TemplateAxis("optimizer.learning-rate", "learning rate", true);

    double scaled(double value) {
        return doubling ? Figure.log2(value) : value;
    }

    String step() {
        return doubling
                ? "a doubling of " + (name.length() == 1 ? "" : "the ") + name
                : "adding 1 to the " + (name.endsWith("s") ? "number of " : "") + name;
    }

    /** What a value of the quantity is, in words. */
    private String values() {
        return name.endsWith("s") ? "number of " + name : name.equals("batch") ? "batch size" : name;
    }

    String at(double value) {
        String brief = String.format(Locale.ROOT, "%.0e", value);
        return name + " = "
                + (value == Math.rint(value)
                        ? Long.toString((long) value)
                        : Double.parseDouble(brief) == value ? brief : Double.toString(value));
    }

    /** The runs at each value; the learning rate is the best for this value among the rates that all values have. */
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
     * For each seed, the factor by which a step multiplies the test loss: exp of the slope of the least-squares line
     * through the logarithms of the losses.
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

    /** Measures all losses. Requires that the models at the value with the best validation loss have learned. */
    void learned(TemplateRuns runs, String where, Judgement judgement) {
        SortedMap<Double, TemplateRuns> points = points(runs);
        points.forEach((value, some) -> some.measure(at(value) + where, judgement));
        Map.Entry<Double, TemplateRuns> best = points.entrySet().stream()
                .min(Comparator.comparingDouble(point -> point.getValue().validation()))
                .orElseThrow();
        best.getValue().learned(at(best.getKey()) + where, judgement);
    }

    /** Measures the factor of a step, and applies the check to it. */
    void ask(TemplateRuns runs, String where, TemplateTrend.Check check, Judgement judgement) {
        ask(SeedMean.of(growth(runs)), "factor of the test loss by " + step() + where, check, judgement);
    }

    static void ask(SeedMean factor, String name, TemplateTrend.Check check, Judgement judgement) {
        judgement.measure(factor.measured(name, ""));
        check.of(factor, factor.text(name), judgement);
    }

    static void isBelowOne(SeedMean factor, String text, Judgement judgement) {
        judgement.add(
                text + " < 1", factor.interval().high() < 1, factor.interval().low() > 1);
    }

    static void isAboveOne(SeedMean factor, String text, Judgement judgement) {
        judgement.add(
                text + " > 1", factor.interval().low() > 1, factor.interval().high() < 1);
    }

    void show(Judgement judgement, String title, int figure, SortedMap<String, TemplateRuns> lines) {
        show(judgement, title, figure, AuthorsCurves.of(figure, this), lines);
    }

    /**
     * Plots the authors' quantity over this axis: one line per name, and the authors' own lines. Measures our quantity
     * at the points that both have.
     *
     * @param figure the number of the paper's figure
     * @param authors the authors' lines, by x; lines whose names our lines lack are removed
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
     * A sentence about how the test loss changes along an axis, at one number of samples.
     *
     * @param figure the number of the figure
     * @param task the task in words, for titles
     * @param templates the templates that the task is to tell apart, in words
     * @param axis the varied quantity
     * @param samples n
     */
    record TemplateTrend(int figure, String task, String templates, TemplateAxis axis, int samples) {

        interface Check {
            void of(SeedMean factor, String text, Judgement judgement);
        }

        /**
         * The claim for a sentence. The models with the best validation loss must beat the trivial baseline.
         *
         * @param paper the quotation from the paper
         * @param factor the requirement for the factor, in words
         */
        FigureClaim claim(String paper, String factor, Check check) {
            FigureSentences<TemplateRuns> sentences = SymbolFigures.figure(figure);
            return sentences.claim(
                    axis.name().replace(' ', '-'),
                    paper,
                    String.format(
                            Locale.ROOT,
                            "Task: to tell %s apart. With n = %,d samples, and for each %s the learning rate"
                                    + " of the best validation loss, %s multiplies the test loss on unseen symbols"
                                    + " by %s.",
                            templates,
                            samples,
                            axis.values(),
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

        FigureClaim falls(String paper) {
            return claim(paper, "significantly less than 1", TemplateAxis::isBelowOne);
        }

        FigureClaim rises(String paper) {
            return claim(paper, "significantly more than 1", TemplateAxis::isAboveOne);
        }
    }
}
