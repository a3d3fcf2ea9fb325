package org.lemmata.figure.depth;

import static org.lemmata.figure.depth.Figure1.SimplificationRates.DEEP;
import static org.lemmata.figure.depth.Figure1.SimplificationRates.SHALLOW;

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
import org.lemmata.figure.depth.Figure1.SimplificationRates.Sample;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 1: the sentences of its caption and section 2.2 about Boolean simplification. Rates are means
 * over seeds. "Significantly" refers to 95% intervals.
 *
 * <p>Models are trained on shortest forms; the paper's oracle gives two-level forms. The training loss covers whole
 * lines, but their left-hand side is unpredictable. Therefore the loss of only the answers is also shown if cells have
 * it. At the reduced sizes, a model reads 1/500 of the paper's tokens and is right no more often than always giving the
 * majority answer: it has not learned.
 */
final class Figure1 {

    private static final double IN_SAMPLE = 0.68;

    private static final double OUT_OF_SAMPLE = 0.09;
    private static final double FEW = 0.01;

    /** Our reading of "fluctuates around 1%": the maximum rate. */
    private static final double HARDLY_ANY = 0.05;

    static final FigureGrid GRID = new FigureGrid("depth.figure-1", Figure1.class, "figure-1.yaml").withMedium();

    private static final FigureSentences<SimplificationRates> FIGURE =
            new FigureSentences<>(GRID.id(), "figure 1, section 2.2", GRID, """
                greedy answers to expressions of clauses of depth up to 3 and up to 6, after training on shortest
                forms, where the paper's oracle gives two-level ones; 5 seeds (2 at the size between), each with other
                functions held out
                | trained on q = 1 to 6, d = 1024, L = h = 8, 100,000 steps of 2^14 tokens, 4 variables, 5 clauses, 128
                functions held out, 10,000 questions of each kind
                | trained on q = 1, 3, 6, d = 128, L = 4, 4,000 steps at a greater rate (1e-3), 1,000 questions, 2
                seeds
                | trained on q = 1, 2, 3, 4, 6, d = 64, L = 2, h = 4, 1,000 steps of 3,072 tokens at a greater rate
                (1e-3), 3 variables, 2 clauses, 16 functions held out, 1,000 questions
                """, SimplificationRates::of);

    static final FigureClaim GAP = FIGURE.claim("gap", """
        Accuracy of Boolean simplification ... shows the gap between in-sample and out-of-sample evaluations
        | Models are trained to simplify Boolean expressions of depth up to q. For every training depth and both test
        depths, 3 and 6, they give significantly more right answers in sample (the answer may occur in training) than
        out of sample (the answer is held out).
        """, (rates, judgement) -> {
        for (int trained : rates.depths()) {
            for (int tested : List.of(SHALLOW, DEEP)) {
                SeedRate in = rates.rate(trained, tested, Sample.IN);
                SeedRate out = rates.rate(trained, tested, Sample.OUT);
                String test = test(trained, tested);
                judgement.measure(test + ", " + Sample.IN, in);
                judgement.measure(test + ", " + Sample.OUT, out);
                judgement.below(test + ", " + Sample.OUT, out, Sample.IN.toString(), in);
            }
        }
        learned(rates, judgement, SHALLOW, DEEP);
        rates.losses(judgement);
        judgement.show(rates.picture());
    });

    static final FigureClaim BEST = FIGURE.claim("best", """
        the model trained on q = 3 data performs best at q = 3, for both out-of-sample (9%) and in-sample (68%) testing
        | Models trained to simplify Boolean expressions of depth up to q = 3 give significantly more right answers at q
        = 3 than at q = 6, both in sample and out of sample (with answers that were held out from training).
        """, (rates, judgement) -> {
        for (Sample sample : Sample.values()) {
            SeedRate near = rates.rate(SHALLOW, SHALLOW, sample);
            SeedRate far = rates.rate(SHALLOW, DEEP, sample);
            double paper = sample == Sample.IN ? IN_SAMPLE : OUT_OF_SAMPLE;
            judgement.measure(test(SHALLOW, SHALLOW) + ", " + sample, near, Relation.ABOUT, paper);
            judgement.measure(test(SHALLOW, DEEP) + ", " + sample, far);
            judgement.below(sample + ", tested on q = 6", far, "on q = 3", near);
        }
        learned(rates, judgement, SHALLOW);
    });

