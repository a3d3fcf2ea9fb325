package org.lemmata.dataset;

import it.unimi.dsi.fastutil.ints.Int2IntRBTreeMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.task.Task;
import org.lemmata.task.depth.PrefixTree;
import org.lemmata.token.Example;
import org.lemmata.train.Split;

/**
 * Writes the splits of a data set and finally its manifest; a directory without a manifest is incomplete.
 *
 * <p>Each split has its own seed, derived from the data set's seed, so that its examples do not depend on the sizes of
 * other splits. If examples must be distinct, {@link DistinctSplits} instead draws all of them with the data set's seed
 * before anything is written. Prefixes form a separate split, {@value #PREFIXES}, whose examples have no scored
 * positions. The manifest has the counts of {@link SplitTally}, and the number of prefixes that are also prefixes of
 * training words.
 *
 * @param settings all settings of the task, including defaults
 */
public record DataSetWriter(Task task, Map<String, String> settings, DataSetFormat format, Path directory) {

    /** The name of the split of prefixes. */
    public static final String PREFIXES = "prefixes";

    private record Drawn(long seed, Iterable<Example> examples) {}

    /**
     * Draws and writes the data set.
     *
     * @return the manifest
     * @throws IllegalArgumentException if the task does not support the plan
     */
    public Map<String, Object> write(DataSetPlan plan) throws IOException {
        plan.require(task);
        format.require(task.vocabulary());
        // One example is tried first, so that no file is written if the format cannot represent the answers.
        format.line(task.vocabulary(), task.sample(new SplittableRandom(plan.seed()), task.defaultLength()));
        List<int[]> prefixes = plan.drawPrefixes(task);
        var notBegun = new PrefixTree(prefixes);
        var tally = new SplitTally(plan.distinct());
        Map<String, Object> splits = new LinkedHashMap<>();
        for (Map.Entry<Split, Drawn> split : draw(plan).entrySet()) {
            Task source = DistinctSplits.source(split.getKey(), task);
            Drawn drawn = split.getValue();
            Map<String, Object> described = write(split.getKey().label(), drawn, input -> {
                tally.add(source, input);
                if (split.getKey() == Split.TRAIN && !prefixes.isEmpty()) {
                    notBegun.remove(input);
                }
            });
            described.putAll(tally.endSplit());
            if (!source.symbols().isEmpty()) {
                described.put(
                        "symbols",
                        source.symbols().getFirst() + " to " + source.symbols().getLast());
            }
            splits.put(split.getKey().label(), described);
        }
        if (!prefixes.isEmpty()) {
            splits.put(PREFIXES, writePrefixes(plan, prefixes, prefixes.size() - notBegun.size()));
        }
        return manifest(plan, splits);
    }

    /**
     * The splits to write. If examples must be distinct, this method draws all of them, so that a rejected plan leaves
     * no file.
     */
    private Map<Split, Drawn> draw(DataSetPlan plan) {
        var seeds = new SplittableRandom(plan.seed());
        var distinct = new DistinctSplits(task, plan.seed());
        var drawn = new EnumMap<Split, Drawn>(Split.class);
        for (Split split : Split.values()) {
            long seed = seeds.nextLong();
            int size = plan.size(split);
            if (size > 0) {
                drawn.put(
                        split,
                        plan.distinct()
                                ? new Drawn(plan.seed(), distinct.draw(split, size))
                                : new Drawn(seed, independent(DistinctSplits.source(split, task), seed, size)));
            }
        }
        return drawn;
    }

    private static Iterable<Example> independent(Task source, long seed, int size) {
        return () -> {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            return Stream.generate(() -> source.sample(random, source.defaultLength()))
                    .limit(size)
                    .iterator();
        };
    }

    private Map<String, Object> write(String name, Drawn split, Consumer<int[]> inputs) throws IOException {
        Path file = directory.resolve(format.file(name));
        Optional<String> labelled = format.labels(name);
        var labels = new StringBuilder();
        AtomicFile.write(file, writer -> {
            for (Example example : split.examples()) {
                inputs.accept(example.inputs());
                writer.write(format.line(task.vocabulary(), example));
                writer.write('\n');
                if (labelled.isPresent() && example.values().length > 0) {
                    labels.append(example.values()[0]).append('\n');
                }
            }
        });
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("file", directory.relativize(file).toString());
        described.put("seed", split.seed());
        if (!labels.isEmpty()) {
            AtomicFile.write(directory.resolve(labelled.orElseThrow()), labels.toString());
            described.put("labels", labelled.orElseThrow());
        }
        return described;
    }

