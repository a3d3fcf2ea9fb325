package org.lemmata.cli;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.lemmata.file.AtomicFile;
import org.lemmata.task.Exercise;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Writes the splits of a data set, and last its manifest: a directory without a manifest is not whole.
 *
 * <p>Each split is drawn from its own seed, which follows from the data set's, so that a split does not change with the
 * size of another. Splits are independent draws; the manifest counts how many examples of a later split also stand in
 * an earlier one, and so, where examples have questions with answers, for questions and for answers.
 */
final class DataSetWriter {

    /** How a split is written. */
    enum Format {
        /**
         * {@code SPLIT.jsonl}: one object a line with {@code input}, {@code position}, and {@code target} or, where
         * numbers are expected, {@code value}.
         */
        JSONL,
        /**
         * {@code SPLIT/main.tok}: the input's tokens, separated by blanks, one example a line; where a number is expected
         * at the last position, {@code SPLIT/labels.txt} has it on the same line.
         */
        TOK
    }

    /** The split of what the task holds out. */
    static final String OUT_OF_SAMPLE = "outOfSample";

    private final Task task;
    private final Map<String, String> settings;
    private final Format format;
    private final Path directory;

    DataSetWriter(Task task, Map<String, String> settings, Format format, Path directory) {
        this.task = task;
        this.settings = settings;
        this.format = format;
        this.directory = directory;
    }

    /**
     * Draws and writes.
     *
     * @param splits name to number of examples, in order; those of 0 examples are left out
     * @return the manifest
     * @throws IllegalArgumentException if the directory has files in it
     */
    Map<String, Object> write(Map<String, Integer> splits, long seed) throws IOException {
        OutDirectory.requireNewOrEmpty(directory);
        var seeds = new SplittableRandom(seed);
        var examples = new Seen();
        var questions = new Seen();
        var answers = new Seen();
        Map<String, Object> described = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> split : splits.entrySet()) {
            long splitSeed = seeds.nextLong();
            if (split.getValue() > 0) {
                Map<String, Object> part =
                        writeSplit(split.getKey(), split.getValue(), splitSeed, examples, questions, answers);
                described.put(split.getKey(), part);
            }
        }
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("task", task.name());
        manifest.put("source", task.source().citation());
        manifest.put("settings", settings);
        manifest.put("seed", seed);
        manifest.put("format", format.name().toLowerCase(Locale.ROOT));
        manifest.put("vocabulary", task.vocabulary().symbols());
        manifest.put("splits", described);
        AtomicFile.write(directory.resolve("manifest.json"), Json.indented(manifest) + "\n");
        return manifest;
    }

    /** What was written of one kind: in earlier splits, and in this one. */
    private static final class Seen {

        private final ObjectOpenCustomHashSet<int[]> earlier = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        private final ObjectOpenCustomHashSet<int[]> now = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        private int count;
        private int repeated;

        void add(int[] ids) {
            count++;
            repeated += earlier.contains(ids) ? 1 : 0;
            now.add(ids);
        }

        Map<String, Object> describe(String kind) {
            Map<String, Object> described = new LinkedHashMap<>();
            described.put(kind, count);
            described.put("distinct", now.size());
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

    private Map<String, Object> writeSplit(
            String name, int count, long seed, Seen examples, Seen questions, Seen answers) throws IOException {
        Task source = name.equals(OUT_OF_SAMPLE) ? task.outOfSample().orElseThrow() : task;
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var lengths = new TreeMap<Integer, Integer>();
        var depths = new TreeMap<Integer, Integer>();
        Path file = directory.resolve(format == Format.TOK ? name + "/main.tok" : name + ".jsonl");
        var labels = new StringBuilder();
        AtomicFile.write(file, writer -> {
            for (int i = 0; i < count; i++) {
                Example example = source.sample(random, source.defaultLength());
                int[] input = example.inputs();
                lengths.merge(input.length, 1, Integer::sum);
                source.nestingDepth(input).ifPresent(depth -> depths.merge(depth, 1, Integer::sum));
                examples.add(input);
                for (Exercise exercise : source.exercises(input)) {
                    questions.add(exercise.question());
                    answers.add(exercise.answer());
                }
                writeExample(writer, example);
                if (format == Format.TOK && example.values().length > 0) {
                    labels.append(example.values()[0]).append('\n');
                }
            }
        });
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("file", directory.relativize(file).toString());
        if (!labels.isEmpty()) {
            Path labelled = file.resolveSibling("labels.txt");
            AtomicFile.write(labelled, labels.toString());
            described.put("labels", directory.relativize(labelled).toString());
        }
        described.putAll(examples.describe("examples"));
        described.put("seed", seed);
        described.put("lengths", lengths);
        described.put("depths", depths);
        if (questions.count > 0) {
            described.put("questions", questions.describe("whole"));
            described.put("answers", answers.describe("whole"));
        }
        for (Seen seen : List.of(examples, questions, answers)) {
            seen.nextSplit();
        }
        return described;
    }

    private void writeExample(Writer writer, Example example) throws IOException {
        if (format == Format.TOK) {
            writer.write(String.join(" ", symbols(example.inputs())));
        } else {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("input", symbols(example.inputs()));
            if (example.values().length > 0) {
                line.put("value", example.values());
            } else {
                line.put("target", symbols(example.targets()));
            }
            line.put("position", IntStream.of(example.scoredPositions()).boxed().toList());
            writer.write(Json.line(line));
        }
        writer.write('\n');
    }

    private List<String> symbols(int[] ids) {
        return IntStream.of(ids).mapToObj(task.vocabulary()::symbol).toList();
    }
}
