package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;

/**
 * Samples completions of named contexts. {@code contexts.NAME} is the share of completions to balanced words.
 * {@code contexts.NAME.WORD} is the number of completions equal to WORD; the most frequent words come first.
 *
 * <p>Source: Richard (2024), section 4.2, figure 4 and table 1.
 *
 * @param contexts the contexts by name, at least one
 * @param trials the number of completions per context
 */
record DyckContexts(TrainingTask task, SortedMap<String, Context> contexts, int trials) implements Measure {

    static final List<Setting> KEYS = Setting.table("""
        implied trials | 100 | sampled completions per context of `contexts`, at the end
        """);

    static final Section SECTION = Section.named("contexts", Setting.table("""
        prefix | | named contexts: a string of brackets, or a number of brackets of the first training word. Short form:
          `deep: '((('`
        """));

    private static final String PREFIX = "prefix";

    /**
     * A context.
     *
     * @param brackets its brackets; if empty, the first brackets of the first training word
     * @param length the number of brackets
     */
    record Context(String brackets, int length) {}

    static Optional<DyckContexts> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        var contexts = new TreeMap<String, Context>();
        section.named("contexts").forEach((name, context) -> {
            DyckWords words = task.require(task.task().words(), context, PREFIX, "none except for words of brackets");
            contexts.put(name, context(context, words, data.finite()));
        });
        return contexts.isEmpty()
                ? Optional.empty()
                : Optional.of(new DyckContexts(task, contexts, section.integer("trials", 1, Integer.MAX_VALUE)));
    }

    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        return contexts.values().stream()
                .mapToDouble(context -> trials * TrainingCost.completion(plan, count, context.length))
                .sum();
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        var prefixes = new TreeMap<String, int[]>();
        contexts.forEach((name, context) -> prefixes.put(
                name,
                context.brackets.isEmpty()
                        ? Arrays.copyOf(task.bare(data.trainingSet().getFirst().inputs()), context.length)
                        : task.task()
                                .words()
                                .flatMap(words -> words.prefix(context.brackets))
                                .orElseThrow()));
        return parameters -> completed(measured.model(parameters), prefixes, measured.seed());
    }

    private static Context context(Configuration section, DyckWords words, boolean finite) {
        int longest = words.defaultLength() - 1;
        String expected = "1 to " + longest + " brackets that begin a word of " + words.defaultLength()
                + (finite ? ", or how many of the first training word" : "");
        String text = section.text(PREFIX, expected);
        if (finite && text.matches("[0-9]{1,9}")) {
            int length = Integer.parseInt(text);
            if (length >= 1 && length <= longest) {
                return new Context("", length);
            }
        } else if (words.prefix(text).isPresent()) {
            return new Context(text, text.length());
        }
        throw section.refusal(PREFIX, "expected " + expected + ", got " + Refuse.quoted(text));
    }

    List<Measurement> completed(LanguageModel model, SortedMap<String, int[]> prefixes, long seed) {
        var all = new ArrayList<Measurement>();
        int index = 0;
        for (Map.Entry<String, int[]> prefix : prefixes.entrySet()) {
            String name = "contexts." + prefix.getKey();
            List<int[]> completions = Generation.complete(
                            model,
                            Collections.nCopies(trials, task.prefixed(prefix.getValue())),
                            task.length(),
                            new Decoding.Sampling(new PhiloxGenerator(seed, Streams.CONTEXT, index++)))
                    .stream()
                    .map(Generation::tokens)
                    .toList();
            int words = (int) completions.stream().filter(task::isWord).count();
            all.add(Measurement.share(name, trials, words));
            // Equally frequent texts stay in the order of the alphabet.
            completions.stream()
                    .collect(Collectors.groupingBy(task::text, TreeMap::new, Collectors.summingInt(one -> 1)))
                    .entrySet()
                    .stream()
                    .sorted(Comparator.comparingInt(text -> -text.getValue()))
                    .map(text -> Measurement.exact(name + "." + text.getKey(), text.getValue(), "completions", trials))
                    .forEach(all::add);
        }
        return all;
    }
}
