package org.lemmata.figure.depth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.figure.depth.Figure3Right.SampleSizeRates.TrainingSet;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 3 (right): the sentences of section 4.2 about it. Rates are means over seeds of sampled
 * completions. "Significantly" refers to 95% intervals.
 *
 * <p>At the reduced sizes, models generalize better than in the paper. After training on 1,000 or more words of depth
 * up to 4, they complete more than two thirds of the prefixes of depth 13 and more; of depth up to 8, more than nine
 * tenths. After training on 10 words of depth up to 8, they complete 39%. Training words of depth 9 to 12 hardly help.
 */
final class Figure3Right {

    /** Our reading of "on top of the plot"; the paper gives no number. */
    private static final double TOP = 0.95;

    /** Our reading of a "large" gap; the paper gives no number. */
    private static final double LARGE = 0.5;

    /** Our reading of "small": the maximum number of training words. */
    private static final int FEW = 10;

    /** The grid. Figures 4 and 5 and table 1 also use its cells. */
    static final FigureGrid GRID =
            new FigureGrid("depth.figure-3.right", Figure3Right.class, "figure-3-right.yaml").withMedium();

    private static final FigureSentences<SampleSizeRates> FIGURE =
            new FigureSentences<>(GRID.id(), "figure 3 (right), section 4.2", GRID, """
                completions at temperature 1 of 1,024 prefixes each of D_32, of the training words, and distinct ones
                of depth 13 and more, after training on distinct words of depth up to 4, 8 and 12; L = h = 4, 5 seeds
                | d = 1024, 10,000 steps, 1 to 10^7 words (all 7,174,454 of depth up to 4)
                | d = 128, 1 to 10^5 words
                | d = 64, 2,000 steps at a greater rate (1e-3), 1 to 10^5 words
                """, SampleSizeRates::of);

    static final FigureClaim IN_SAMPLE = FIGURE.claim("in-sample", """
        They all appear on top of the plot as all models fit well to data and perform well at in-sample completion
        | Every trained model completes at least 95% of the prefixes of its training words to balanced words.
        """, (rates, judgement) -> {
        rates.learnedInSample(judgement, List.of(rates.best(SampleSizeRates.IN_SAMPLE)));
        for (TrainingSet set : rates.sets()) {
            SeedRate rate = rates.rate(set, SampleSizeRates.IN_SAMPLE);
            judgement.measure("in sample, " + set, rate, Relation.AT_LEAST, TOP);
            judgement.atLeast(set.toString(), rate, TOP);
        }
    });

    static final FigureClaim GAP = FIGURE.claim("gap", """
        the gap between the dashed ... and the full lines ... for small values of the training set size are large
        | Take the models trained on 1 word and on 10 words of each maximum depth. Their completion rate on prefixes of
        their training words exceeds their completion rate on prefixes of depth 13 and more by significantly more than
        0.5 (our threshold).
        """, (rates, judgement) -> {
        List<TrainingSet> small =
                rates.sets().stream().filter(set -> set.words() <= FEW).toList();
        rates.learnedInSample(judgement, small);
        judgement.named(SampleSizeRates.trivial().getLast());
        for (TrainingSet set : small) {
            SeedRate in = rates.rate(set, SampleSizeRates.IN_SAMPLE);
            SeedRate out = rates.rate(set, SampleSizeRates.DEEPER);
            judgement.measure("in sample, " + set, in);
            judgement.measure("deeper, " + set, out);
            judgement.add(
                    Judgement.text(set + ", deeper", out) + " + " + LARGE + " < " + Judgement.text("in sample", in),
                    out.interval().high() + LARGE < in.interval().low(),
                    out.interval().low() + LARGE > in.interval().high());
        }
    });

    static final FigureClaim SIZE = FIGURE.claim("size", """
        the most successful large and greedy model perform well when they fit to a large training set
        | On prefixes of depth 13 and more, models trained on the largest number of words have a significantly higher
        completion rate than models trained on one word. This holds for training words of depth up to 8 and of depth up
        to 12.
        """, (rates, judgement) -> {
        rates.learnedDeeper(judgement);
        for (int depth : rates.depths().subList(1, rates.depths().size())) {
            List<TrainingSet> sets = rates.sets(depth);
            sets.forEach(set -> judgement.measure("deeper, " + set, rates.rate(set, SampleSizeRates.DEEPER)));
            below(rates, judgement, sets.getFirst(), sets.getLast());
        }
        judgement.show(rates.picture(ClosedFormCompletions.deep(judgement).value()));
    });

