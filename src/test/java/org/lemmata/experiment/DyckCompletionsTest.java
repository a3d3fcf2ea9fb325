package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.config.Configuration;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.experiment.DyckCompletions.Asked;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;

class DyckCompletionsTest extends MeasuredRunFixture {

    private static final int PAIRS = 8;
    private static final int LENGTH = 2 * PAIRS;
    private static final DyckWords SHALLOW = new DyckWords(PAIRS, 1, 3);

    private static final TrainingTask PLAIN = new TrainingTask(SHALLOW, null, false);
    private static final TrainingTask STARTED = new TrainingTask(SHALLOW, null, true);

    private static TrainingData.Draw data(TrainingTask task, Configuration root) throws IOException {
        Configuration section = root.section("data");
        section.flag("start");
        return TrainingData.read(section, task, 3);
    }

    private record Completions(SortedMap<String, List<int[]>> prefixes, List<Asked> asked, Measure.Metric metric) {

        Map<String, Double> measure(float... weights) {
            return metric.measure(weights);
        }
    }

    private static Completions completions(TrainingTask task, Architecture architecture, String yaml)
            throws IOException {
        Configuration root = settings(yaml);
        TrainingData.Draw draw = data(task, root);
        DyckCompletions read =
                DyckCompletions.read(root.section("evaluation"), task, draw).orElseThrow();
        SortedMap<String, List<int[]>> prefixes = read.prefixes(draw.draw(), 3);
        var measured = new Measure.Measured(architecture, PrecisionPolicy.none(), Kernels.best(), 3);
        return new Completions(prefixes, read.asked(prefixes, 3), read.draw(draw.draw(), measured));
    }

    private static Completions ofCompleter(String evaluation) throws IOException {
        return completions(PLAIN, completer().architecture(), "evaluation: " + evaluation);
    }

    /** Theorem 4.1 of Richard (2024): a model that completes every prefix to a balanced word. */
    private static Parameters completer() {
        int[] word = DyckWords.ids("(()())(())()()()");
        return new DyckCompleterByPositionSums(SHALLOW.vocabulary(), word, -0.5)
                .build()
                .narrow(Rounding.toNearestEven(FloatFormat.BINARY32));
    }

    @Test
    void prefixesAreOfTheirKinds() throws IOException {
        Completions completions = ofCompleter("{completions: 400, deeper: 5}");
        List<int[]> inSample = completions.prefixes().getOrDefault("inSample", List.of());
        assertThat(inSample).hasSize(400).allMatch(prefix -> isPrefix(prefix) && DyckWords.depth(prefix) <= 3);
        assertThat(lengths(inSample)).containsExactlyElementsOf(range(1));
        List<int[]> deeper = completions.prefixes().getOrDefault("deeper", List.of());
        assertThat(deeper).hasSize(400).allMatch(prefix -> isPrefix(prefix) && DyckWords.depth(prefix) >= 5);
        assertThat(lengths(deeper)).containsExactlyElementsOf(range(5));
    }

    private static boolean isPrefix(int[] ids) {
        return DyckWords.isPrefix(ids, PAIRS);
    }