    static final FigureClaim NEAREST = FIGURE.claim("nearest", """
        accuracy reported for test sets of depth q = 3 ... is the highest across different training depths when q = 3
        | In tests on Boolean expressions of depth up to q = 3, models trained on q = 3 give significantly more right
        simplifications than models trained on any other depth, both in sample and out of sample (with answers that were
        held out from training).
        """, (rates, judgement) -> {
        for (Sample sample : Sample.values()) {
            SeedRate same = rates.rate(SHALLOW, SHALLOW, sample);
            for (int trained : rates.depths()) {
                SeedRate rate = rates.rate(trained, SHALLOW, sample);
                judgement.measure(test(trained, SHALLOW) + ", " + sample, rate);
                if (trained != SHALLOW) {
                    judgement.below(sample + ", trained on q = " + trained, rate, "on q = 3", same);
                }
            }
        }
        learned(rates, judgement, SHALLOW);
    });

    static final FigureClaim DEEPER = FIGURE.claim("deeper", """
        tests on deeper q = 6 examples show overall lower performance as compared to q = 3
        | Pooled over all training depths, models simplify significantly fewer Boolean expressions correctly at depth up
        to q = 6 than at depth up to q = 3, both in sample and out of sample (with answers that were held out from
        training).
        """, (rates, judgement) -> {
        for (Sample sample : Sample.values()) {
            SeedRate shallow = rates.overall(SHALLOW, sample);
            SeedRate deep = rates.overall(DEEP, sample);
            judgement.measure("tested on q = 3, " + sample, shallow);
            judgement.measure("tested on q = 6, " + sample, deep);
            judgement.below(sample + ", tested on q = 6", deep, "on q = 3", shallow);
        }
        learned(rates, judgement, SHALLOW, DEEP);
    });

    static final FigureClaim APPROACH = FIGURE.claim("approach", """
        The in-sample performance seems to increase as q approaches the target value q = 6
        | Models simplify Boolean expressions of depth up to q = 6 whose answers may occur in training. The rate of
        right answers grows with the training depth: it is significantly higher for models trained on q = 6 than for
        models trained on q = 1, and no training depth has a significantly lower rate than the next smaller one.
        """, (rates, judgement) -> {
        List<Integer> depths = rates.depths();
        List<SeedRate> all = depths.stream()
                .map(trained -> rates.rate(trained, DEEP, Sample.IN))
                .toList();
        for (int i = 0; i < depths.size(); i++) {
            judgement.measure(test(depths.get(i), DEEP) + ", " + Sample.IN, all.get(i));
        }
        learned(rates, judgement, DEEP);
        judgement.grows(
                depths.stream().map(trained -> "trained on q = " + trained).toList(), all);
    });

    static final FigureClaim OUT_OF_REACH = FIGURE.claim("out-of-sample", """
        "out-of-sample accuracy fluctuates around 1%", tested on q = 6.
        | On Boolean expressions of depth up to q = 6 with answers that were held out from training, the rate of right
        simplifications is significantly below 5% (our threshold) for every training depth.
        """, (rates, judgement) -> {
        for (int trained : rates.depths()) {
            SeedRate rate = rates.rate(trained, DEEP, Sample.OUT);
            judgement.measure(test(trained, DEEP) + ", " + Sample.OUT, rate, Relation.ABOUT, FEW);
            judgement.below("trained on q = " + trained, rate, HARDLY_ANY);
        }
        // Failure out of sample counts only if models have learned in sample.
        learned(rates, judgement, DEEP);
    });

    static final List<FigureClaim> CLAIMS = List.of(GAP, BEST, NEAREST, DEEPER, APPROACH, OUT_OF_REACH);

    private static String test(int trained, int tested) {
        return "trained on q = " + trained + ", tested on q = " + tested;
    }

