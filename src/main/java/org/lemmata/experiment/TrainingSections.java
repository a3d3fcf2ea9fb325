package org.lemmata.experiment;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;

/**
 * All keys of a training configuration, with defaults and meanings. The keys of each part are defined next to the code
 * that reads them. docs/notes/training-keys.md lists the same keys; a test compares both lists.
 */
public final class TrainingSections {

    private static final Section EVALUATION = Section.of(
            "evaluation",
            Stream.concat(
                            Stream.of(Setting.table("""
                                every | 100 | steps between evaluations, or epochs if `epochs` is set; 0 evaluates only
                                  at the end
                                """), TrainingPlan.TestMeasures.KEYS),
                            Measure.Kind.ALL.stream().map(Measure.Kind::keys))
                    .flatMap(List::stream)
                    .toList(),
            DyckContexts.SECTION);

    private static final Section STOP = Section.of("stop", Setting.table("""
        loss | none | the run ends when the loss of a step is below this value
        patience | none | the run ends after this many evaluations without a better validation loss
        """));

    private static final Section CHECKPOINT = Section.of("checkpoint", Setting.table("""
        every | 1000 | steps between checkpoints; 0 for none except at the end or on an interruption
        """));

    public static final Section TRAINING = Section.of(
            "",
            Setting.table("""
                seed | 1 | random seed of the run
                threads | all | number of threads; the results do not depend on it
                steps | | maximum number of optimizer steps; must be given unless `epochs` is
                implied epochs | none | instead of `steps`: number of passes over the training set; no batch spans two
                  passes
                batch | 32 | examples per gradient
                accumulate | 1 | batches per step, whose gradients are averaged
                curve | 10 | steps between lines of curve.jsonl
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
