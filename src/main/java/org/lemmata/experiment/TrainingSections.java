package org.lemmata.experiment;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;

/**
 * All keys of a training configuration, with defaults and meanings. Each part is next to its reader.
 * docs/notes/training-keys.md lists the same keys, and a test compares the two.
 */
public final class TrainingSections {

    private static final Section EVALUATION = Section.of(
            "evaluation",
            Stream.concat(
                            Stream.of(Setting.table("""
                                every | 100 | steps from one evaluation to the next, or with `epochs` epochs; 0 for one
                                  at the end alone
                                """), TestMeasures.KEYS),
                            Measure.Kind.ALL.stream().map(Measure.Kind::keys))
                    .flatMap(List::stream)
                    .toList(),
            DyckContexts.SECTION);

    private static final Section STOP = Section.of("stop", Setting.table("""
        loss | none | the run ends when the loss of a step is below it
        patience | none | the run ends after so many evaluations without a better validation loss
        """));

    private static final Section CHECKPOINT = Section.of("checkpoint", Setting.table("""
        every | 1000 | steps from one checkpoint to the next; 0 for none but at the end, or when interrupted
        """));

    /** The whole configuration. */
    public static final Section TRAINING = Section.of(
            "",
            Setting.table("""
                seed | 1 | what everything random follows from
                threads | all | threads to compute on; the results do not depend on it
                steps | | steps of the optimizer, at most; must be given unless `epochs` is
                implied epochs | none | instead of `steps`: passes over a training set, whose batches then end with
                  their pass
                batch | 32 | examples of a gradient
                accumulate | 1 | batches of a step, whose gradients are averaged
                curve | 10 | steps from one line of curve.jsonl to the next
                """),
            TrainingTask.SECTION,
            TrainingData.SECTION,
            ModelReader.SECTION,
            InitializationReader.SECTION,
            OptimizerReader.SECTION,
            OptimizerReader.SCHEDULE,
            PrecisionReader.SECTION,
            EVALUATION,
            STOP,
            CHECKPOINT);

    private TrainingSections() {}
}
