package org.lemmata.figure.symbol;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Interval;
import org.lemmata.track.CellRecord;

/**
 * Runs of template tasks, with ascending seeds. Their loss is the loss on the test set after the epoch with the best
 * validation loss (appendix A). The symbols of the test set occur neither in training nor in validation.
 */
record TemplateRuns(Answer answer, List<CellRecord> records) {

    enum Answer {
        /** A label, of mean 0 and variance 1 ("will achieve test loss of 1", figure 14). */
        LABEL("squared error"),
        /** The value of one variable, in a program of two variables. */
        VALUE("nats"),
        /** The symbol in the sequence. */
        COPY("nats");

        private final String unit;

        Answer(String unit) {
            this.unit = unit;
        }

        /**
         * The best trivial baseline: an answer that ignores the sequence or program.
         *
         * @param run a run whose vocabulary has the symbols of training, validation and test
         */
        TrivialAnswer trivial(CellRecord run) {
            return this == LABEL
                    ? new TrivialAnswer("always 0", 1)
                    : new TrivialAnswer(
                            "any symbol of the vocabulary",
                            Math.log(run.integer("task.settings.alphabet") + 2 * run.integer("task.settings.heldOut")));
        }

        String plotted() {
            return this == LABEL ? "test loss" : "wrong answers";
        }
    }

    static TemplateRuns of(FigureCells cells, Answer answer) {
        return new TemplateRuns(
                answer,
                cells.records().stream()
                        .sorted(Comparator.comparingLong(CellRecord::seed))
                        .toList());
    }

    private static Optional<Double> number(CellRecord run, String setting) {
        return Optional.ofNullable(run.settings().get(setting)).map(any -> run.number(setting));
    }

    TemplateRuns with(Predicate<CellRecord> condition) {
        return new TemplateRuns(answer, records.stream().filter(condition).toList());
    }

    TemplateRuns with(TemplateAxis axis, double value) {
        return with(
                run -> number(run, axis.setting()).filter(own -> own == value).isPresent());
    }

    NavigableMap<Double, TemplateRuns> by(TemplateAxis axis) {
        var by = new TreeMap<Double, TemplateRuns>();
        records.forEach(run ->
                number(run, axis.setting()).ifPresent(value -> by.computeIfAbsent(value, key -> with(axis, key))));
        return by;
    }

    SortedMap<String, TemplateRuns> lines(TemplateAxis axis) {
        var lines = new TreeMap<String, TemplateRuns>();
        by(axis).forEach((value, some) -> lines.put(axis.at(value), some));
        return lines;
    }

    int seeds() {
        return (int) records.stream().mapToLong(CellRecord::seed).distinct().count();
    }

    /**
     * "The learning rate for each curve is picked as the one achieving best generalization": by validation.
     *
     * @param rates the rates to pick from
     */
    TemplateRuns atBestRate(Set<Double> rates) {
        return by(TemplateAxis.RATE).entrySet().stream()
                .filter(rate -> rates.contains(rate.getKey()))
                .map(Map.Entry::getValue)
                .min(Comparator.comparingDouble(TemplateRuns::validation))
                .orElseThrow();
    }

    TemplateRuns atBestRate() {
        return atBestRate(by(TemplateAxis.RATE).keySet());
    }

    /** A loss for each seed; for a diverged run, the trivial baseline's loss. */
    double[] losses(String name) {
        return FigureCells.ofOneModel(records).stream()
                .mapToDouble(
                        run -> FigureCells.value(run, name, answer.trivial(run).value()))
                .toArray();
    }

    TrivialAnswer trivial() {
        return answer.trivial(records.getFirst());
    }

    double[] losses() {
        return losses("testLoss");
    }

    SeedMean loss() {
        return SeedMean.of(losses());
    }

    /**
     * The quantity that the authors plot (the test loss or the share of wrong answers), as an arithmetic mean like
     * theirs.
     */
    SeedMean plotted() {
        double[] values = answer == Answer.LABEL
                ? losses()
                : records.stream()
                        .mapToDouble(run -> 1 - FigureCells.value(run, "testAccuracy", 0))
                        .toArray();
        double mean = Arrays.stream(values).average().orElseThrow();
        return new SeedMean(mean, values.length > 1 ? Interval.mean(values) : Interval.exact(mean), values.length);
    }

