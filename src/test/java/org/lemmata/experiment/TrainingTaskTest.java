package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.part.FlopCount;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingListener.CurvePoint;

/** The examples from which a model learns, and the cost of learning from them. */
class TrainingTaskTest extends MeasuredRunFixture {

    private static final TrainingTask PLAIN = new TrainingTask(new DyckWords(2, 1, 2), null, false);
    private static final TrainingTask STARTED = new TrainingTask(new DyckWords(2, 1, 2), null, true);

    private static TrainingData data(TrainingTask task, String yaml) throws IOException {
        Configuration section = settings(yaml).section("data");
        section.flag("start");
        return TrainingData.read(section, task, 7).draw();
    }

    private TrainingTask ofFiles(boolean start) throws IOException {
        return TrainingTask.read(settings("task: {file: '" + directory + "'}").section("task"), start);
    }

    @Test
    void theStartStandsBeforeTheSequenceAndItsSuccessorIsExpected() {
        assertThat(STARTED.vocabulary().symbols()).containsExactly("(", ")", "<start>");
        assertThat(STARTED.length()).isEqualTo(5);
        assertThat(STARTED.prepared(Example.nextToken(0, 1, 0, 1))).isEqualTo(Example.nextToken(2, 0, 1, 0, 1));
        assertThat(STARTED.prepared(new Example(new int[] {0, 1, 1}, new int[] {0}, new int[] {2})))
                .isEqualTo(new Example(new int[] {2, 0, 1, 1}, new int[] {0}, new int[] {3}));
        assertThat(STARTED.prepared(Example.regression(new int[] {0, 1}, 0.5f)))
                .isEqualTo(Example.regression(new int[] {2, 0, 1}, 0.5f));
        assertThat(STARTED.bare(STARTED.prefixed(0, 1))).containsExactly(0, 1);
    }

    @Test
    void withoutAStartNothingIsAdded() {
        assertThat(PLAIN.vocabulary().symbols()).containsExactly("(", ")");
        assertThat(PLAIN.length()).isEqualTo(4);
        assertThat(PLAIN.prepared(Example.nextToken(0, 1, 0, 1))).isEqualTo(Example.nextToken(0, 1, 0, 1));
        assertThat(PLAIN.bare(PLAIN.prefixed(0, 1))).containsExactly(0, 1);
    }

    @Test
    void distinctSetsShareNothing() throws IOException {
        var task = new TrainingTask(new DyckWords(4, 1, 4), null, false);
        TrainingData data = data(task, "data: {train: 8, distinct: true, validation: 3, test: 4}");
        Set<Example> train = new HashSet<>(data.trainingSet());
        assertThat(train).hasSize(8);
        assertThat(data.validation()).hasSize(3).doesNotHaveDuplicates().noneMatch(train::contains);
        assertThat(data.test()).hasSize(4).doesNotHaveDuplicates().noneMatch(train::contains);
        DistinctWords words = data.words().orElseThrow();
        assertThat(words.begun(data.test().stream().map(Example::inputs).toList()))
                .isZero();
        assertThat(words.begun(data.trainingSet().stream().map(Example::inputs).toList()))
                .isEqualTo(8);
        ExampleStream stream = data.training();
        assertThat(new HashSet<>(stream.take(8))).isEqualTo(train);
        assertThat(new HashSet<>(stream.take(8))).isEqualTo(train);
    }

    /** Words stored as bits equal those stored as objects: the examples of draws 0, 1, ... without repetitions. */
    @Test
    void distinctWordsAreTheFirstOnesDrawn() throws IOException {
        for (TrainingTask task : List.of(PLAIN, STARTED)) {
            var drawn = new OnlineExamples(task::sample, 7, Split.TRAIN);
            assertThat(data(task, "data: {train: 2, distinct: true, validation: 0, test: 0}")
                            .trainingSet())
                    .isEqualTo(drawn.takeDistinct(2, example -> false));
        }
    }

