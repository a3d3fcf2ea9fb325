package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.config.Configuration;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.experiment.DyckCompletions.Asked;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;

/** The measurements for the figures of Richard (2024), from the configuration to the results. */
class TrainedMeasuresTest extends MeasuredRunFixture {

    private static final String RUN = """
        seed: 3
        steps: 4
        batch: 4
        task: {name: dyck-words, settings: {N: 5, maxDepth: 3}}
        model: {width: 4, layers: 2}
        """;

    private static final String ALL = """
        data: {train: 15, distinct: true, validation: 0, test: 12}
        evaluation: {every: 0, completions: 30, deeper: 4, unseen: true, distinct: true, decoding: sampled,
          trials: 50, spectrum: 4, position-clusters: 3, contexts: {deep: '((((', first: 6}}
        """;

    @Test
    void everythingIsMeasuredOnceWithTheSameBitsForAnyThreads() throws IOException {
        Map<String, Measurement> measured = run("one", 1, RUN + ALL);
        assertThat(run("three", 3, RUN + ALL)).isEqualTo(measured);
        for (String rate : List.of("inSample", "deeper", "unseen")) {
            assertThat(of(measured, "completions." + rate).n()).isEqualTo(30);
        }
        assertThat(value(measured, "completions.deeperInTraining")).isZero();
        assertThat(value(measured, "completions.unseenInTraining")).isPositive();
        assertThat(value(measured, "testInTraining")).isZero();
        assertThat(of(measured, "testInTraining").n()).isEqualTo(12);
        for (String context : List.of("deep", "first")) {
            List<Measurement> words = measured.values().stream()
                    .filter(each -> each.name().startsWith("contexts." + context + "."))
                    .toList();
            assertThat(words.stream().mapToDouble(Measurement::value).sum()).isEqualTo(50);
            double balanced = words.stream()
                    .filter(each -> DyckWords.isBalanced(
                            DyckWords.ids(each.name().substring(each.name().lastIndexOf('.') + 1))))
                    .mapToDouble(Measurement::value)
                    .sum();
            assertThat(value(measured, "contexts." + context)).isEqualTo(balanced / 50);
        }
        assertThat(measured.keySet()).contains("spectrum.real.3", "spectrum.cosine.0", "spectrum.stableRank");
        assertThat(measured.values().stream()
                        .filter(each -> each.name().startsWith("positions.size."))
                        .mapToDouble(Measurement::value)
                        .sum())
                .isEqualTo(4);
        assertThat(value(measured, "positions.centre.2.9"))
                .isLessThanOrEqualTo(value(measured, "positions.centre.0.9"));
    }

    /** An untrained model samples brackets like a fair coin, and always opens if greedy. */
    @Test
    void sampledCompletionsAreDrawn() throws IOException {
        String coin = """
            optimizer.learning-rate: 0
            initialization.standard-deviation: 1e-30
            evaluation: {every: 0, completions: 2000, decoding: %s, contexts: {deep: '(((('}, trials: 4000}
            data: {validation: 0, test: 0}
            """;
        Map<String, Measurement> greedy = run("greedy", 2, RUN + coin.formatted("greedy"));
        assertThat(value(greedy, "completions.inSample")).isLessThan(0.15);
        Map<String, Measurement> sampled = run("sampled", 2, RUN + coin.formatted("sampled"));
        // Of 2^6 completions of four open brackets to ten, 5 are balanced: 4000 * 5 / 64 = 312, with a standard
        // deviation of 17. Prefixes that lack one bracket are completed in half of the cases.
        assertThat(value(sampled, "contexts.deep") * 4000).isBetween(227.0, 398.0);
        assertThat(value(sampled, "completions.inSample")).isBetween(0.1, 0.4);
    }