    private Map<String, Object> writePrefixes(DataSetPlan plan, List<int[]> prefixes, int begun) throws IOException {
        var tally = new SplitTally(false);
        List<Example> examples = prefixes.stream()
                .map(prefix -> new Example(prefix, new int[0], new int[0]))
                .toList();
        Map<String, Object> described =
                write(PREFIXES, new Drawn(plan.seed(), examples), prefix -> tally.add(task, prefix));
        described.put("are", plan.prefixesAre(task));
        described.put("minDepth", plan.prefixDepth());
        described.put("beginTraining", begun);
        described.putAll(tally.endSplit());
        return described;
    }

    private Map<String, Object> manifest(DataSetPlan plan, Map<String, Object> splits) throws IOException {
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("task", task.name());
        manifest.put("source", task.source().citation());
        manifest.put("settings", settings);
        manifest.put("seed", plan.seed());
        manifest.put("distinct", plan.distinct());
        manifest.put("format", format.toString());
        manifest.put("vocabulary", task.vocabulary().symbols());
        manifest.put("splits", splits);
        AtomicFile.write(directory.resolve("manifest.json"), Json.indented(manifest) + "\n");
        return manifest;
    }

    /**
     * The counts of the manifest for successive splits: examples, distinct examples, examples that occur in an earlier
     * split, lengths and depths. If examples contain exercises, their questions and their answers are also counted:
     * all, distinct ones, and those that occur in an earlier split.
     */
    private static final class SplitTally {

        private final Seen examples;
        private final Seen questions = new Seen(false);
        private final Seen answers = new Seen(false);
        private final Int2IntRBTreeMap lengths = new Int2IntRBTreeMap();
        private final Int2IntRBTreeMap depths = new Int2IntRBTreeMap();

        /** @param distinct whether all examples are known to be distinct; they are then only counted, not stored */
        SplitTally(boolean distinct) {
            examples = new Seen(distinct);
        }

        void add(Task source, int[] input) {
            lengths.addTo(input.length, 1);
            source.nestingDepth(input).ifPresent(depth -> depths.addTo(depth, 1));
            examples.add(input);
            source.questions().stream()
                    .flatMap(task -> task.exercises(input).stream())
                    .forEach(exercise -> {
                        questions.add(exercise.question());
                        answers.add(exercise.answer());
                    });
        }

        Map<String, Object> endSplit() {
            Map<String, Object> described = new LinkedHashMap<>(examples.describe("examples"));
            described.put("lengths", lengths.clone());
            described.put("depths", depths.clone());
            if (questions.count > 0) {
                described.put("questions", questions.describe("whole"));
                described.put("answers", answers.describe("whole"));
            }
            lengths.clear();
            depths.clear();
            for (Seen seen : List.of(examples, questions, answers)) {
                seen.nextSplit();
            }
            return described;
        }

        /** The distinct items of one kind, in earlier splits and in the current split. */
        private static final class Seen {

            private final boolean distinct;
            private final ObjectOpenCustomHashSet<int[]> earlier =
                    new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
            private final ObjectOpenCustomHashSet<int[]> now = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
            private int count;
            private int repeated;

            Seen(boolean distinct) {
                this.distinct = distinct;
            }

            void add(int[] ids) {
                count++;
                if (!distinct) {
                    repeated += earlier.contains(ids) ? 1 : 0;
                    now.add(ids);
                }
            }

            Map<String, Object> describe(String kind) {
                Map<String, Object> described = new LinkedHashMap<>();
                described.put(kind, count);
                described.put("distinct", distinct ? count : now.size());
                described.put("inEarlierSplits", repeated);
                return described;
            }

            void nextSplit() {
                earlier.addAll(now);
                now.clear();
                count = 0;
                repeated = 0;
            }
        }
    }
}
