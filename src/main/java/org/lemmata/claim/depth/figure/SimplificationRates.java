package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
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
        return new SimplificationRates(cells.by(record -> record.integer("task.settings.q")));
    }

    /** The depths trained on, ascending. */
    List<Integer> depths() {
        return List.copyOf(runs.keySet());
    }

    /** The rate of right answers to questions of depth {@code tested} after training on depth {@code trained}. */
    SeedRate rate(int trained, int tested, Sample sample) {
        return SeedRate.of(runs.getOrDefault(trained, List.of()), sample.measurement(tested), QUESTIONS);
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
        List<CellRecord> all = runs.values().stream().flatMap(List::stream).toList();
        return SeedRate.of(FigureCells.by(all, CellRecord::seed).values().stream()
                .map(ofSeed -> pooled(ofSeed, sample.measurement(tested)))
                .toList());
    }

    /** What always giving the majority answer would reach. */
    SeedRate majority(int tested, Sample sample) {
        return SeedRate.of(
                runs.getOrDefault(runs.firstKey(), List.of()), sample.measurement(tested) + ".majority", QUESTIONS);
    }

    /** Adds the training loss of whole lines and, where it was measured, that of right answers alone. */
    void losses(Judgement judgement) {
        runs.forEach((trained, ofDepth) -> {
            String model = ", trained on q = " + trained;
            loss(judgement, "training loss of whole lines" + model, ofDepth, "trainLoss");
            for (int tested : List.of(SHALLOW, DEEP)) {
                for (Sample sample : Sample.values()) {
                    String name = "loss of answers alone" + model + ", tested on q = " + tested + ", " + sample;
                    loss(judgement, name, ofDepth, sample.measurement(tested) + ".loss");
                }
            }
        });
    }

    private static void loss(Judgement judgement, String name, List<CellRecord> runs, String measurement) {
        List<CellRecord> known = runs.stream()
                .filter(run -> run.measurement(measurement).isPresent())
                .toList();
        if (!known.isEmpty()) {
            judgement.measureMean(name + " (nats)", known, run -> FigureCells.value(run, measurement, Double.NaN));
        }
    }

    /** All questions of some runs together. */
    private static Measurement pooled(List<CellRecord> runs, String name) {
        List<Measurement> shares =
                runs.stream().map(run -> SeedRate.share(run, name, QUESTIONS)).toList();
        int n = Math.toIntExact(shares.stream().mapToLong(Measurement::n).sum());
        double right =
                shares.stream().mapToDouble(share -> share.value() * share.n()).sum();
        return Measurement.share(name, n, (int) Math.round(right));
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
        return SeedRate.line(
                "q = " + tested + ", " + sample,
                depths().stream().map(trained -> (double) trained).toList(),
                depths().stream().map(trained -> rate(trained, tested, sample)).toList());
    }
}