    static final FigureClaim SHALLOW = FIGURE.claim("shallow", """
        q = 4 has very low out-of-sample accuracy on the deep test data, even when the number of training samples is
        large
        | On prefixes of depth 13 and more, models trained on words of depth up to 4 have a significantly lower
        completion rate than the trivial baseline that always closes a bracket. This holds for every number of training
        words.
        """, (rates, judgement) -> {
        List<TrainingSet> shallow = rates.sets(rates.depths().getFirst());
        rates.learnedInSample(judgement, shallow);
        TrivialAnswer closing = SampleSizeRates.trivial().getLast();
        judgement.named(closing);
        for (TrainingSet set : shallow) {
            SeedRate rate = rates.rate(set, SampleSizeRates.DEEPER);
            judgement.measure("deeper, " + set, rate, Relation.AT_MOST, closing.value());
            judgement.below(Judgement.text(set.toString(), rate), rate.interval(), closing.text(), closing.interval());
        }
    });

    static final FigureClaim DEPTH = FIGURE.claim("depth", """
        generalization to deeper expressions is harder as the gap between training data depth and test data depth
        widens
        | For each maximum depth of training words, take the models trained on the most words. On prefixes of depth 13
        and more, they have a significantly lower completion rate than the models for the next larger maximum depth.
        """, (rates, judgement) -> {
        rates.learnedDeeper(judgement);
        List<TrainingSet> largest = rates.depths().stream()
                .map(depth -> rates.sets(depth).getLast())
                .toList();
        largest.forEach(set -> judgement.measure("deeper, " + set, rates.rate(set, SampleSizeRates.DEEPER)));
        for (int i = 1; i < largest.size(); i++) {
            below(rates, judgement, largest.get(i - 1), largest.get(i));
        }
    });

    static final FigureClaim CLOSED_FORM = FIGURE.claim("closed-form", """
        We empirically evaluate the closed-form model and record a 100% accuracy on this benchmark
        | The closed form of theorem 4.1, built from one word of depth up to 4, completes all of 1,024 prefixes of
        depth 13 and more to balanced words. Models trained on one word, of each maximum depth, complete a
        significantly smaller share of 1,024 prefixes drawn in the same way.
        """, (rates, judgement) -> {
        rates.learnedInSample(
                judgement,
                rates.depths().stream()
                        .map(depth -> rates.sets(depth).getFirst())
                        .toList());
        SeedRate rate = ClosedFormCompletions.deep(judgement);
        judgement.measure("deeper, closed form", rate, Relation.AT_LEAST, 1);
        judgement.isOne("closed form", rate);
        for (int depth : rates.depths()) {
            TrainingSet one = rates.sets(depth).getFirst();
            SeedRate trained = rates.rate(one, SampleSizeRates.DEEPER);
            judgement.measure("deeper, " + one, trained);
            judgement.below(one.toString(), trained, "closed form", rate);
        }
    });

    static final List<FigureClaim> CLAIMS = List.of(IN_SAMPLE, GAP, SIZE, SHALLOW, DEPTH, CLOSED_FORM);

    private static void below(SampleSizeRates rates, Judgement judgement, TrainingSet lesser, TrainingSet greater) {
        judgement.below(
                lesser.toString(),
                rates.rate(lesser, SampleSizeRates.DEEPER),
                greater.toString(),
                rates.rate(greater, SampleSizeRates.DEEPER));
    }

    /**
     * The trained models of figure 3 (right): the proportions of prefixes that they complete.
     *
     * @param runs the runs by training set, one per seed
     */
    record SampleSizeRates(SortedMap<TrainingSet, List<CellRecord>> runs) {

        static final String IN_SAMPLE = "completions.inSample";
        static final String DEEPER = "completions.deeper";

        private static final int PAIRS = 16;

        /**
         * A training set.
         *
         * @param depth the maximum depth of a word
         * @param words the number of distinct words
         */
        record TrainingSet(int depth, int words) implements Comparable<TrainingSet> {

