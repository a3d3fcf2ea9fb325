package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.SeedRate;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * The trained models of figure 1: which share of Boolean expressions each simplifies.
 *
 * @param runs by the depth trained on, one a seed
 */
record SimplificationRates(SortedMap<Integer, List<CellRecord>> runs) {

    /** The two depths of test questions. */
    static final int SHALLOW = 3;

    static final int DEEP = 6;

    private static final String TRAINED_DEPTH = "task.settings.q";
    private static final String QUESTIONS = "evaluation.questions";

    /** Whether a question's function was held out of training. */
    enum Sample {
        IN("inSample", "in sample"),
        OUT("outOfSample", "out of sample");

        private final String key;
        private final String text;

        Sample(String key, String text) {
            this.key = key;
            this.text = text;
        }

        private String measurement(int depth) {
            return "answers." + key + ".q" + depth;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    static SimplificationRates of(FigureCells cells) {
        var runs = new TreeMap<Integer, List<CellRecord>>();
        for (CellRecord record : cells.records()) {
            runs.computeIfAbsent(record.integer(TRAINED_DEPTH), depth -> new ArrayList<>())
                    .add(record);
        }
        return new SimplificationRates(runs);
    }

    /** The depths trained on, ascending. */
    List<Integer> depths() {
        return List.copyOf(runs.keySet());
    }

    /** The rate of right answers to questions of depth {@code tested} after training on depth {@code trained}. */
    SeedRate rate(int trained, int tested, Sample sample) {
        return SeedRate.of(runs.getOrDefault(trained, List.of()).stream()
                .map(record -> measured(record, sample.measurement(tested)))
                .toList());
    }

    /** The maximum rate of a depth trained on. */
    SeedRate best(int tested, Sample sample) {
        return depths().stream()
                .map(trained -> rate(trained, tested, sample))
                .max(Comparator.comparingDouble(SeedRate::value))
                .orElseThrow();
    }

    /** The rate over all depths trained on, one number a seed. */
    SeedRate overall(int tested, Sample sample) {
        var bySeed = new TreeMap<Long, List<Measurement>>();
        runs.values()
                .forEach(ofDepth ->
                        ofDepth.forEach(record -> bySeed.computeIfAbsent(record.seed(), seed -> new ArrayList<>())
                                .add(measured(record, sample.measurement(tested)))));
        return SeedRate.of(
                bySeed.values().stream().map(SimplificationRates::pooled).toList());
    }

    /** What always giving the majority answer would reach. */
    SeedRate majority(int tested, Sample sample) {
        return SeedRate.of(runs.getOrDefault(runs.firstKey(), List.of()).stream()
                .map(record -> measured(record, sample.measurement(tested) + ".majority"))
                .toList());
    }

    private static Measurement pooled(List<Measurement> shares) {
        int n = Math.toIntExact(shares.stream().mapToLong(Measurement::n).sum());
        int right = (int) Math.round(
                shares.stream().mapToDouble(share -> share.value() * share.n()).sum());
        return share(shares.getFirst().name(), right, n);
    }

    /** A run that diverged answers nothing right. */
    private static Measurement measured(CellRecord record, String name) {
        return record.measurement(name).orElseGet(() -> share(name, 0, record.integer(QUESTIONS)));
    }

    private static Measurement share(String name, int right, int count) {
        return new Measurement(
                name, (double) right / count, "probability", Interval.proportion(count, right), count, null);
    }

    /** Rates over the depth trained on, as the paper plots them. */
    Figure picture() {
        var series = new ArrayList<Series>();
        for (int tested : List.of(SHALLOW, DEEP)) {
            for (Sample sample : Sample.values()) {
                series.add(line(tested, sample));
            }
            double baseline = majority(tested, Sample.IN).value();
            List<Double> ends = List.of((double) runs.firstKey(), (double) runs.lastKey());
            series.add(new Series(
                    "q = " + tested + ", in sample, always the majority answer", ends, List.of(baseline, baseline)));
        }
        return new Figure(
                "Boolean simplification by the depth trained on",
                "Share of expressions whose simplified form a trained model writes, of clauses of depth up to 3 and up"
                    + " to 6, in sample and of functions held out; means over seeds. There is no closed form of this"
                    + " task. Beside Richard (2024), figure 1.",
                "depth q trained on",
                "share of right answers",
                series);
    }

    private Series line(int tested, Sample sample) {
        var x = new ArrayList<Double>();
        var y = new ArrayList<Double>();
        var low = new ArrayList<Double>();
        var high = new ArrayList<Double>();
        for (int trained : depths()) {
            SeedRate rate = rate(trained, tested, sample);
            x.add((double) trained);
            y.add(rate.value());
            low.add(rate.interval().low());
            high.add(rate.interval().high());
        }
        return new Series("q = " + tested + ", " + sample, x, y, low, high);
    }
}
