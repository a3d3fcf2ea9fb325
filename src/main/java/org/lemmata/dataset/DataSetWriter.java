package org.lemmata.dataset;

import it.unimi.dsi.fastutil.ints.Int2IntRBTreeMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.task.Task;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.task.depth.PrefixTree;
import org.lemmata.token.Example;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.OnlineExamples;
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

    /**
     * The numbers and kinds of examples to draw from a task.
     *
     * @param sizes number of examples of each split
     * @param prefixes number of prefixes of bracket words, 0 for none
     * @param prefixDepth the minimum depth of prefixes
     * @param distinct whether the inputs of all splits must be distinct, and also the prefixes
     * @param seed the seed of all random draws
     */
    public record Plan(Map<Split, Integer> sizes, int prefixes, int prefixDepth, boolean distinct, long seed) {

        public Plan {
            sizes = Collections.unmodifiableMap(new EnumMap<>(sizes));
        }

        int size(Split split) {
            return sizes.getOrDefault(split, 0);
        }

        /**
         * Rejects a plan that the task does not support.
         *
         * @throws IllegalArgumentException naming the option
         */
        void require(Task task) {
            int heldOut = size(Split.OUT_OF_SAMPLE);
            boolean isNone = heldOut > 0 && task.outOfSample().isEmpty();
            Refuse.when(isNone, "--out-of-sample", "0 for a task that holds nothing out", heldOut);
            if (prefixes > 0) {
                DyckWords words = task.words()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "--prefixes: expected a task of bracket words, or 0, got the task " + task.name()));
                Refuse.when(
                        prefixDepth > words.maxDepth(),
                        "--prefix-depth",
                        "at most N = " + words.maxDepth(),
                        prefixDepth);
            }
            if (distinct && task.words().isPresent()) {
                BigInteger count = task.words().get().count();
                long examples =
                        sizes.values().stream().mapToLong(Integer::longValue).sum();
                Refuse.when(
                        BigInteger.valueOf(examples).compareTo(count) > 0,
                        "--distinct",
                        "at most " + count + " words in all splits, which is all there are",
                        examples);
            }
        }

        /**
         * Draws the prefixes that {@code train} completes if its seed, {@code evaluation.deeper} and
         * {@code evaluation.distinct} agree with this plan.
         *
         * @throws IllegalArgumentException if there seem to be too few distinct prefixes
         */
        List<int[]> drawPrefixes(Task task) {
            if (prefixes == 0) {
                return List.of();
            }
            DyckWords deep = task.words().orElseThrow().ofDepth(prefixDepth);
            return distinct
                    ? PrefixSample.drawDistinct(deep::sampleIds, prefixDepth, prefixes, this::prefixDraw)
                    : PrefixSample.draw(deep::sampleIds, prefixDepth, prefixes, this::prefixDraw);
        }

        private PhiloxGenerator prefixDraw(long draw) {
            return new PhiloxGenerator(seed, Streams.DEEPER, draw);
        }

        String prefixesAre(Task task) {
            return "proper prefixes at least " + prefixDepth + " deep of words of " + task.defaultLength() / 2
                    + " pairs, uniform among those that are so deep, cut uniformly among the places that are deep"
                    + " enough";
        }
    }

    private record Drawn(long seed, Iterable<Example> examples) {}

    /**
     * Draws and writes the data set.
     *
     * @return the manifest
     * @throws IllegalArgumentException if the task does not support the plan
     */
    public Map<String, Object> write(Plan plan) throws IOException {
        plan.require(task);
        format.require(task.vocabulary());
        // One example is tried first, so that no file is written if the format cannot represent the answers.
        format.line(task.vocabulary(), task.sample(new SplittableRandom(plan.seed()), task.defaultLength()));
        List<int[]> prefixes = plan.drawPrefixes(task);
        var notBegun = new PrefixTree(prefixes);
        var tally = new SplitTally(plan.distinct());
        Map<String, Object> splits = new LinkedHashMap<>();
        for (Map.Entry<Split, Drawn> split : draw(plan).entrySet()) {
            Task source = source(split.getKey(), task);
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
    private Map<Split, Drawn> draw(Plan plan) {
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
                                : new Drawn(seed, independent(source(split, task), seed, size)));
            }
        }
        return drawn;
    }

    /** The task from which the examples of a split are drawn, derived from {@code task}. */
    private static Task source(Split split, Task task) {
        return switch (split) {
            case TRAIN -> task;
            case TEST -> task.test();
            case VALIDATION -> task.validation();
            case OUT_OF_SAMPLE -> task.outOfSample().orElseThrow();
        };
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

    private Map<String, Object> writePrefixes(Plan plan, List<int[]> prefixes, int begun) throws IOException {
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

    private Map<String, Object> manifest(Plan plan, Map<String, Object> splits) throws IOException {
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
     * Draws successive splits without repeating an input within a split or between splits.
     *
     * <p>{@link OnlineExamples} defines the draws 0, 1, ... of a split; draws with a repeated input are discarded. The
     * first split has the same examples as {@code train} with {@code data.distinct} for the same seed. Bracket words
     * are stored with one bit per bracket. For other tasks, the inputs and the numbers of their draws are stored.
     */
    private static final class DistinctSplits {

        private final Task task;
        private final long seed;
        private final List<DistinctWords> words = new ArrayList<>();
        private final Set<int[]> inputs = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);

        DistinctSplits(Task task, long seed) {
            this.task = task;
            this.seed = seed;
        }

        /**
         * Draws a split.
         *
         * @return the examples of the split; each access generates an example again
         * @throws IllegalArgumentException if fewer than {@code count} distinct examples exist or seem to exist
         */
        List<Example> draw(Split split, int count) {
            Task source = source(split, task);
            var draws = new OnlineExamples(random -> source.sample(random, source.defaultLength()), seed, split);
            return source.words()
                    .map(brackets -> words(brackets, draws, count))
                    .orElseGet(() -> examples(split, draws, count));
        }

        private List<Example> words(DyckWords brackets, OnlineExamples draws, int count) {
            DistinctWords drawn = new DistinctWords(brackets, count, draws::generator, List.copyOf(words));
            words.add(drawn);
            return ExampleStream.list(count, index -> Example.nextToken(drawn.ids(index)));
        }

        private List<Example> examples(Split split, OnlineExamples draws, int count) {
            long patience = ExampleStream.patience(Math.addExact(inputs.size(), count));
            var taken = new LongArrayList();
            long last = 0;
            while (taken.size() < count) {
                if (inputs.add(draws.next().inputs())) {
                    last = draws.position();
                    taken.add(last - 1);
                } else if (draws.position() - last > patience) {
                    throw new IllegalArgumentException("--distinct: expected " + count + " examples of the split "
                            + split.label() + " that occur in no other split, found " + taken.size()
                            + ", then no more in "
                            + patience + " draws");
                }
            }
            return ExampleStream.list(count, index -> {
                draws.seek(taken.getLong(index));
                return draws.next();
            });
        }
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
