package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;

/**
 * A measure of a transformer other than its training, validation and test loss, requested by keys of the section
 * {@code evaluation}.
 */
interface Measure {

    /** A kind of measure, with its keys in the section {@code evaluation}. */
    record Kind(List<Setting> keys, Reader reader) {

        /** All kinds, in the order in which their keys are listed and read. */
        static final List<Kind> ALL = List.of(
                new Kind(DyckCompletions.KEYS, DyckCompletions::read),
                new Kind(BooleanAnswers.KEYS, BooleanAnswers::read),
                new Kind(DyckContexts.KEYS, DyckContexts::read),
                new Kind(WeightMeasures.KEYS, WeightMeasures::read),
                new Kind(TestSequences.KEYS, TestSequences::read),
                new Kind(LawMeasures.KEYS, LawMeasures::read),
                new Kind(TextPerplexity.KEYS, TextPerplexity::read));
    }

    /** Reads the keys of a kind; empty if they request no measure. */
    @FunctionalInterface
    interface Reader {
        Optional<? extends Measure> read(Configuration section, TrainingTask task, TrainingData.Draw data);
    }

    /**
     * The model to measure.
     *
     * @param seed the seed of all random numbers in a measurement
     */
    record Measured(Architecture architecture, PrecisionPolicy precision, Kernels kernels, long seed) {
        Parameters parameters(float[] values) {
            return new Parameters(architecture, values);
        }

        Transformer model(float[] values) {
            return new Transformer(parameters(values), precision, kernels);
        }
    }

    /** A number of tokens and the key that requests it. */
    record Length(String key, int tokens) {

        /** The longest of {@code lengths}, with the start tokens of the task. */
        static Length of(String key, IntImmutableList lengths, TrainingTask task) {
            int longest = lengths.intStream().max().orElse(0);
            return new Length(key, longest == 0 ? 0 : longest + task.prefixed().length);
        }
    }

    /** The maximum number of tokens per sequence in this measure; 0 if the task's sequences are at least as long. */
    default Length longest() {
        return new Length("", 0);
    }

    /**
     * Rejects a model or a rounding that cannot be measured.
     *
     * @param section {@code evaluation}
     */
    default void requireFit(Configuration section, Architecture architecture, PrecisionPolicy precision) {
        Length longest = longest();
        section.refuseWhen(
                longest.tokens > architecture.maxLength(),
                longest.key,
                "at most the " + architecture.maxLength() + " positions of the model (model.max-length)",
                longest.tokens);
    }

    /**
     * The name of the measure in the training curve, if each evaluation takes it. Empty if it is taken only at the end.
     */
    default String inEvaluations() {
        return "";
    }

    default double cost(FlopCount count, TrainingPlan plan) {
        return 0;
    }

    Metric draw(TrainingData data, Measured measured);

    /** Measurements with confidence intervals. */
    @FunctionalInterface
    interface Metric {

        /** The measurements; their names are distinct, and they depend only on the parameters. */
        List<Measurement> measurements(float[] parameters);

        default SortedMap<String, Double> measure(float[] parameters) {
            var values = new TreeMap<String, Double>();
            measurements(parameters).forEach(measurement -> values.put(measurement.name(), measurement.value()));
            return values;
        }
    }
}
