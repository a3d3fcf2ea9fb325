package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.Int2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectSortedMap;
import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.lemmata.config.Configuration;
import org.lemmata.measure.Completions;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.Task;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.token.Example;

/**
 * Measures how often a model completes prefixes to balanced words. The rates are {@code inSample} for prefixes of words
 * like the training words, {@code deeper} for more deeply nested prefixes, {@code unseen} for prefixes of words outside
 * the training set, and {@code length.T} for words with T brackets. Names of additional sampled completions end in
 * {@code .sampled}.
 *
 * <p>An in-sample prefix is a word of the training set cut after 1 to 2N - 1 of its 2N brackets. Without a training
 * set, the word is drawn from the training distribution. A deeper prefix is a word of at least the given depth, cut
 * where the prefix has at least that depth. An unseen prefix comes from a word of the training distribution that is not
 * in the training set; a prefix for another length comes from a word of that length. Both are cut like in-sample
 * prefixes. The place of a cut is uniformly distributed. If the training set has distinct words, deeper and unseen
 * prefixes that begin a training word are counted as {@code deeperInTraining} and {@code unseenInTraining}.
 *
 * <p>Source: Richard (2024), section 4.2, which completes prefixes from the training data and of depth 9 or more, and
 * appendix 5.3.4, in which some words are held out. The paper does not specify how words are cut.
 *
 * @param prefixes the prefixes as the task's ids, by name of the measurement
 * @param prefixesByLength the prefixes for words of other lengths, by length
 * @param overlaps the numbers of prefixes that are also prefixes of training words
 */
