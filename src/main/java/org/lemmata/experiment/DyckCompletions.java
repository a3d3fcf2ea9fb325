package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.lemmata.config.Configuration;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
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
 * @param words the words of the task, without a start token
 * @param distinct whether deeper and unseen prefixes are pairwise distinct
 * @param decoding how brackets are chosen
 * @param alsoSampled whether prefixes, except those for other lengths, are completed a second time by sampling
 * @param lengths other lengths of words to complete
 */
record DyckCompletions(
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

    /** How the next token of a completion or an answer is chosen: the value of {@code evaluation.decoding}. */
    enum DecodingChoice {
        GREEDY,
        SAMPLED;

        /**
         * The decoding; sampling has temperature 1. Each {@code kind} has its own random numbers, the same in each
         * evaluation.
         */
        Decoding decoding(long seed, int stream, int kind) {
            return switch (this) {
                case GREEDY -> new Decoding.Greedy();
                case SAMPLED -> new Decoding.Sampling(new PhiloxGenerator(seed, stream, kind));
            };
        }
    }

    private static final String IN_SAMPLE = "inSample";
    private static final String LENGTHS = "completion-lengths";

    /**
     * Prefixes to complete.
     *
     * @param name the name of the measurement
     * @param prefixes the prefixes as the task's ids
     * @param length the number of tokens of a completion, with a start token
     */
    record Asked(String name, List<int[]> prefixes, int length, DecodingChoice decoding) {}

    static Optional<DyckCompletions> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        int count = section.integer("completions", 0, Integer.MAX_VALUE);
        if (count == 0) {
            return Optional.empty();
        }
        DyckWords words = task.require(task.task().words(), section, "completions", "0 except for words of brackets");
        Optional<Integer> deeper = section.unless("none", "deeper", ValueType.integer(1, words.maxDepth()));
        boolean unseen = section.flag("unseen");
        section.refuseWhen(
                unseen && !data.distinct(), "unseen", "false without a training set of distinct words", "true");
        if (unseen && words.count().equals(BigInteger.valueOf(data.size()))) {
            throw section.refusal(
                    "unseen", "expected false if all " + data.size() + " words are in the training set, got true");
        }
        return Optional.of(new DyckCompletions(
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
            section.refuseWhen(
                    words.ofLength(length).isEmpty(), LENGTHS, "even lengths that words of the task have", length);
        }
        return lengths;
    }

    @Override
    public Length longest() {
        return Length.of(LENGTHS, lengths, task);
    }

    @Override
    public String inEvaluations() {
        return "completions";
    }

    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        int before = task.prefixed().length;
        int kinds = (1 + (deeper.isPresent() ? 1 : 0) + (unseen ? 1 : 0)) * (alsoSampled ? 2 : 1);
        return (double) this.count * kinds * TrainingCost.completion(plan, count, Math.max(1, task.length() / 2))
                + lengths.intStream()
                        .mapToDouble(length ->
                                this.count * TrainingCost.completion(plan, count, before + length / 2, before + length))
                        .sum();
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        SortedMap<String, List<int[]>> prefixes = prefixes(data, measured.seed());
        List<Asked> asked = asked(prefixes, measured.seed());
        List<Measurement> overlaps =
                data.words().map(trained -> overlaps(trained, prefixes)).orElse(List.of());
        return parameters -> {
            Transformer model = measured.model(parameters);
            var rates = new ArrayList<Measurement>();
            asked.forEach(each -> rates.add(rate(model, each, measured.seed(), rates.size())));
            rates.addAll(overlaps);
            return rates;
        };
    }

    SortedMap<String, List<int[]>> prefixes(TrainingData data, long seed) {
        var prefixes = new TreeMap<String, List<int[]>>();
        List<Example> known = data.trainingSet();
        Function<RandomGenerator, int[]> training = known.isEmpty()
                ? words::sampleIds
                : random -> task.bare(known.get(random.nextInt(known.size())).inputs());
        prefixes.put(
                IN_SAMPLE,
                PrefixSample.draw(training, 1, count, draw -> new PhiloxGenerator(seed, Streams.IN_SAMPLE, draw)));
        deeper.ifPresent(
                depth -> prefixes.put("deeper", draw(words.ofDepth(depth)::sampleIds, depth, seed, Streams.DEEPER)));
        if (unseen) {
            DistinctWords seen = data.words().orElseThrow();
            prefixes.put("unseen", draw(random -> unseen(seen, random), 1, seed, Streams.UNSEEN));
        }
        return prefixes;
    }

    private List<int[]> draw(Function<RandomGenerator, int[]> drawn, int depth, long seed, int stream) {
        LongFunction<RandomGenerator> random = draw -> new PhiloxGenerator(seed, stream, draw);
        return distinct
                ? PrefixSample.drawDistinct(drawn, depth, count, random)
                : PrefixSample.draw(drawn, depth, count, random);
    }

    private int[] unseen(DistinctWords seen, RandomGenerator random) {
        int[] word;
        do {
            word = words.sampleIds(random);
        } while (seen.contains(word));
        return word;
    }

    /** All prefixes to complete: those of {@code drawn}, the same ones for sampling, and those for other lengths. */
    List<Asked> asked(SortedMap<String, List<int[]>> drawn, long seed) {
        var asked = new ArrayList<Asked>();
        drawn.forEach((name, prefixes) -> asked.add(new Asked(name, prefixes, task.length(), decoding)));
        if (alsoSampled) {
            drawn.forEach((name, prefixes) ->
                    asked.add(new Asked(name + ".sampled", prefixes, task.length(), DecodingChoice.SAMPLED)));
        }
        lengths.intStream().sorted().forEach(length -> {
            Task ofLength = words.ofLength(length).orElseThrow();
            List<int[]> prefixes = PrefixSample.draw(
                    random -> ofLength.sample(random, length).inputs(),
                    1,
                    count,
                    draw -> new PhiloxGenerator(seed, Streams.COMPLETION_LENGTHS, (long) length << 31 | draw));
            asked.add(new Asked("length." + length, prefixes, task.prefixed().length + length, decoding));
        });
        return asked;
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

    /** The rate of words among the completions; {@code index} selects the random numbers. */
    private Measurement rate(Transformer model, Asked asked, long seed, int index) {
        Completions completions = Completions.of(
                model,
                asked.prefixes.stream().map(task::prefixed).toList(),
                asked.length,
                asked.decoding.decoding(seed, Streams.COMPLETION, index),
                generation -> task.isWord(generation.tokens()));
        int all = completions.count();
        return Measurement.share(asked.name, all, all - completions.failures().size());
    }
}