    /** The plotted quantity of the trivial baseline. With n symbols, the baseline is right in one of n cases. */
    TrivialAnswer plottedTrivial() {
        TrivialAnswer trivial = trivial();
        return answer == Answer.LABEL ? trivial : new TrivialAnswer(trivial.name(), 1 - Math.exp(-trivial.value()));
    }

    SeedMean lastLoss() {
        return SeedMean.of(losses("lastTestLoss"));
    }

    double validation() {
        return SeedMean.of(losses("validationLoss")).value();
    }

    SeedRate accuracy() {
        return SeedRate.of(records, "testAccuracy", "data.test");
    }

    void measure(String name, Judgement judgement) {
        judgement.measure(loss().measured("test loss, " + name, answer.unit));
        if (answer != Answer.LABEL) {
            judgement.measure(plotted().measured(answer.plotted() + ", " + name, "probability"));
        }
    }

    void learned(String name, Judgement judgement) {
        judgement.learned(loss().measured("test loss, " + name, answer.unit), Judgement.Side.BELOW, List.of(trivial()));
    }

    /** Requires that the test loss, relative to {@code other}'s for each seed, is significantly below 1. */
    void below(String name, TemplateRuns other, String otherName, Judgement judgement) {
        TemplateAxis.ask(
                SeedMean.ratio(losses(), other.losses()),
                "test loss, " + name + ", over that of " + otherName,
                TemplateAxis::isBelowOne,
                judgement);
    }

    /**
     * The model that a run trained.
     *
     * @param perceptron whether it is a multilayer perceptron
     * @param incidence whether the perceptron also reads X Xᵀ
     * @param keyQuery whether the heads have a I
     * @param valueOutput whether the heads have b I
     * @param ownRate whether a and b have a separate learning rate or, equivalently with Adam, a multiplier of 100
     */
    record TemplateModel(
            boolean perceptron, boolean incidence, boolean keyQuery, boolean valueOutput, boolean ownRate) {

        static final TemplateModel TRANSFORMER = new TemplateModel(false, false, false, false, false);

        static final TemplateModel WITH_BOTH = new TemplateModel(false, false, true, true, false);

        static final TemplateModel PERCEPTRON = new TemplateModel(true, false, false, false, false);

        static final TemplateModel WITH_INCIDENCE = new TemplateModel(true, true, false, false, false);

        static TemplateModel of(CellRecord run) {
            Map<String, String> settings = run.settings();
            boolean identities = "true".equals(settings.get("model.attention.identities"));
            boolean keyQuery = identities;
            boolean valueOutput = identities;
            boolean ownRate =
                    Double.parseDouble(settings.getOrDefault("model.attention.identity-multiplier", "0")) >= 100;
            for (int i = 0; settings.containsKey("optimizer.groups." + i + ".match"); i++) {
                String group = "optimizer.groups." + i + ".";
                boolean frozen = "true".equals(settings.get(group + "frozen"));
                String match = settings.getOrDefault(group + "match", "");
                keyQuery &= !(frozen && match.contains("key_query"));
                valueOutput &= !(frozen && match.contains("value_output"));
                ownRate |= !frozen && settings.containsKey(group + "learning-rate");
            }
            return new TemplateModel(
                    "mlp".equals(settings.get("model.kind")),
                    "true".equals(settings.get("model.incidence")),
                    keyQuery,
                    valueOutput,
                    ownRate);
        }

        TemplateModel atOwnRate() {
            return new TemplateModel(perceptron, incidence, keyQuery, valueOutput, true);
        }

        TemplateRuns of(TemplateRuns runs) {
            return runs.with(run -> of(run).equals(this));
        }

        static SortedMap<String, TemplateRuns> lines(TemplateRuns runs) {
            var lines = new TreeMap<String, TemplateRuns>();
            runs.records().stream()
                    .map(TemplateModel::of)
                    .distinct()
                    .forEach(model -> lines.put(model.toString(), model.of(runs)));
            return lines;
        }

        @Override
        public String toString() {
            if (perceptron) {
                return incidence ? "MLP with X X^T" : "MLP";
            }
            if (!keyQuery && !valueOutput) {
                return "transformer";
            }
            return "transformer with "
                    + (keyQuery && valueOutput ? "a I and b I" : keyQuery ? "a I" : "b I")
                    + (ownRate ? " at their own rate" : "");
        }
    }
}