            private static final Comparator<TrainingSet> ORDER =
                    Comparator.comparingInt(TrainingSet::depth).thenComparingInt(TrainingSet::words);

            @Override
            public int compareTo(TrainingSet other) {
                return ORDER.compare(this, other);
            }

            @Override
            public String toString() {
                return words + (words == 1 ? " word" : " words") + " of q <= " + depth;
            }
        }

        static SampleSizeRates of(FigureCells cells) {
            return new SampleSizeRates(cells.by(
                    record -> new TrainingSet(record.integer("task.settings.maxDepth"), record.integer("data.train"))));
        }

        SeedRate rate(TrainingSet set, String kind) {
            return SeedRate.of(runs.getOrDefault(set, List.of()), kind, "evaluation.completions");
        }

        List<TrainingSet> sets() {
            return List.copyOf(runs.keySet());
        }

        List<Integer> depths() {
            return runs.keySet().stream().map(TrainingSet::depth).distinct().toList();
        }

        /** The training sets with this maximum depth, in increasing order of size. */
        List<TrainingSet> sets(int depth) {
            return runs.keySet().stream().filter(set -> set.depth() == depth).toList();
        }

        /**
         * Trivial baselines for distinct deeper prefixes. The distribution of these prefixes is estimated from a
         * sample.
         */
        static List<TrivialAnswer> trivial() {
            List<int[]> prefixes = ClosedFormCompletions.deep();
            return TrivialAnswer.completions(PrefixLaw.of(PAIRS, prefixes), PrefixLaw.openings(PAIRS, PAIRS)).stream()
                    .map(answer -> answer.ofSample(prefixes.size()))
                    .toList();
        }

        /** Requires that each model has learned to complete prefixes of its training words. */
        void learnedInSample(Judgement judgement, List<TrainingSet> sets) {
            sets.forEach(
                    set -> learnedInSample(judgement, set.toString(), runs.getOrDefault(set, List.of()), set.depth()));
        }

        /** Requires that a model has learned to complete prefixes of its training words, which have a maximum depth. */
        static void learnedInSample(Judgement judgement, String model, List<CellRecord> runs, int depth) {
            judgement.learned(
                    "in sample, " + model,
                    SeedRate.of(runs, IN_SAMPLE, "evaluation.completions"),
                    TrivialAnswer.completions(PrefixLaw.ofCuts(PAIRS, 1, depth), PrefixLaw.openings(PAIRS, depth)));
        }

        /** Requires that the best model has learned to complete deeper prefixes. */
        void learnedDeeper(Judgement judgement) {
            TrainingSet best = best(DEEPER);
            judgement.learned("best rate, deeper, " + best, rate(best, DEEPER), trivial());
        }

        TrainingSet best(String kind) {
            return sets().stream()
                    .max(Comparator.comparingDouble(set -> rate(set, kind).value()))
                    .orElseThrow();
        }

        /** The paper's plot of rates over the number of words, with the closed form as an additional line. */
        Figure picture(double closedFormRate) {
            var series = new ArrayList<Series>();
            for (int depth : depths()) {
                series.add(line("q <= " + depth + ", prefixes of depth 13 and more", depth, DEEPER));
                series.add(line("q <= " + depth + ", in sample", depth, IN_SAMPLE));
            }
            series.add(new Series("closed form of one word", List.of(0.0), List.of(closedFormRate)));
            series.add(TrivialAnswer.best(trivial())
                    .line(
                            0,
                            Math.log10(sets().stream()
                                    .mapToInt(TrainingSet::words)
                                    .max()
                                    .orElseThrow())));
            return new Figure(
                    "Completion by the number of distinct words trained on and their depth",
                    "Share of 1,024 prefixes of D_32 that are completed to balanced words at temperature 1, of the"
                        + " training words and of depth 13 and more; means over seeds. Compare Richard (2024), figure"
                        + " 3 (right).",
                    "log10 of the number of training words",
                    "completion rate",
                    series);
        }

        private Series line(String name, int depth, String kind) {
            return SeedRate.line(name, sets(depth), set -> Math.log10(set.words()), set -> rate(set, kind));
        }
    }
}
