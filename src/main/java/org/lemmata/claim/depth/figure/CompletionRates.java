package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.track.CellRecord;

/**
 * The trained models of figure 3 (left): which share of prefixes deeper than the training words each completes.
 *
 * @param runs of each model, one a seed
 * @param kind {@link #SAMPLED} if the cells have that, else {@link #GREEDY}
 */
record CompletionRates(SortedMap<Model, List<CellRecord>> runs, String kind) {

    /** At temperature 1, as the paper's completions seem to be (table 1). */
    static final String SAMPLED = "completions.deeper.sampled";

    static final String GREEDY = "completions.deeper";

    /** Of the same prefixes, by words of the depth trained on. */
    static final List<TrivialAnswer> TRIVIAL =
            TrivialAnswer.completions(PrefixLaw.ofCuts(16, 9, 16), PrefixLaw.openings(16, 8));

    /**
     * A model of the figure.
     *
     * @param width d
     * @param layers L
     * @param heads h
     */
    record Model(int width, int layers, int heads) implements Comparable<Model> {

        private static final Comparator<Model> ORDER = Comparator.comparingInt(Model::width)
                .thenComparingInt(Model::layers)
                .thenComparingInt(Model::heads);

        @Override
        public int compareTo(Model other) {
            return ORDER.compare(this, other);
        }

        boolean isSingle() {
            return layers == 1 && heads == 1;
        }

        boolean isMultiple() {
            return layers > 1 && heads > 1;
        }

        @Override
        public String toString() {
            return "d = " + width + ", L = " + layers + ", h = " + heads;
        }

        /**
         * Trained numbers, N = 16: 34 d of tokens and positions; a layer has 4 d² of attention, 2 d * 8d of
         * feed-forward and 2 d of norms; d of the last norm.
         */
        double parameters() {
            return 34.0 * width + layers * (20.0 * width * width + 2.0 * width) + width;
        }
    }

    static CompletionRates of(FigureCells cells) {
        return new CompletionRates(
                cells.by(record -> new Model(
                        record.integer("model.width"),
                        record.integer("model.layers"),
                        record.integer("model.attention.heads"))),
                cells.records().stream()
                                .anyMatch(record -> record.measurement(SAMPLED).isPresent())
                        ? SAMPLED
                        : GREEDY);
    }

    /** Of greedy completions alone nothing is asked that they answer alike from d = 16 on: leaves that open. */
    boolean isOpen(Judgement judgement) {
        if (kind.equals(GREEDY)) {
            judgement.add("greedy completions alone, nearly all of them balanced from d = 16 on", false, false);
        }
        return kind.equals(GREEDY);
    }

    SeedRate rate(Model model) {
        return rate(model, kind);
    }

    private SeedRate rate(Model model, String measurement) {
        return SeedRate.of(runs.getOrDefault(model, List.of()), measurement, "evaluation.completions");
    }

    /** Adds the rate of a model, and its greedy one beside a sampled one. */
    void measure(Judgement judgement, String name, Model model) {
        judgement.measure(name + ", " + model, rate(model));
        if (kind.equals(SAMPLED)) {
            judgement.measure(name + ", greedily, " + model, rate(model, GREEDY));
        }
    }

    /** Every width, ascending. */
    List<Integer> widths() {
        return List.copyOf(
                new TreeSet<>(runs.keySet().stream().map(Model::width).toList()));
    }

    List<Model> models(Predicate<Model> condition) {
        return runs.keySet().stream().filter(condition).toList();
    }

    /**
     * The model with the maximum mean among those that there are. Its interval is that of a model chosen beforehand: it
     * is not corrected for the choice, and the maximum of several means lies above its own expectation.
     */
    Model best(Predicate<Model> condition) {
        return models(condition).stream()
                .max(Comparator.comparingDouble(model -> rate(model).value()))
                .orElseThrow();
    }

    /** That they fail counts, too, if the best of them has learned. */
    void learned(Judgement judgement) {
        Model best = best(model -> true);
        judgement.learned("best rate, " + best, rate(best), TRIVIAL);
    }

    Model single(int width) {
        return new Model(width, 1, 1);
    }

    /** Rates over the numbers of parameters, as the paper plots them, with the closed form beside. */
    Figure picture(double closedFormRate, int closedFormParameters) {
        var series = new ArrayList<Series>();
        series.add(line("1 layer, 1 head", Model::isSingle, kind));
        if (kind.equals(SAMPLED)) {
            series.add(line("1 layer, 1 head, greedily", Model::isSingle, GREEDY));
        }
        for (int layers :
                new TreeSet<>(runs.keySet().stream().map(Model::layers).toList())) {
            series.add(line(
                    layers + (layers == 1 ? " layer" : " layers") + ", best of its heads",
                    model -> model.layers() == layers,
                    kind));
        }
        series.add(new Series(
                "closed form, d = h = L = 1", List.of(Math.log10(closedFormParameters)), List.of(closedFormRate)));
        List<Double> ends =
                series.stream().flatMap(line -> line.x().stream()).sorted().toList();
        series.add(TrivialAnswer.best(TRIVIAL).line(ends.getFirst(), ends.getLast()));
        series.add(new Series(
                "the paper's 95% for d = 128 and more, 2 heads and more, 4 layers",
                List.of(ends.getFirst(), ends.getLast()), List.of(Figure3Left.HIGH, Figure3Left.HIGH)));
        return new Figure(
                "Completion of words deeper than those trained on, by the number of parameters",
                "Share of prefixes of D_32 of depth 9 and more that are completed to balanced words,"
                        + (kind.equals(SAMPLED) ? " at temperature 1," : " greedily,")
                        + " by models trained on words of depth up to 8; means over seeds, the points of a line being"
                        + " widths " + widths()
                        + ". Beside Richard (2024), figure 3 (left).",
                "log10 of the number of parameters",
                "completion rate",
                series);
    }

    private Series line(String name, Predicate<Model> condition, String measurement) {
        List<Model> best = widths().stream()
                .map(width -> best(model -> model.width() == width && condition.test(model)))
                .toList();
        return SeedRate.line(
                name,
                best.stream().map(model -> Math.log10(model.parameters())).toList(),
                best.stream().map(model -> rate(model, measurement)).toList());
    }
}
