package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.track.CellRecord;

/**
 * The trained models of figure 3 (right): which shares of prefixes each completes.
 *
 * @param runs of each training set, one a seed
 */
record SampleSizeRates(SortedMap<TrainingSet, List<CellRecord>> runs) {

    static final String IN_SAMPLE = "completions.inSample";
    static final String DEEPER = "completions.deeper";

    private static final int PAIRS = 16;

    /**
     * What a model was trained on.
     *
     * @param depth the maximum depth of a word
     * @param words how many distinct ones
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

    /** The rate of one kind of prefixes over the seeds. */
    SeedRate rate(TrainingSet set, String kind) {
        return SeedRate.of(runs.getOrDefault(set, List.of()), kind, "evaluation.completions");
    }

    List<TrainingSet> sets() {
        return List.copyOf(runs.keySet());
    }

    /** Every maximum depth of words, ascending. */
    List<Integer> depths() {
        return List.copyOf(
                new TreeSet<>(runs.keySet().stream().map(TrainingSet::depth).toList()));
    }

    /** The training sets of a depth, the smallest first. */
    List<TrainingSet> sets(int depth) {
        return runs.keySet().stream().filter(set -> set.depth() == depth).toList();
    }

    /** Of deeper prefixes that are distinct, whose law is that of a sample. */
    static List<TrivialAnswer> trivial() {
        List<int[]> prefixes = ClosedFormCompletions.deep();
        return TrivialAnswer.completions(PrefixLaw.of(PAIRS, prefixes), PrefixLaw.openings(PAIRS, PAIRS)).stream()
                .map(answer -> answer.ofSample(prefixes.size()))
                .toList();
    }

    /** Asks of models that fail or are compared elsewhere that each completes prefixes of its training words. */
    void learnedInSample(Judgement judgement, List<TrainingSet> sets) {
        for (TrainingSet set : sets) {
            judgement.learned(
                    "in sample, " + set,
                    rate(set, IN_SAMPLE),
                    TrivialAnswer.completions(
                            PrefixLaw.ofCuts(PAIRS, 1, set.depth()), PrefixLaw.openings(PAIRS, set.depth())));
        }
    }

    /** Asks of the best of all models that it completes deeper prefixes. */
    void learnedDeeper(Judgement judgement) {
        TrainingSet best = best(DEEPER);
        judgement.learned("best rate, deeper, " + best, rate(best, DEEPER), trivial());
    }

    TrainingSet best(String kind) {
        return sets().stream()
                .max(Comparator.comparingDouble(set -> rate(set, kind).value()))
                .orElseThrow();
    }

    /** Rates over the number of words, as the paper plots them, with the closed form beside. */
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
                        + " training words and of depth 13 and more; means over seeds. Beside Richard (2024), figure 3"
                        + " (right).",
                "log10 of the number of training words",
                "completion rate",
                series);
    }

    private Series line(String name, int depth, String kind) {
        return SeedRate.line(
                name,
                sets(depth).stream().map(set -> Math.log10(set.words())).toList(),
                sets(depth).stream().map(set -> rate(set, kind)).toList());
    }
}