    /** Requires, at each tested depth, that the best in-sample rate is above that of the majority answer. */
    private static void learned(SimplificationRates rates, Judgement judgement, int... tested) {
        for (int depth : tested) {
            SeedRate majority = rates.majority(depth, Sample.IN);
            String name = "always the majority answer, q = " + depth + ", in sample";
            judgement.measure(name, majority);
            judgement.learned(
                    "best rate, q = " + depth + ", in sample",
                    rates.best(depth, Sample.IN),
                    List.of(TrivialAnswer.of(name, majority)));
        }
    }

    /**
     * The trained models of figure 1: the proportions of Boolean expressions that they simplify.
     *
     * @param runs the runs by training depth, one per seed
     */
    record SimplificationRates(SortedMap<Integer, List<CellRecord>> runs) {

        static final int SHALLOW = 3;

        static final int DEEP = 6;

        private static final String QUESTIONS = "evaluation.questions";

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

        List<Integer> depths() {
            return List.copyOf(runs.keySet());
        }

        /** The rate of right answers to questions of depth {@code tested} after training on depth {@code trained}. */
        SeedRate rate(int trained, int tested, Sample sample) {
            return SeedRate.of(runs.getOrDefault(trained, List.of()), sample.measurement(tested), QUESTIONS);
        }

        SeedRate best(int tested, Sample sample) {
            return depths().stream()
                    .map(trained -> rate(trained, tested, sample))
                    .max(Comparator.comparingDouble(SeedRate::value))
                    .orElseThrow();
        }

        /** The rate over all training depths; for each seed, counts of all depths are pooled. */
        SeedRate overall(int tested, Sample sample) {
            List<CellRecord> all = runs.values().stream().flatMap(List::stream).toList();
            return SeedRate.of(FigureCells.by(all, CellRecord::seed).values().stream()
                    .map(ofSeed -> pooled(ofSeed, sample.measurement(tested)))
                    .toList());
        }

        SeedRate majority(int tested, Sample sample) {
            return SeedRate.of(
                    runs.getOrDefault(runs.firstKey(), List.of()), sample.measurement(tested) + ".majority", QUESTIONS);
        }

        /** Adds the training loss of whole lines and, if cells have it, the loss of only the right answers. */
        void losses(Judgement judgement) {
            runs.forEach((trained, ofDepth) -> {
                String model = ", trained on q = " + trained;
                loss(judgement, "training loss of whole lines" + model, ofDepth, "trainLoss");
                for (int tested : List.of(SHALLOW, DEEP)) {
                    for (Sample sample : Sample.values()) {
                        String name = "loss of only the answers" + model + ", tested on q = " + tested + ", " + sample;
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

        /** The proportion of right answers among all questions of several runs. */
        private static Measurement pooled(List<CellRecord> runs, String name) {
            List<Measurement> shares = runs.stream()
                    .map(run -> SeedRate.share(run, name, QUESTIONS))
                    .toList();
            int n = Math.toIntExact(shares.stream().mapToLong(Measurement::n).sum());
            double right = shares.stream()
                    .mapToDouble(share -> share.value() * share.n())
                    .sum();
            return Measurement.share(name, n, (int) Math.round(right));
        }

        Figure picture() {
            var series = new ArrayList<Series>();
            for (int tested : List.of(SHALLOW, DEEP)) {
                for (Sample sample : Sample.values()) {
                    series.add(line(tested, sample));
                }
                series.add(Series.level(
                        "q = " + tested + ", in sample, always the majority answer",
                        runs.firstKey(),
                        runs.lastKey(),
                        majority(tested, Sample.IN).value()));
            }
            return new Figure(
                    "Boolean simplification by the depth trained on",
                    "Share of expressions whose simplified form a trained model writes, of clauses of depth up to 3"
                            + " and up to 6, in sample and of functions held out; means over seeds. There is no closed"
                            + " form of this task. Compare Richard (2024), figure 1.",
                    "depth q trained on",
                    "share of right answers",
                    series);
        }

        private Series line(int tested, Sample sample) {
            return SeedRate.line(
                    "q = " + tested + ", " + sample,
                    depths(),
                    trained -> trained,
                    trained -> rate(trained, tested, sample));
        }
    }
}