    private static List<Integer> lengths(List<int[]> prefixes) {
        return prefixes.stream()
                .map(prefix -> prefix.length)
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Integer> range(int first) {
        return Stream.iterate(first, length -> length + 1).limit(LENGTH - first).toList();
    }

    @Test
    void prefixesInSampleAreOfTheTrainingSetWhereThereIsOne() throws IOException {
        String data = "data: {train: 2, validation: 0, test: 0}\n";
        Completions completions =
                completions(STARTED, completer().architecture(), data + "evaluation: {completions: 100}");
        List<Example> words = data(STARTED, settings(data)).draw().trainingSet();
        assertThat(completions.prefixes().keySet()).containsExactly("inSample");
        assertThat(completions.prefixes().get("inSample"))
                .allMatch(prefix -> words.stream()
                        .anyMatch(word -> Arrays.equals(
                                STARTED.prefixed(prefix), Arrays.copyOf(word.inputs(), prefix.length + 1))));
    }

    /** A prefix that lacks only the last bracket belongs to a single word. */
    @Test
    void unseenPrefixesAreOfOtherWordsThanThoseTrainedOn() throws IOException {
        String data = "data: {train: 300, distinct: true, validation: 0, test: 0}\n";
        Completions completions = completions(
                STARTED, completer().architecture(), data + "evaluation: {completions: 400, deeper: 4, unseen: true}");
        DistinctWords trained = data(STARTED, settings(data)).draw().words().orElseThrow();
        assertThat(completions.prefixes().keySet()).containsExactly("deeper", "inSample", "unseen");
        List<int[]> unseen = completions.prefixes().getOrDefault("unseen", List.of());
        assertThat(unseen).hasSize(400).allMatch(prefix -> isPrefix(prefix) && DyckWords.depth(prefix) <= 3);
        List<int[]> whole =
                unseen.stream().filter(prefix -> prefix.length == LENGTH - 1).toList();
        assertThat(whole).hasSizeGreaterThan(10);
        assertThat(trained.begun(whole)).isZero();
        assertThat(trained.begun(completions.prefixes().getOrDefault("inSample", List.of())))
                .isEqualTo(400);
    }

    @Test
    void aModelThatCompletesEveryPrefixHasTheRateOneAndOneThatAlwaysOpensZero() throws IOException {
        float[] weights = completer().values();
        Completions completions = ofCompleter("{completions: 50, deeper: 5}");
        assertThat(completions.measure(weights)).isEqualTo(Map.of("inSample", 1.0, "deeper", 1.0));
        // All logits are equal, so the first token is chosen.
        assertThat(completions.measure(new float[weights.length])).isEqualTo(Map.of("inSample", 0.0, "deeper", 0.0));
    }

    /** If all logits are equal, greedy brackets are all the same, and sampled ones are those of a fair coin. */
    @Test
    void eachPrefixIsCompletedOnceMoreSampled() throws IOException {
        float[] weights = completer().values();
        Completions completions = ofCompleter("{completions: 500, deeper: 5, also-sampled: true, decoding: greedy}");
        Map<String, Double> measured = completions.measure(new float[weights.length]);
        assertThat(measured).containsOnlyKeys("inSample", "deeper", "inSample.sampled", "deeper.sampled");
        assertThat(measured).containsEntry("inSample", 0.0).containsEntry("deeper", 0.0);
        // A prefix that lacks one bracket is completed correctly in half of the cases.
        assertThat(measured.get("inSample.sampled")).isBetween(0.02, 0.4);
        assertThat(measured.get("deeper.sampled")).isBetween(0.02, 0.4);
        assertThat(completions.measure(weights))
                .isEqualTo(Map.of("inSample", 1.0, "deeper", 1.0, "inSample.sampled", 1.0, "deeper.sampled", 1.0));
    }

    @Test
    void prefixesOfOtherLengthsAreOfTheTasksWords() throws IOException {
        Architecture architecture = Architecture.uniformHead(3, 41, 1, false);
        Completions completions =
                completions(STARTED, architecture, "evaluation: {completions: 500, completion-lengths: [16, 40, 8]}");
        assertThat(completions.asked)
                .extracting(Asked::name)
                .containsExactly("inSample", "length.8", "length.16", "length.40");
        for (Asked asked : completions.asked.subList(1, 4)) {
            int length = asked.length() - 1;
            assertThat(asked.name()).isEqualTo("length." + length);
            assertThat(asked.prefixes())
                    .hasSize(500)
                    .allMatch(prefix -> DyckWords.isPrefix(prefix, length / 2) && DyckWords.depth(prefix) <= 3)
                    .extracting(prefix -> prefix.length)
                    .contains(1, length - 1)
                    .allMatch(tokens -> tokens < length);
        }
    }

    /** E is 1, -1 and -1/2 for brackets and start, so the sum is the stack minus 1/2 at every length. */
    @Test
    void aModelThatCountsFromTheStartCompletesEveryLength() throws IOException {
        Architecture architecture = Architecture.uniformHead(3, 129, 1, false);
        Completions completions =
                completions(STARTED, architecture, "evaluation: {completions: 40, completion-lengths: [2, 128]}");
        assertThat(completions.measure(new float[] {1, -1, -0.5f, -1}))
                .isEqualTo(Map.of("inSample", 1.0, "length.2", 1.0, "length.128", 1.0));
    }

    /**
     * Claim 5.3 of Richard (2024) for words of 16 brackets, times 17. With 17 or more pairs, it also opens at height 1.
     */
    @Test
    void aModelBuiltForOneLengthCompletesTwiceThat() throws IOException {
        Architecture architecture = Architecture.uniformHead(2, 64, 1, false);
        Completions completions =
                completions(PLAIN, architecture, "evaluation: {completions: 40, completion-lengths: [32, 36, 64]}");
        assertThat(completions.measure(new float[] {16, -17, -1}))
                .isEqualTo(Map.of("inSample", 1.0, "length.32", 1.0, "length.36", 0.0, "length.64", 0.0));
    }

    @Test
    void lengthsOfCompletionsAreRoomAndCost() throws IOException {
        String model = """
            steps: 1
            task: {name: dyck-words, settings: {N: 4}}
            model: {width: 4, layers: 1, positions: {kind: none}}
            data: {start: true, validation: 0, test: 0}
            """;
        TrainingPlan without = plan(model + "evaluation: {completions: 6}");
        TrainingPlan with = plan(model + "evaluation: {completions: 6, completion-lengths: [20, 40]}");
        assertThat(architecture(without).maxLength()).isEqualTo(9);
        assertThat(architecture(with).maxLength()).isEqualTo(41);
        var count = new FlopCount(architecture(with));
        // Half of a word is read, the rest generated except the last; once after the step, once at the end.
        double expected = 2 * 6 * (count.forward(20, count.pairs(20), 10) + count.forward(40, count.pairs(40), 20));
        assertThat(TrainingCost.of(with).total() - TrainingCost.of(without).total())
                .isCloseTo(expected, within(1e-6 * expected));
    }

    @Test
    void aStartWithinACompletionIsNoBracket() throws IOException {
        Architecture architecture = Architecture.uniformHead(3, STARTED.length(), 1, false);
        Completions completions = completions(STARTED, architecture, "evaluation: {completions: 20}");
        // The start's embedding is the maximum, so its logit is the maximum after any prefix.
        assertThat(completions.measure(new float[] {1, 1, 5, 1})).isEqualTo(Map.of("inSample", 0.0));
    }
}
