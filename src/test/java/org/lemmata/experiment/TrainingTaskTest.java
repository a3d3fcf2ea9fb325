package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lemmata.config.Configuration;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;

/** The examples from which a model learns. */
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
}
