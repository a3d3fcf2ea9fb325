package org.lemmata.train;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.model.file.SafeTensorsFile;
import org.lemmata.model.file.SafeTensorsWriter;
import org.lemmata.model.file.TensorContent;
import org.lemmata.model.file.TensorEntry;

/**
 * The state of a training run after a number of steps. A run resumed from it is bit-identical to an uninterrupted run.
 * On disk, a checkpoint is a safetensors file {@code checkpoint-STEP.safetensors} with a checksum of every byte. It is
 * written under a temporary name and then moved, so it is complete or absent even if the process or the machine dies.
 *
 * @param state all state except the arrays, as text by name: counters, losses, the position in the data, and settings
 * @param arrays parameters and optimizer state by name, in the order of the file; not copied, and stored with all bits
 */
public record Checkpoint(long step, SortedMap<String, String> state, Map<String, float[]> arrays) {

    private static final Pattern FILE_NAME = Pattern.compile("checkpoint-(0|[1-9]\\d{0,17})\\.safetensors");

    private static final String CONTENT = "content";
    private static final String CONTENT_OF_THIS = "lemmata checkpoint 1";
    private static final String STEP = "step";
    private static final String STATE_PREFIX = "state.";

    public Checkpoint {
        Refuse.below("step", step, 0);
        state = Collections.unmodifiableSortedMap(new TreeMap<>(state));
        arrays = Collections.unmodifiableMap(new LinkedHashMap<>(arrays));
    }

    public static Path file(Path directory, long step) {
        return directory.resolve("checkpoint-" + step + ".safetensors");
    }

    /**
     * Writes {@code checkpoint} and forces it to disk. Then removes all other checkpoints, except the newest intact
     * checkpoint of an earlier step. A checkpoint of a later step belongs to a run that this run replaces.
     *
     * @throws IOException if writing fails; existing checkpoints stay
     */
    public static void write(Path directory, Checkpoint checkpoint) throws IOException {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(CONTENT, CONTENT_OF_THIS);
        metadata.put(STEP, Long.toString(checkpoint.step));
        checkpoint.state.forEach((key, value) -> metadata.put(STATE_PREFIX + key, value));
        List<TensorContent> tensors = checkpoint.arrays.entrySet().stream()
                .map(array ->
                        new TensorContent(array.getKey(), LongList.of(array.getValue().length), array.getValue(), 0))
                .toList();
        SafeTensorsWriter.writeChecked(file(directory, checkpoint.step), metadata, tensors);
        removeAllButTheOneBefore(directory, checkpoint.step);
    }

    private static void removeAllButTheOneBefore(Path directory, long step) throws IOException {
        boolean found = false;
        for (Map.Entry<Long, Path> other : newestFirst(directory).entrySet()) {
            if (other.getKey() == step) {
                continue;
            }
            // A damaged checkpoint cannot be resumed, so it must not replace the intact checkpoint before it.
            if (!found && other.getKey() < step && isWhole(other.getValue())) {
                found = true;
            } else {
                Files.deleteIfExists(other.getValue());
            }
        }
        discardLeftovers(directory);
    }

    private static boolean isWhole(Path file) {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            tensors.verifyChecksum();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The newest intact checkpoint of {@code directory}; empty if the directory does not exist or has no checkpoint.
     * Removes partial files of killed writers, so no other process may be writing checkpoints there.
     *
     * @param warnings receives one line for each newer checkpoint that is rejected, with the file and the problem
     * @throws IOException if the directory cannot be read, or has checkpoints but no intact one, because starting again
     *     would overwrite them
     */
    public static Optional<Checkpoint> readLatest(Path directory, Consumer<String> warnings) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        discardLeftovers(directory);
        SortedMap<Long, Path> files = newestFirst(directory);
        for (Map.Entry<Long, Path> file : files.entrySet()) {
            try {
                return Optional.of(read(file.getValue(), file.getKey()));
            } catch (MalformedFileException e) {
                warnings.accept(e.getMessage());
            } catch (IOException e) {
                warnings.accept(file.getValue() + ": cannot be read: " + e);
            }
        }
        MalformedFileException.when(
                !files.isEmpty(), directory, "", "an intact checkpoint to resume from", "none among " + files.size());
        return Optional.empty();
    }

    private static void discardLeftovers(Path directory) throws IOException {
        AtomicFile.discardLeftovers(directory, name -> FILE_NAME.matcher(name).matches());
    }

    /** The checkpoints of a directory by step, newest first, including damaged ones. */
    private static SortedMap<Long, Path> newestFirst(Path directory) throws IOException {
        var files = new TreeMap<Long, Path>(Comparator.reverseOrder());
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path file : stream) {
                Matcher name = FILE_NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    files.put(Long.parseLong(name.group(1)), file);
                }
            }
        }
        return files;
    }

    private static Checkpoint read(Path path, long step) throws IOException {
        try (SafeTensorsFile file = SafeTensorsFile.open(path)) {
            file.verifyChecksum();
            expect(path, file, CONTENT, CONTENT_OF_THIS);
            expect(path, file, STEP, Long.toString(step));
            var state = new TreeMap<String, String>();
            file.metadata().forEach((key, value) -> {
                if (key.startsWith(STATE_PREFIX)) {
                    state.put(key.substring(STATE_PREFIX.length()), value);
                }
            });
            Map<String, float[]> arrays = new LinkedHashMap<>();
            for (TensorEntry tensor : file.tensors().values()) {
                arrays.put(tensor.name(), file.read(tensor));
            }
            return new Checkpoint(step, state, arrays);
        }
    }

    private static void expect(Path path, SafeTensorsFile file, String key, String value)
            throws MalformedFileException {
        String got = file.metadata().get(key);
        if (!value.equals(got)) {
            throw new MalformedFileException(
                    path,
                    "header: __metadata__." + key,
                    "expected " + Refuse.quoted(value) + ", got " + (got == null ? "none" : Refuse.quoted(got)));
        }
    }
}