record DyckCompletions(
        TrainingTask task,
        Settings settings,
        Measure.Measured measured,
        SortedMap<String, List<int[]>> prefixes,
        Int2ObjectSortedMap<List<int[]>> prefixesByLength,
        List<Measurement> overlaps)
        implements Metric {

    /** The maximum number of brackets in a word to complete. */
    private static final int MOST_TOKENS = 1 << 17;

    static final List<Setting> KEYS = Setting.table("""
        completions | 0 | number of prefixes, of words like the training words, that the model completes, to measure the
          share of valid words; for tasks of brackets
        deeper | none | a depth: the model also completes as many prefixes that are nested at least this deeply. The
          task's limit of depth does not apply to them
        implied completion-lengths | | list of word lengths: the model also completes as many prefixes of words of each
          length, and needs as many positions
        implied unseen | false | whether the model also completes as many prefixes of words outside the training set,
          whose words must be distinct
        implied distinct | false | whether deeper and unseen prefixes are pairwise distinct
        implied also-sampled | false | whether the model also completes each prefix at temperature 1, as
          `deeper.sampled` in addition to a greedy `deeper`, and so on
        implied decoding | greedy | how the model completes prefixes and answers questions: `greedy`, or `sampled` at
          temperature 1
        """);

    private static final String IN_SAMPLE = "inSample";
    private static final String DEEPER = "deeper";
    private static final String UNSEEN = "unseen";
    private static final String LENGTH = "length.";
    private static final String LENGTHS = "completion-lengths";

    /**
     * The settings in the section {@code evaluation}.
     *
     * @param words the words of the task, without a start token
     * @param distinct whether deeper and unseen prefixes are pairwise distinct
     * @param decoding how brackets are chosen
     * @param alsoSampled whether prefixes, except those for other lengths, are completed a second time by sampling
     * @param lengths other lengths of words to complete
     */
    record Settings(
            TrainingTask task,
            DyckWords words,
            int count,
            Optional<Integer> deeper,
            boolean unseen,
            boolean distinct,
            DecodingChoice decoding,
            boolean alsoSampled,
            IntImmutableList lengths)
            implements Measure {

        static Optional<Settings> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
            int count = section.integer("completions", 0, Integer.MAX_VALUE);
            if (count == 0) {
                return Optional.empty();
            }
            DyckWords words =
                    task.require(task.task().words(), section, "completions", "0 except for words of brackets");
            Optional<Integer> deeper = section.unless("none", "deeper", ValueType.integer(1, words.maxDepth()));
            boolean unseen = section.flag("unseen");
            if (unseen && !data.distinct()) {
                throw section.refusal("unseen", "expected false without a training set of distinct words, got true");
            }
            if (unseen && words.count().equals(BigInteger.valueOf(data.size()))) {
                throw section.refusal(
                        "unseen", "expected false if all " + data.size() + " words are in the training set, got true");
            }
            return Optional.of(new Settings(
                    task,
                    words,
                    count,
                    deeper,
                    unseen,
                    (unseen || deeper.isPresent()) && section.flag("distinct"),
                    section.choice("decoding", DecodingChoice.class),
                    section.flag("also-sampled"),
                    lengths(section, words)));
        }

        private static IntImmutableList lengths(Configuration section, DyckWords words) {
            IntImmutableList lengths = section.integers(LENGTHS, 2, MOST_TOKENS);
            for (int length : lengths) {
                if (words.ofLength(length).isEmpty()) {
                    throw section.refusal(LENGTHS, "expected even lengths that words of the task have, got " + length);
                }
            }
            return lengths;
        }

        @Override
        public int longest() {
            return lengths.intStream().max().stream()
                    .map(length -> length + task.prefixed().length)
                    .sum();
        }

        @Override
        public String longestKey() {
            return LENGTHS;
        }

        @Override
        public String inEvaluations() {
            return "completions";
        }

        @Override
        public double cost(FlopCount count, TrainingPlan plan) {
            int before = task.prefixed().length;
            return (double) this.count * kinds() * TrainingCost.completion(plan, count, Math.max(1, task.length() / 2))
                    + lengths.intStream()
                            .mapToDouble(length -> this.count
                                    * TrainingCost.completion(plan, count, before + length / 2, before + length))
                            .sum();
        }

        @Override
        public DyckCompletions draw(TrainingData data, Measured measured) {
            return DyckCompletions.draw(this, data, measured);
        }

        int kinds() {
            return (1 + (deeper.isPresent() ? 1 : 0) + (unseen ? 1 : 0)) * (alsoSampled ? 2 : 1);
        }
    }

    private static DyckCompletions draw(Settings settings, TrainingData data, Measure.Measured measured) {
        TrainingTask task = settings.task;
        DyckWords words = settings.words;
        long seed = measured.seed();
        var prefixes = new TreeMap<String, List<int[]>>();
        List<Example> known = data.trainingSet();
        Function<RandomGenerator, int[]> training = known.isEmpty()
                ? words::sampleIds
                : random -> task.bare(known.get(random.nextInt(known.size())).inputs());
        prefixes.put(
                IN_SAMPLE,
                PrefixSample.draw(
                        training, 1, settings.count, draw -> new PhiloxGenerator(seed, Streams.IN_SAMPLE, draw)));
        settings.deeper.ifPresent(depth ->
                prefixes.put(DEEPER, draw(settings, words.ofDepth(depth)::sampleIds, depth, seed, Streams.DEEPER)));
        if (settings.unseen) {
            DistinctWords seen = data.words().orElseThrow();
            prefixes.put(UNSEEN, draw(settings, random -> unseen(words, seen, random), 1, seed, Streams.UNSEEN));
        }
        var byLength = new Int2ObjectRBTreeMap<List<int[]>>();
        for (int length : settings.lengths) {
            Task ofLength = words.ofLength(length).orElseThrow();
            byLength.put(
                    length,
                    PrefixSample.draw(
                            random -> ofLength.sample(random, length).inputs(),
                            1,
                            settings.count,
                            draw -> new PhiloxGenerator(seed, Streams.COMPLETION_LENGTHS, (long) length << 31 | draw)));
        }
        List<Measurement> overlaps =
                data.words().map(trained -> overlaps(trained, prefixes)).orElse(List.of());
        return new DyckCompletions(task, settings, measured, prefixes, byLength, overlaps);
    }

    private static List<int[]> draw(
            Settings settings, Function<RandomGenerator, int[]> words, int depth, long seed, int stream) {
        LongFunction<RandomGenerator> random = draw -> new PhiloxGenerator(seed, stream, draw);
        return settings.distinct
                ? PrefixSample.drawDistinct(words, depth, settings.count, random)
                : PrefixSample.draw(words, depth, settings.count, random);
    }

    private static int[] unseen(DyckWords words, DistinctWords seen, RandomGenerator random) {
        int[] word;
        do {
            word = words.sampleIds(random);
        } while (seen.contains(word));
        return word;
    }

    private static List<Measurement> overlaps(DistinctWords trained, SortedMap<String, List<int[]>> prefixes) {
        return prefixes.entrySet().stream()
                .filter(kind -> !kind.getKey().equals(IN_SAMPLE))
                .map(kind -> Measurement.exact(
                        kind.getKey() + "InTraining",
                        trained.begun(kind.getValue()),
                        "prefixes",
                        kind.getValue().size()))
                .toList();
    }

    @Override
    public Set<String> counts() {
        return overlaps.stream().map(Measurement::name).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Measurement> measurements(float[] parameters) {
        Transformer model = measured.model(parameters);
        var rates = new ArrayList<Measurement>();
        DecodingChoice decoding = settings.decoding;
        prefixes.forEach((name, words) -> rates.add(rate(model, name, words, task.length(), decoding, rates.size())));
        if (settings.alsoSampled) {
            prefixes.forEach((name, words) -> rates.add(
                    rate(model, name + ".sampled", words, task.length(), DecodingChoice.SAMPLED, rates.size())));
        }
        int before = task.prefixed().length;
        prefixesByLength.forEach((length, words) ->
                rates.add(rate(model, LENGTH + length, words, before + length, decoding, rates.size())));
        rates.addAll(overlaps);
        return rates;
    }

    /** The rate for completions to {@code length} tokens; {@code index} selects the random numbers. */
    private Measurement rate(
            Transformer model, String name, List<int[]> words, int length, DecodingChoice decoding, int index) {
        Completions completions = Completions.of(
                model,
                words.stream().map(task::prefixed).toList(),
                length,
                decoding.decoding(measured.seed(), Streams.COMPLETION, index),
                generation -> task.isWord(generation.tokens()));
        int count = Math.toIntExact(completions.count());
        return Measurement.share(name, count, count - completions.failures().size());
    }
}