    @Test
    void trialsOfContextsAreCounted() throws IOException {
        double without = TrainingCost.of(plan(RUN)).total();
        TrainingPlan plan = plan(RUN + "evaluation: {trials: 7, contexts: {a: '((', b: '((((()'}}");
        var count = new FlopCount(architecture(plan));
        double trial = 2 * count.forward(9, count.pairs(9), 0);
        double rows = count.forward(9, count.pairs(9), 8) + count.forward(9, count.pairs(9), 4);
        assertThat(rows).isGreaterThan(trial);
        assertThat(TrainingCost.of(plan).total()).isEqualTo(without + 7 * rows);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        evaluation: {completions: 1, unseen: true}| evaluation.unseen: expected false without a training set of distinct words, got true
        {data.train: 34, data.distinct: true, data.validation: 0, data.test: 0, evaluation.completions: 1, evaluation.unseen: true}| evaluation.unseen: expected false if all 34 words are in the training set, got true
        evaluation: {unseen: true}| evaluation.unseen: expected no such key, since it has no effect here
        evaluation: {completions: 1, distinct: true}| evaluation.distinct: expected no such key
        evaluation: {completions: 1, decoding: best}| evaluation.decoding: expected one of greedy, sampled, got 'best'
        evaluation: {trials: 5}| evaluation.trials: expected no such key, since it has no effect here
        evaluation: {contexts: {a: '())'}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, got '())'
        evaluation: {contexts: {a: '(((((('}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets
        evaluation: {contexts: {a: 3}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, got '3'
        {data.train: 2, evaluation.contexts.a: 10}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, or how many of the first training word, got '10'
        evaluation: {questions: 1}| evaluation.questions: expected 0 except for Boolean expressions, got the task dyck-words
        evaluation: {spectrum: 5}| evaluation.spectrum: expected an integer from 0 to 4, got 5
        {evaluation.position-clusters: 2, model.positions.kind: none}| evaluation.position-clusters: expected 0 without a table of positions, got 2
        """)
    void whatCannotBeMeasuredIsRefused(String more, String problem) {
        String yaml =
                more.startsWith("{") ? more.substring(1, more.length() - 1).replace(", ", "\n") : more;
        assertRefused(RUN + yaml + "\n", problem);
    }

    private static final String BRACKETS = """
        seed: 3
        steps: 2
        batch: 8
        task: {name: dyck-generation, settings: {k: 2, q: 0.5, r: 0.9, maxLength: 12, start: %s}}
        model: {width: 4, layers: 1, positions: {kind: none}}
        data: {validation: 0, test: 0}
        """;

    private static final String UNIFORM = """
        initialization: {kind: mu-p, zero-readout: true}
        optimizer.learning-rate: 0
        evaluation: {every: 0, law-lengths: [12, 16], sequences: 400}
        """;

    /**
     * Each of 6 tokens has probability 1/6. The variation is 1/2 from 1/4, 1/4, 1/2 if a bracket is open, and 17/30
     * from 0.45, 0.45, 0.1 otherwise.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aModelThatGivesAllTokensAlikeIsAsFarOffAsThatIs(boolean start) throws IOException {
        Map<String, Measurement> measured = run("uniform", 2, BRACKETS.formatted(start) + UNIFORM);
        for (String range : List.of("12", "16")) {
            assertThat(value(measured, "law.closing." + range)).isCloseTo(0.5, within(1e-6));
            assertThat(value(measured, "law.variation." + range)).isBetween(0.5, 17 / 30.0);
            assertThat(value(measured, "law.closing." + range + ".close")).isCloseTo(0.5, within(1e-12));
            assertThat(value(measured, "law.closing." + range + ".coin")).isEqualTo(1);
            // By symmetry, no position tells which bracket closes; the mean over 400 words is close to this.
            assertThat(value(measured, "law.closing." + range + ".position")).isBetween(0.49, 0.6);
            // The variation of 1/3, 1/3, 1/3 is 1/6 from 1/4, 1/4, 1/2, and 7/30 from 0.45, 0.45, 0.1.
            assertThat(value(measured, "law.variation." + range + ".coin")).isBetween(1 / 6.0, 7 / 30.0);
            assertThat(value(measured, "law.variation." + range + ".close")).isBetween(0.5, 1.0);
        }
    }

    /** From the position alone, both closing brackets are equally probable: the variation is 1/4 if one is open. */
    @Test
    void thePlaceSaysHowOftenSomethingIsOpen() throws IOException {
        Map<String, Measurement> measured = run("place", 1, BRACKETS.formatted(true) + UNIFORM);
        assertThat(value(measured, "law.variation.12.position")).isBetween(0.15, 0.4);
        assertThat(of(measured, "law.variation.12").n()).isEqualTo(400);
    }

    /** The law is conditioned on the end within 12 tokens, even if only the first 4 are measured. */
    @Test
    void wholeWordsAreMeasuredUpToAShorterLength() throws IOException {
        String yaml = (BRACKETS.formatted(true) + UNIFORM).replace("maxLength: 12", "maxLength: 12, whole: true");
        Map<String, Measurement> all = run("all", 1, yaml.replace("[12, 16]", "[4, 12]"));
        Map<String, Measurement> few = run("few", 1, yaml.replace("[12, 16]", "[4]"));
        assertThat(of(few, "law.variation.4")).isEqualTo(of(all, "law.variation.4"));
    }

    @Test
    void bitsDoNotHangOnThreads() throws IOException {
        String yaml = BRACKETS.formatted(true) + "evaluation: {every: 0, law-lengths: [8, 20], sequences: 700}";
        assertThat(run("one", 1, yaml)).isEqualTo(run("three", 3, yaml));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        dyck-generation; dyck-words; got the task dyck-words
        [12, 16]; [16, 12]; expected ascending lengths
        data: {; data: {start: true, ; with data.start
        layers: 1; layers: 1, max-length: 13; at most the 13 positions of the model
        """)
    void whatCannotBeMeasuredIsRefused(String there, String instead, String message) {
        String yaml = (BRACKETS.formatted(true) + UNIFORM).replace(there, instead);
        String fitting = instead.equals("dyck-words")
                ? yaml.replace("{k: 2, q: 0.5, r: 0.9, maxLength: 12, start: true}", "{N: 4}")
                : yaml;
        assertRefused(fitting, "law-lengths");
        assertRefused(fitting, message);
    }

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

    private static List<Measurement> of(LanguageModel model, String context, int trials, int pairs, long seed) {
        var task = new TrainingTask(new DyckWords(pairs), null, false);
        return new DyckContexts(task, new TreeMap<>(), trials)
                .completed(model, new TreeMap<>(Map.of("x", DyckWords.ids(context))), seed);
    }

    /** With weights 0, each bracket is a coin toss, so each of four completions occurs 1,000 times on average. */
    @Test
    void countsTheCompletionsOfACoin() {
        var architecture = Architecture.uniformHead(2, 4, 1, true);
        var model = new Transformer(
                new Parameters(architecture, new float[architecture.parameterCount()]), Kernels.scalar());
        List<Measurement> all = of(model, "()", 4000, 2, 5);
        List<Measurement> counts = all.subList(1, all.size());
        assertThat(counts)
                .extracting(Measurement::name)
                .containsExactlyInAnyOrder("contexts.x.()((", "contexts.x.()()", "contexts.x.())(", "contexts.x.()))");
        // Five standard deviations of 27.
        assertThat(counts).allMatch(count -> Math.abs(count.value() - 1000) < 137);
        assertThat(counts.stream().mapToDouble(Measurement::value).sum()).isEqualTo(4000);
        assertThat(counts)
                .isSortedAccordingTo(
                        Comparator.comparingDouble(Measurement::value).reversed());
        double words = counts.stream()
                .filter(count -> count.name().equals("contexts.x.()()"))
                .mapToDouble(Measurement::value)
                .sum();
        assertThat(all.getFirst()).isEqualTo(Measurement.share("contexts.x", 4000, (int) words));
        assertThat(of(model, "()", 4000, 2, 5)).isEqualTo(all);
        assertThat(of(model, "()", 4000, 2, 6)).isNotEqualTo(all);
    }

    /** The same code evaluates the closed form of Richard (2024), theorem 4.1. */
    @Test
    void theClosedFormGivesBackItsWordAndBalancedOthers() {
        String word = "(()((())))()()((()))(()())()()()";
        var model =
                new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids(word), -0.5).model(Kernels.scalar());
        assertThat(of(model, word.substring(0, 9), 100, 16, 1))
                .containsExactly(
                        Measurement.share("contexts.x", 100, 100),
                        Measurement.exact("contexts.x." + word, 100, "completions", 100));
        assertThat(of(model, "((((((((((((((((", 100, 16, 1).getFirst().value()).isEqualTo(1);
    }

    @Test
    void equallyFrequentCompletionsAreInTheOrderOfTheirTexts() {
        var architecture = Architecture.uniformHead(2, 4, 1, true);
        var model = new Transformer(
                new Parameters(architecture, new float[architecture.parameterCount()]), Kernels.scalar());
        List<Measurement> all = of(model, "()", 4, 2, 1);
        assertThat(all.subList(1, all.size()))
                .isSortedAccordingTo(Comparator.comparingDouble(Measurement::value)
                        .reversed()
                        .thenComparing(Measurement::name));
    }
}
