package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.measure.Completions;
import org.lemmata.model.Architecture;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Parameters;
import org.lemmata.model.PrecisionPolicy;
import org.lemmata.model.Transformer;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;

/**
 * The rates at which greedy completions of prefixes are balanced words of the task's length: of words like those
 * trained on ({@code inSample}), and of prefixes nested more deeply ({@code deeper}).
 *
 * <p>A prefix in sample is a word of the training set, or of its distribution where there is no such set, cut after 1
 * to 2N - 1 brackets. A deeper one is a word of at least the given depth, cut where the prefix has that depth. Cuts are
 * uniform.
 *
 * <p>Source: Richard (2024), section 4.2, which completes prefixes from the training data and of depth 9 or more; how
 * they are cut is ours, the paper does not say it.
 */
final class DyckCompletions implements Metric {

    private static final String IN_SAMPLE = "inSample";
    private static final String DEEPER = "deeper";

    /** Streams of random numbers of their own, apart from those of model and examples. */
    private static final int IN_SAMPLE_STREAM = -101;

    private static final int DEEPER_STREAM = -102;

    private final TrainingTask task;
    private final Architecture architecture;
    private final PrecisionPolicy precision;
    private final Kernels kernels;
    private final SortedMap<String, List<int[]>> prefixes;

    private DyckCompletions(
            TrainingTask task,
            Architecture architecture,
            PrecisionPolicy precision,
            Kernels kernels,
            SortedMap<String, List<int[]>> prefixes) {
        this.task = task;
        this.architecture = architecture;
        this.precision = precision;
        this.kernels = kernels;
        this.prefixes = prefixes;
    }

    /**
     * What the section {@code evaluation} asks for.
     *
     * @param words the task
     * @param count prefixes of each kind
     * @param deeper the least depth of deeper prefixes; empty for none
     */
    record Settings(DyckWords words, int count, Optional<Integer> deeper) {

        /**
         * Reads {@code completions} and {@code deeper} of the section {@code evaluation}.
         *
         * @return empty if no completions are asked for
         */
        static Optional<Settings> read(Configuration section, TrainingTask task) {
            int count = section.integer("completions", 0, Integer.MAX_VALUE);
            if (count == 0) {
                return Optional.empty();
            }
            if (!(task.task() instanceof DyckWords words)) {
                throw section.refusal("completions", "expected 0 but for words of brackets, got the task"
                        + " " + task.task().name());
            }
            return Optional.of(new Settings(words, count, section.integerOr("none", "deeper", 1, words.pairs())));
        }
    }

    /** Draws the prefixes. */
    static DyckCompletions draw(
            Settings settings,
            TrainingTask task,
            TrainingData data,
            Architecture architecture,
            PrecisionPolicy precision,
            Kernels kernels,
            long seed) {
        DyckWords words = settings.words;
        var prefixes = new TreeMap<String, List<int[]>>();
        List<Example> known = data.trainingSet();
        Function<RandomGenerator, int[]> training = known.isEmpty()
                ? words::sampleIds
                : random -> task.bare(known.get(random.nextInt(known.size())).inputs());
        prefixes.put(IN_SAMPLE, draw(training, 1, settings.count, seed, IN_SAMPLE_STREAM));
        settings.deeper.ifPresent(depth -> {
            var deep = new DyckWords(words.pairs(), depth, words.pairs());
            prefixes.put(DEEPER, draw(deep::sampleIds, depth, settings.count, seed, DEEPER_STREAM));
        });
        return new DyckCompletions(task, architecture, precision, kernels, prefixes);
    }

    private static List<int[]> draw(
            Function<RandomGenerator, int[]> words, int depth, int count, long seed, int stream) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    var random = new PhiloxGenerator(seed, stream, i);
                    return DyckWords.cut(words.apply(random), depth, random);
                })
                .toList();
    }

    /** The prefixes by the name of their measure, as the task's ids. */
    SortedMap<String, List<int[]>> prefixes() {
        return prefixes;
    }

    @Override
    public List<Measurement> measurements(float[] parameters) {
        var model = new Transformer(new Parameters(architecture, parameters), precision, kernels);
        var rates = new ArrayList<Measurement>();
        prefixes.forEach((name, words) -> {
            Completions completions = Completions.of(
                    model,
                    words.stream().map(task::prefixed).toList(),
                    task.length(),
                    new Decoding.Greedy(),
                    this::isValid);
            int count = Math.toIntExact(completions.count());
            int valid = count - completions.failures().size();
            rates.add(new Measurement(
                    name, (double) valid / count, "probability", Interval.proportion(count, valid), count, null));
        });
        return rates;
    }

    private boolean isValid(Generation generation) {
        int[] word = task.bare(generation.tokens());
        int symbols = task.task().vocabulary().size();
        return IntStream.of(word).allMatch(id -> id < symbols) && DyckWords.isBalanced(word);
    }
}
