package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.model.Architecture;
import org.lemmata.model.part.FlopCount;
import org.lemmata.train.TrainingListener;

class TrainingCostTest extends MeasuredRunFixture {

    private static final String TRAINING = """
        steps: 10
        batch: 4
        accumulate: 3
        task: {name: dyck-words, settings: {N: 4}}
        data: {validation: 20, test: 30}
        model: {width: 8, layers: 2, attention: {heads: 2}}
        """;

    /** The cost of words of 8 brackets, of which 7 are predicted. */
    private static final FlopCount COUNT = new FlopCount(Architecture.gpt2(2, 8, 8, 2, 2, 32, 0));

    private static TrainingCost cost(String... overrides) throws IOException {
        return TrainingCost.of(TrainingPlan.read(settings(TRAINING, overrides)));
    }

    @Test
    void addsUpStepsAndEvaluations() throws IOException {
        TrainingCost cost = cost("evaluation.every=4");
        double step = 12 * COUNT.gradient(8, 36, 7);
        double example = COUNT.forward(8, 36, 7);
        assertThat(cost.step()).isEqualTo(step);
        assertThat(cost.total()).isEqualTo(10 * step + 3 * 20 * example + 30 * example);
    }

    @Test
    void completesPrefixesWithTheirCacheOrReadsThemAgain() throws IOException {
        String[] completions = {"evaluation.every=0", "evaluation.completions=5", "evaluation.deeper=3"};
        double cached = COUNT.forward(7, 28, 4);
        assertThat(cost(completions).completions()).isEqualTo(2 * 5 * cached);
        double again =
                COUNT.forward(4, 10, 4) + COUNT.forward(5, 15, 5) + COUNT.forward(6, 21, 6) + COUNT.forward(7, 28, 7);
        assertThat(cost(completions[0], completions[1], "precision.format=bfloat16")
                        .completions())
                .isEqualTo(5 * again);
        TrainingCost cost = cost(completions);
        // One round at the last step, one of the best parameters.
        assertThat(cost.total()).isEqualTo(10 * cost.step() + cost.validation() + cost.test() + 2 * cost.completions());
    }

    @ParameterizedTest
    @CsvSource({"10, 4", "8, 4", "5, 0", "3, 100", "4, 1"})
    void countsAsManyEvaluationsAsARunMakes(int steps, int every) throws IOException {
        String[] overrides = {"steps=" + steps, "evaluation.every=" + every, "curve=1"};
        var points = new ArrayList<TrainingListener.CurvePoint>();
        var listener = new TrainingListener() {
            @Override
            public void measured(TrainingListener.CurvePoint point) {
                points.add(point);
            }
        };
        try (TrainingRun run = TrainingRun.of(settings(TRAINING, overrides))) {
            run.train(directory.resolve("run"), false, listener, warning -> {});
        }
        assertThat(points).hasSize(steps);
        assertThat(points.stream().filter(point -> point.validationLoss() != null))
                .hasSize(cost(overrides).evaluations());
    }

    @Test
    void evaluatesNothingWithoutValidationAndCompletions() throws IOException {
        TrainingCost cost = cost("data.validation=0", "data.test=0");
        assertThat(cost.evaluations()).isZero();
        assertThat(cost.total()).isEqualTo(10 * cost.step());
    }

    @ParameterizedTest
    @CsvSource({"accuracy, 60", "last, 60", "by-length, 130", "accuracy last, 120", "accuracy last by-length, 220"})
    void measuresOnTheTestSetReadItAgain(String keys, int examples) throws IOException {
        String[] overrides = keys.replaceAll("(\\S+)", "evaluation.$1=true").split(" ", -1);
        double example = COUNT.forward(8, 36, 7);
        assertThat(cost(overrides).test() + cost(overrides).atEnd()).isEqualTo(examples * example);
    }

    @Test
    void theCostOfATrialIsThatOfItsRun() throws IOException {
        var trial = new TrainingTrial();
        assertThat(trial.cost(settings(TRAINING))).isEqualTo(cost().total());
        assertThat(trial.stepCost(settings(TRAINING))).isEqualTo(cost().step());
        assertThat(trial.costUnit()).isEqualTo("FLOP");
    }

    /** The length of sequences is that of the data set's files, not that of the task. */
    @Test
    void readsTheLengthOfSequencesFromFiles() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("manifest.json"), """
            {"task": "dyck-words", "settings": {"N": "4"}, "format": "tok", "vocabulary": ["(", ")"],
              "splits": {"train": {"file": "train.tok", "examples": 3}}}
            """);
        Files.writeString(data.resolve("train.tok"), "( ) ( )\n( ( ) )\n( ) ( )\n");
        TrainingCost cost = TrainingCost.of(plan("""
            steps: 10
            batch: 2
            task.file: %s
            data: {validation: 1}
            model: {width: 8, layers: 2, attention: {heads: 2}}
            """.formatted(data)));
        assertThat(cost.step()).isEqualTo(2 * COUNT.gradient(4, 10, 3));
        assertThat(cost.validation()).isEqualTo(COUNT.forward(4, 10, 3));
        assertThat(cost.test()).isZero();
        Files.writeString(data.resolve("manifest.json"), """
            {"format": "tok", "vocabulary": ["(", ")"], "splits": {"train": {}, "long": {"file": "long.tok"}}}
            """);
        Files.createDirectory(data.resolve("train"));
        Files.move(data.resolve("train.tok"), data.resolve("train/main.tok"));
        Files.writeString(data.resolve("long.tok"), "( ( ( ( ) ) ) )\n");
        TrainingCost own = TrainingCost.of(plan("""
            steps: 10
            task: {name: data, file: %s}
            model: {width: 8, layers: 2, max-length: 8, attention: {heads: 2}}
            evaluation: {by-length: true}
            """.formatted(data)));
        assertThat(own.atEnd()).isEqualTo(2 * (3 * COUNT.forward(4, 10, 3) + COUNT.forward(8, 36, 7)));
    }

    /** Of a text with a vocabulary, no file is read for its cost. */
    @Test
    void windowsOfATextAreReadForTheirPerplexity() throws IOException {
        TrainingPlan plan = plan("""
            steps: 10
            task: {text: %s, vocabulary: bytes, length: 16}
            data: {validation: 30, test: 20}
            model: {width: 8, layers: 1, positions: {kind: none}}
            evaluation: {text-lengths: [4096]}
            """.formatted(directory));
        var count = new FlopCount(architecture(plan));
        assertThat(TrainingCost.of(plan).atEnd())
                .isEqualTo(50 * count.forward(16, 16 * 17 / 2, 16) + 20 * count.forward(4096, 4096 * 4097 / 2, 4096));
    }

    @Test
    void measuresAStepThatIsTooLongByAShorterOne() throws IOException {
        var plan = TrainingPlan.read(settings(TRAINING, "batch=100000", "data.train=2"));
        // A nanosecond is over before the first step, so only one sequence is tried.
        assertThat(TrainingCost.TrainingSpeed.measure(plan, 1, Duration.ofNanos(1))
                        .perSecond())
                .isPositive();
    }
}
