package org.lemmata.train;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import it.unimi.dsi.fastutil.longs.LongComparators;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
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
import org.lemmata.model.file.TensorType;

/**
 * Everything that a training run needs to go on as if it had never stopped, after a number of steps.
 *
 * <p>On disk it is a safetensors file {@code checkpoint-STEP.safetensors} with a checksum of every byte, written under
 * another name and moved: a process or a machine that dies leaves it whole or absent.
 *
 * @param step how many steps were made, from 0
 * @param state what is no array of floats (generators, position in the data, counters), as text by name
 * @param arrays parameters and optimizer state by name, in the order in which they lie in the file; not copied, and
 *     kept to the bit
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

    /** The file of a step. */
    public static Path file(Path directory, long step) {
        return directory.resolve("checkpoint-" + step + ".safetensors");
    }

    /**
     * Writes {@code checkpoint}; when this returns it is on the disk. Then what is needed no more is removed: all but
     * the newest whole checkpoint of an earlier step. One of a later step belongs to a run that this one replaces.
     *
     * @throws IOException if the disk refuses; the checkpoints that were there still are
     */
    public static void write(Path directory, Checkpoint checkpoint) throws IOException {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(CONTENT, CONTENT_OF_THIS);
        metadata.put(STEP, Long.toString(checkpoint.step));
        checkpoint.state.forEach((key, value) -> metadata.put(STATE_PREFIX + key, value));
        List<TensorContent> tensors = checkpoint.arrays.entrySet().stream()
                .map(array -> TensorContent.of(
                        array.getKey(), TensorType.F32, LongList.of(array.getValue().length), array.getValue(), 0))
                .toList();
        SafeTensorsWriter.writeChecked(file(directory, checkpoint.step), metadata, tensors);
        removeAllButTheOneBefore(directory, checkpoint.step);
    }

    private static void removeAllButTheOneBefore(Path directory, long step) throws IOException {
        boolean found = false;
        for (Long2ObjectMap.Entry<Path> other : newestFirst(directory).long2ObjectEntrySet()) {
            if (other.getLongKey() == step) {
                continue;
            }
            // A damaged one is no way back: it must not push out the whole one before it.
            if (!found && other.getLongKey() < step && isWhole(other.getValue())) {
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
     * The newest whole checkpoint of {@code directory}; none if there is no such directory. What killed writers left
     * there is removed: no other process may be writing checkpoints into it.
     *
     * @param warnings takes one line for each newer checkpoint that is refused: the file, what was expected, what came
     * @throws IOException if the directory cannot be read, or holds checkpoints of which none is whole: whoever went on
     *     without would begin anew, and write over them
     */
    public static Optional<Checkpoint> readLatest(Path directory, Consumer<String> warnings) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        discardLeftovers(directory);
        Long2ObjectSortedMap<Path> files = newestFirst(directory);
        for (Long2ObjectMap.Entry<Path> file : files.long2ObjectEntrySet()) {
            try {
                return Optional.of(read(file.getValue(), file.getLongKey()));
            } catch (MalformedFileException e) {
                warnings.accept(e.getMessage());
            } catch (IOException e) {
                warnings.accept(file.getValue() + ": cannot be read: " + e);
            }
        }
        if (!files.isEmpty()) {
            throw new MalformedFileException(
                    directory, "", "expected a whole checkpoint, to go on from, got none among " + files.size());
        }
        return Optional.empty();
    }

    private static void discardLeftovers(Path directory) throws IOException {
        AtomicFile.discardLeftovers(directory, name -> FILE_NAME.matcher(name).matches());
    }

    /** The checkpoints of a directory by step, whole or not. */
    private static Long2ObjectSortedMap<Path> newestFirst(Path directory) throws IOException {
        var files = new Long2ObjectRBTreeMap<Path>(LongComparators.OPPOSITE_COMPARATOR);
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