    @Test
    void moreDistinctWordsThanThereAreAreRefusedBeforeAnythingIsDrawn() {
        var task = new TrainingTask(new DyckWords(16, 1, 4), null, false);
        assertThatThrownBy(() -> data(task, "data: {train: 10_000_000, distinct: true, validation: 0, test: 16}"))
                .hasMessageContaining("data.train: expected at most 7174454 distinct words together with the 16 held"
                        + " out, got 10000000");
    }

    @Test
    void splitsAreDrawnApart() throws IOException {
        var task = new TrainingTask(new DyckWords(30, 1, 30), null, false);
        TrainingData data = data(task, "data: {validation: 20, test: 20}");
        Set<Example> train = new HashSet<>(data.training().take(20));
        assertThat(data.trainingSet()).isEmpty();
        assertThat(train).hasSize(20).doesNotContainAnyElementsOf(data.validation());
        assertThat(train).doesNotContainAnyElementsOf(data.test());
        assertThat(data.validation()).doesNotContainAnyElementsOf(data.test());
    }

    @Test
    void filesAreSplitAsTheyLie() throws IOException {
        Files.writeString(directory.resolve("manifest.json"), """
            {"task": "dyck-words", "settings": {"N": "1"}, "format": "tok", "vocabulary": ["(", ")"], "splits": {
              "train": {"file": "train.tok", "examples": 5}, "test": {"file": "test.tok", "examples": 2}}}
            """);
        Files.writeString(directory.resolve("train.tok"), "( )\n( (\n) (\n) )\n( ( (\n");
        Files.writeString(directory.resolve("test.tok"), "( )\n) )\n");
        TrainingTask task = ofFiles(true);
        assertThat(task.task().defaultLength()).isEqualTo(2);

        TrainingData some = data(task, "data: {train: 2, validation: 2, test: 1}");
        assertThat(some.trainingSet()).containsExactly(Example.nextToken(2, 0, 1), Example.nextToken(2, 0, 0));
        assertThat(some.validation()).containsExactly(Example.nextToken(2, 1, 1), Example.nextToken(2, 0, 0, 0));
        assertThat(some.test()).containsExactly(Example.nextToken(2, 0, 1));

        TrainingData all = data(task, "seed: 1");
        assertThat(all.trainingSet()).hasSize(5);
        assertThat(all.validation()).isEmpty();
        assertThat(all.test()).hasSize(2);
        assertThatThrownBy(() -> data(task, "data: {train: 4, validation: 2}"))
                .hasMessageContaining("data.train: expected an integer from 1 to 3, got 4");
        assertThatThrownBy(() -> data(task, "data: {train: online}"))
                .hasMessageContaining("data.train: expected an integer from 1 to 5, got 'online'");
    }

    @Test
    void filesWithAValidationSetAreTrainedOnWhole() throws IOException {
        Files.writeString(directory.resolve("manifest.json"), """
            {"task": "dyck-words", "settings": {"N": "1"}, "format": "txt", "vocabulary": ["(", ")"], "splits": {
              "train": {"file": "train.txt", "examples": 12},
              "validation": {"file": "validation.txt", "examples": 3}}}
            """);
        Files.writeString(directory.resolve("train.txt"), "()\n".repeat(12));
        Files.writeString(directory.resolve("validation.txt"), "((\n))\n)(\n");
        TrainingTask task = ofFiles(false);
        TrainingData all = data(task, "seed: 1");
        assertThat(all.trainingSet()).hasSize(12).containsOnly(Example.nextToken(0, 1));
        assertThat(all.validation())
                .containsExactly(Example.nextToken(0, 0), Example.nextToken(1, 1), Example.nextToken(1, 0));
        assertThat(all.test()).isEmpty();
        TrainingData some = data(task, "data: {train: 7, validation: 1}");
        assertThat(some.trainingSet()).hasSize(7);
        assertThat(some.validation()).containsExactly(Example.nextToken(0, 0));
        assertThatThrownBy(() -> data(task, "data: {validation: 4}"))
                .hasMessageContaining("data.validation: expected an integer from 0 to 3, got 4");
    }

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
        var points = new ArrayList<CurvePoint>();
        var listener = new TrainingListener() {
            @Override
            public void measured(CurvePoint point) {
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
