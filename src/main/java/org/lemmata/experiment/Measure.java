package org.lemmata.experiment;

import java.util.List;
import java.util.Optional;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.setting.Setting;

/** What is measured of a transformer besides its losses, as keys of the section {@code evaluation} ask for it. */
interface Measure {

    /**
     * A kind of measure.
     *
     * @param keys of the section {@code evaluation}
     * @param reader reads them
     */
    record Kind(List<Setting> keys, Reader reader) {

        /** Every kind, in the order in which their keys are listed and read. */
        static final List<Kind> ALL = List.of(
                new Kind(DyckCompletions.KEYS, DyckCompletions.Settings::read),
                new Kind(BooleanAnswers.KEYS, BooleanAnswers.Settings::read),
                new Kind(DyckContexts.KEYS, DyckContexts.Settings::read),
                new Kind(WeightMeasures.KEYS, WeightMeasures::read),
                new Kind(TestSequences.KEYS, TestSequences::read),
                new Kind(LawMeasures.KEYS, LawMeasures::read),
                new Kind(List.of(), TextPerplexity::read));
    }

    /** Reads the keys of a kind; empty if they ask for nothing. */
    @FunctionalInterface
    interface Reader {
        Optional<? extends Measure> read(Configuration section, TrainingTask task, TrainingData.Draw data);
    }

    /**
     * The model that a run measures.
     *
     * @param seed what is random in a measurement follows from
     */
    record Measured(Architecture architecture, PrecisionPolicy precision, Kernels kernels, long seed) {
        Parameters parameters(float[] values) {
            return new Parameters(architecture, values);
        }

        Transformer model(float[] values) {
            return new Transformer(parameters(values), precision, kernels);
        }
    }

    /** Tokens of the longest sequence that the model reads; 0 if that is the task's own. */
    default int longest() {
        return 0;
    }

    /** The key that asks for the longest sequence. */
    default String longestKey() {
        return "";
    }

    /**
     * Rejects a model that cannot be measured.
     *
     * @param section {@code evaluation}
     */
    default void requireFit(Configuration section, Architecture architecture) {
        if (longest() > architecture.maxLength()) {
            throw section.refusal(
                    longestKey(),
                    "expected at most the " + architecture.maxLength() + " positions of the model (model.max-length),"
                            + " got " + longest());
        }
    }

    /** What the curve calls it, if it is taken in each evaluation; empty if it is taken at the end alone. */
    default String inEvaluations() {
        return "";
    }

    /** The floating-point operations of taking it once. */
    default double cost(FlopCount count, TrainingPlan plan) {
        return 0;
    }

    /** Draws what it measures with. */
    Metric draw(TrainingData data, Measured measured);
}
