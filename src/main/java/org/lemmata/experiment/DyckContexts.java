package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.config.Configuration;
import org.lemmata.measure.CompletionDistribution;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;

/**
 * Sampled completions of a few contexts, many of each: {@code NAME} is the rate of balanced words, {@code NAME.WORD}
 * how often that word came, the most frequent first.
 *
 * <p>Source: Richard (2024), section 4.2, figure 4 and table 1.
 */
final class DyckContexts {

    /** A stream of random numbers of its own. */
    private static final int STREAM = -107;

    private final TrainingTask task;
    private final int trials;
    private final long seed;
    private final SortedMap<String, int[]> contexts = new TreeMap<>();

    /**
     * A context.
     *
     * @param brackets its brackets; empty where they are the first ones of the first training word
     * @param length how many there are
     */
    record Context(String brackets, int length) {}

    /**
     * What the section {@code evaluation} asks for.
     *
     * @param contexts by name, at least one
     * @param trials completions of each
     */
    record Settings(SortedMap<String, Context> contexts, int trials) {

        private static final String PREFIX = "prefix";

        /**
         * Reads {@code contexts} and {@code trials} of the section {@code evaluation}.
         *
         * @return empty if there are no contexts
         */
        static Optional<Settings> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
            var contexts = new TreeMap<String, Context>();
            section.named("contexts").forEach((name, context) -> {
                if (!(task.task() instanceof DyckWords words)) {
                    throw context.refusal(
                            PREFIX,
                            "expected none but for words of brackets, got the task "
                                    + task.task().name());
                }
                contexts.put(name, context(context, words.pairs(), data.finite()));
            });
            return contexts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Settings(contexts, section.integer("trials", 1, Integer.MAX_VALUE)));
        }

        private static Context context(Configuration section, int pairs, boolean finite) {
            int longest = 2 * pairs - 1;
            String expected = "1 to " + longest + " brackets that begin a word of " + 2 * pairs
                    + (finite ? ", or how many of the first training word" : "");
            String text = section.text(PREFIX, expected);
            if (finite && text.matches("[0-9]{1,9}")) {
                int length = Integer.parseInt(text);
                if (length >= 1 && length <= longest) {
                    return new Context("", length);
                }
            } else if (text.matches("[()]+") && text.length() <= longest && DyckWords.isPrefix(text, pairs)) {
                return new Context(text, text.length());
            }
            throw section.refusal(PREFIX, "expected " + expected + ", got '" + text + "'");
        }
    }

    DyckContexts(Settings settings, TrainingTask task, TrainingData data, long seed) {
        this.task = task;
        this.trials = settings.trials;
        this.seed = seed;
        settings.contexts.forEach((name, context) -> contexts.put(
                name,
                context.brackets.isEmpty()
                        ? Arrays.copyOf(task.bare(data.trainingSet().getFirst().inputs()), context.length)
                        : DyckWords.ids(context.brackets)));
    }

    /** The contexts by name, as the task's ids. */
    SortedMap<String, int[]> contexts() {
        return contexts;
    }

    List<Measurement> measurements(LanguageModel model) {
        var all = new ArrayList<Measurement>();
        int[] index = {0};
        contexts.forEach((name, context) -> {
            CompletionDistribution distribution = CompletionDistribution.of(
                    model,
                    task.prefixed(context),
                    trials,
                    task.length(),
                    new Decoding.Sampling(new PhiloxGenerator(seed, STREAM, index[0]++)),
                    task::text,
                    task::isBalanced);
            int valid = distribution.valid();
            all.add(new Measurement(
                    name, (double) valid / trials, "probability", Interval.proportion(trials, valid), trials, null));
            distribution
                    .outcomes()
                    .forEach(outcome -> all.add(new Measurement(
                            name + "." + outcome.text(),
                            outcome.count(),
                            "completions",
                            Interval.exact(outcome.count()),
                            trials,
                            null)));
        });
        return all;
    }
}
