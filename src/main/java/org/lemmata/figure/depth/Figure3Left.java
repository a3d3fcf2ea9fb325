package org.lemmata.figure.depth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.figure.depth.Figure3Left.CompletionRates.Model;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 3 (left): the sentences of section 4.2 about it. A rate is the proportion of correctly
 * completed prefixes among prefixes deeper than the training words, as a mean over seeds. Rates are of completions
 * sampled at temperature 1 if cells have them, otherwise of greedy ones. "Significantly" refers to 95% intervals.
 *
 * <p>The paper does not say how brackets are chosen; they seem to be sampled (table 1). Greedy rates are also shown.
 * From d = 16 on, nearly all greedy completions are balanced, even after the paper's 10,000 steps. Greedy rates
 * therefore show no effect of layers and heads, and no decay. If cells have only greedy completions (at the reduced
 * sizes), the sentences about layers and heads, decay, and the closed form are left open.
 */
final class Figure3Left {

    /** Our reading of "poorly": the paper gives no number. */
    private static final double POOR = 0.5;

    static final double HIGH = 0.95;

    private static final FigureGrid GRID =
            new FigureGrid("depth.figure-3.left", Figure3Left.class, "figure-3-left.yaml").withMedium();

    private static final FigureSentences<CompletionRates> FIGURE =
            new FigureSentences<>(GRID.id(), "figure 3 (left), section 4.2", GRID, """
                completions, at temperature 1 where cells have that, else greedy, of 1,024 prefixes of D_32 of depth 9
                and more, drawn for each run, after training on words of depth up to 8; 1, 2 and 4 layers and heads, 5
                seeds
                | d = 2, 16, 128, 512, 1024, 10,000 steps
                | d = 2, 16, 128
                | d = 2, 16, 128, 500 steps at a greater rate (1e-3)
                """, CompletionRates::of);

