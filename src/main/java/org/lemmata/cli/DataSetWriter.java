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
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Writes the splits of a data set, and last its manifest: a directory without a manifest is not whole.
 *
 * <p>Each split is drawn from its own seed, which follows from the data set's, so that a split does not change with the
 * size of another. Splits are independent draws; the manifest counts how many examples of a later split also stand in
 * an earlier one.
 */
final class DataSetWriter {

    /** How a split is written. */
    enum Format {
        /**
         * {@code SPLIT.jsonl}: one object a line with {@code input}, {@code position}, and {@code target} or, where
         * numbers are expected, {@code value}.
         */
        JSONL,
        /** {@code SPLIT/main.tok}: the input's tokens, separated by blanks, one example a line. */
        TOK
    }

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
     * @param splits name to number of examples, in order
     * @return the manifest
     * @throws IllegalArgumentException if the directory has files in it
     */
    Map<String, Object> write(Map<String, Integer> splits, long seed) throws IOException {
        OutDirectory.requireNewOrEmpty(directory);
        var seeds = new SplittableRandom(seed);
        var earlier = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        Map<String, Object> described = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> split : splits.entrySet()) {
            long splitSeed = seeds.nextLong();
            described.put(split.getKey(), writeSplit(split.getKey(), split.getValue(), splitSeed, earlier));
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

    private Map<String, Object> writeSplit(String name, int count, long seed, ObjectOpenCustomHashSet<int[]> earlier)
            throws IOException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var lengths = new TreeMap<Integer, Integer>();
        var depths = new TreeMap<Integer, Integer>();
        var own = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        int[] overlap = {0};
        Path file = directory.resolve(format == Format.TOK ? name + "/main.tok" : name + ".jsonl");
        AtomicFile.write(file, writer -> {
            for (int i = 0; i < count; i++) {
                Example example = task.sample(random, task.defaultLength());
                int[] input = example.inputs();
                lengths.merge(input.length, 1, Integer::sum);
                task.nestingDepth(input).ifPresent(depth -> depths.merge(depth, 1, Integer::sum));
                overlap[0] += earlier.contains(input) ? 1 : 0;
                own.add(input);
                writeExample(writer, example);
            }
        });
        earlier.addAll(own);
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("file", directory.relativize(file).toString());
        described.put("examples", count);
        described.put("distinct", own.size());
        described.put("inEarlierSplits", overlap[0]);
        described.put("seed", seed);
        described.put("lengths", lengths);
        described.put("depths", depths);
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