    static final FigureClaim WIDTH = FIGURE.claim("width", """
        models' best performance grows with embedding dimension
        | On prefixes deeper than the training words, the best completion rate over layers and heads grows with the
        embedding dimension d. At the largest d it is significantly higher than at the smallest d. At no d is it
        significantly lower than at the next smaller one.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        List<Integer> widths = rates.widths();
        List<Model> best = widths.stream()
                .map(width -> rates.best(model -> model.width() == width))
                .toList();
        best.forEach(model -> rates.measure(judgement, "best rate", model));
        judgement.grows(
                best.stream().map(Model::toString).toList(),
                best.stream().map(rates::rate).toList());
        judgement.show(rates.picture(ClosedFormCompletions.deeper(judgement).value()));
    });

    static final FigureClaim NARROW = FIGURE.claim("narrow", """
        gradient trained d = 2 models all perform poorly
        | All trained models of embedding dimension 2 perform poorly. Read as: on prefixes deeper than the training
        words, significantly less than half of their completions are balanced.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        for (Model model : rates.models(each -> each.width() == 2)) {
            SeedRate rate = rates.rate(model);
            judgement.measure("rate, " + model, rate, Relation.AT_MOST, POOR);
            judgement.below(model.toString(), rate, POOR);
        }
    });

    static final FigureClaim LAYERS_AND_HEADS = FIGURE.claim("layers-and-heads", """
        "Large embedding models necessitate multiple layers and attention heads to perform well", increasingly.
        | Compare the completion rates, on prefixes deeper than the training words, of the model with one layer and one
        head and of the best model with several layers and several heads. At the largest embedding dimension d, the
        former is significantly lower. The difference is significantly larger than at the smallest d.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        Gap minimum = Gap.at(rates, rates.widths().getFirst());
        Gap maximum = Gap.at(rates, rates.widths().getLast());
        for (Gap gap : List.of(minimum, maximum)) {
            rates.measure(judgement, "rate", gap.single());
            rates.measure(judgement, "best rate", gap.best());
        }
        if (rates.isOpen(judgement)) {
            return;
        }
        below(rates, judgement, maximum.single(), maximum.best());
        judgement.below("gap " + minimum, minimum.interval(), "gap " + maximum, maximum.interval());
    });

    static final FigureClaim DECAY = FIGURE.claim("decay", """
        the performance decay of the h = L = 1 models (connected with a dotted line)
        | With one layer and one head, the completion rate on prefixes deeper than the training words decays with the
        embedding dimension d: at the largest d it is significantly lower than at some smaller d.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        int maximum = rates.widths().getLast();
        rates.models(Model::isSingle).forEach(model -> rates.measure(judgement, "rate", model));
        if (rates.isOpen(judgement)) {
            return;
        }
        Model last = rates.single(maximum);
        Model top = rates.best(model -> model.isSingle() && model.width() < maximum);
        below(rates, judgement, last, top);
    });

    static final FigureClaim ACCURACY = FIGURE.claim("accuracy", """
        Models with d >= 128 and h >= 2, L = 4 hit 95 + % accuracy
        | On prefixes deeper than the training words, at least 95% of the completions by models with embedding dimension
        d >= 128, h >= 2 heads and L = 4 layers are balanced.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        for (Model model : rates.models(each -> each.width() >= 128 && each.heads() >= 2 && each.layers() == 4)) {
            SeedRate rate = rates.rate(model);
            judgement.measure("rate, " + model, rate, Relation.AT_LEAST, HIGH);
            judgement.atLeast(model.toString(), rate, HIGH);
        }
    });

    static final FigureClaim CLOSED_FORM = FIGURE.claim("closed-form", """
        the only model which reaches 100% accuracy is the closed-form model with d = h = L = 1
        | The closed form of theorem 4.1, of width 1 with one layer and one head, is built from one word of depth up to
        8. It completes all of 1,024 prefixes of depth 9 and more to balanced words. No run of a trained model
        completes all of 1,024 prefixes drawn in the same way.
        """, (rates, judgement) -> {
        rates.learned(judgement);
        SeedRate rate = ClosedFormCompletions.deeper(judgement);
        judgement.measure("rate of the closed form", rate, Relation.AT_LEAST, 1);
        judgement.isOne("closed form", rate);
        List<Model> models = rates.models(each -> true);
        long runs = 0;
        var perfect = new ArrayList<String>();
        for (Model model : models) {
            List<CellRecord> ofModel = rates.runs().getOrDefault(model, List.of());
            runs += ofModel.size();
            long all = ofModel.stream()
                    .filter(run -> FigureCells.value(run, rates.kind(), 0) == 1)
                    .count();
            if (all > 0) {
                perfect.add(all + " of " + ofModel.size() + " runs with " + model);
            }
        }
        judgement.measure(Measurement.exactAtMost(
                "models with a run that completes all prefixes", perfect.size(), "models", models.size(), 0));
        if (rates.isOpen(judgement)) {
            return;
        }
        judgement.add(
                perfect.isEmpty()
                        ? "none of " + runs + " trained runs completes all of its prefixes"
                        : "a trained run completes all of its prefixes: " + String.join(", ", perfect),
                perfect.isEmpty(),
                !perfect.isEmpty());
    });

    static final List<FigureClaim> CLAIMS = List.of(WIDTH, NARROW, LAYERS_AND_HEADS, DECAY, ACCURACY, CLOSED_FORM);

    /**
     * At one width, the difference in completion rate between the best model with several layers and heads and the
     * model with one layer and one head.
     */
    private record Gap(Model single, Model best, double value, Interval interval) {

        static Gap at(CompletionRates rates, int width) {
            Model single = rates.single(width);
            Model best = rates.best(model -> model.width() == width && model.isMultiple());
            SeedRate a = rates.rate(single);
            SeedRate b = rates.rate(best);
            return new Gap(single, best, b.value() - a.value(), b.minus(a));
        }

        @Override
        public String toString() {
            return Judgement.text("d = " + single.width(), "%.3f", value, interval);
        }
    }

    private static void below(CompletionRates rates, Judgement judgement, Model lesser, Model greater) {
        judgement.below(lesser.toString(), rates.rate(lesser), greater.toString(), rates.rate(greater));
    }

    /**
     * The trained models of figure 3 (left): the proportions of completed prefixes among prefixes deeper than the
     * training words.
     *
     * @param runs the runs by model, one per seed
     * @param kind {@link #SAMPLED} if the cells have sampled completions, otherwise {@link #GREEDY}
     */
    record CompletionRates(SortedMap<Model, List<CellRecord>> runs, String kind) {

        /** Sampled at temperature 1, probably like the paper's completions (table 1). */
        static final String SAMPLED = "completions.deeper.sampled";

        static final String GREEDY = "completions.deeper";

        /** Trivial baselines for deeper prefixes, with the bracket rates of words of the training depth. */
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
             * The number of parameters, N = 16: 34 d for tokens and positions; per layer 4 d² for attention, 2 d * 8d
             * for feed-forward and 2 d for norms; d for the last norm.
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
                                    .anyMatch(record ->
                                            record.measurement(SAMPLED).isPresent())
                            ? SAMPLED
                            : GREEDY);
        }

        /**
         * Whether the cells have only greedy completions, which differ too little between models. If so, leaves the
         * claim open.
         */
        boolean isOpen(Judgement judgement) {
            if (kind.equals(GREEDY)) {
                judgement.add("only greedy completions, nearly all of them balanced from d = 16 on", false, false);
            }
            return kind.equals(GREEDY);
        }

        SeedRate rate(Model model) {
            return rate(model, kind);
        }

        private SeedRate rate(Model model, String measurement) {
            return SeedRate.of(runs.getOrDefault(model, List.of()), measurement, "evaluation.completions");
        }

        void measure(Judgement judgement, String name, Model model) {
            judgement.measure(name + ", " + model, rate(model));
            if (kind.equals(SAMPLED)) {
                judgement.measure(name + ", greedily, " + model, rate(model, GREEDY));
            }
        }

        List<Integer> widths() {
            return runs.keySet().stream().map(Model::width).distinct().toList();
        }

        List<Model> models(Predicate<Model> condition) {
            return runs.keySet().stream().filter(condition).toList();
        }

        /**
         * The model with the maximum mean rate. Its interval is not corrected for this choice, and the maximum of
         * several means is biased upwards.
         */
        Model best(Predicate<Model> condition) {
            return models(condition).stream()
                    .max(Comparator.comparingDouble(model -> rate(model).value()))
                    .orElseThrow();
        }

        /** Requires that the best model has learned. Failures of the other models count only then. */
        void learned(Judgement judgement) {
            Model best = best(model -> true);
            judgement.learned("best rate, " + best, rate(best), TRIVIAL);
        }

        Model single(int width) {
            return new Model(width, 1, 1);
        }

        /** The paper's plot of rates over the number of parameters, with the closed form as an additional line. */
        Figure picture(double closedFormRate) {
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
                    "closed form, d = h = L = 1",
                    List.of(Math.log10(ClosedFormCompletions.PARAMETERS)),
                    List.of(closedFormRate)));
            List<Double> ends =
                    series.stream().flatMap(line -> line.x().stream()).sorted().toList();
            series.add(TrivialAnswer.best(TRIVIAL).line(ends.getFirst(), ends.getLast()));
            series.add(Series.level(
                    "the paper's 95% for d = 128 and more, 2 heads and more, 4 layers",
                    ends.getFirst(), ends.getLast(), HIGH));
            return new Figure(
                    "Completion of words deeper than those trained on, by the number of parameters",
                    "Share of prefixes of D_32 of depth 9 and more that are completed to balanced words,"
                            + (kind.equals(SAMPLED) ? " at temperature 1," : " greedily,")
                            + " by models trained on words of depth up to 8; means over seeds, the points of a line"
                            + " being widths " + widths()
                            + ". Compare Richard (2024), figure 3 (left).",
                    "log10 of the number of parameters",
                    "completion rate",
                    series);
        }

        private Series line(String name, Predicate<Model> condition, String measurement) {
            List<Model> best = widths().stream()
                    .map(width -> best(model -> model.width() == width && condition.test(model)))
                    .toList();
            return SeedRate.line(
                    name, best, model -> Math.log10(model.parameters()), model -> rate(model, measurement));
        }
    }
}
