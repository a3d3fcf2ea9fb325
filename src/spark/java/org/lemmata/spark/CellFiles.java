package org.lemmata.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lemmata.file.AtomicFile;

/**
 * What a cell left in a directory that the driver does not see, on its way there.
 *
 * @param contents by name: the files at the top of the directory, so that checkpoints are not among them
 * @param leftOut the names of what is missing, each with the reason
 */
record CellFiles(TreeMap<String, byte[]> contents, List<String> leftOut) implements Serializable {

    /** A driver holds the files of a few cells at once. */
    private static final long MOST_BYTES = 64L << 20;

    static final CellFiles NONE = new CellFiles(new TreeMap<>(), List.of());

    private record Sized(Path file, long bytes) {}

    /** Reads them, the smallest first; one that cannot be read is left out, since the cell's result is worth more. */
    static CellFiles of(Path directory) {
        var contents = new TreeMap<String, byte[]>();
        var leftOut = new ArrayList<String>();
        long room = MOST_BYTES;
        for (Sized each : files(directory, leftOut)) {
            if (each.bytes > room) {
                leftOut.add(name(each.file) + " (too large)");
                continue;
            }
            try {
                contents.put(name(each.file), Files.readAllBytes(each.file));
                room -= each.bytes;
            } catch (IOException e) {
                leftOut.add(name(each.file) + " (" + reason(e) + ")");
            }
        }
        return new CellFiles(contents, List.copyOf(leftOut));
    }

    /** The files at the top, the smallest first. */
    private static List<Sized> files(Path directory, List<String> leftOut) {
        List<Path> all = List.of();
        try (Stream<Path> entries = Files.list(directory)) {
            all = entries.filter(CellFiles::isWhole).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            leftOut.add("files (" + reason(e) + ")");
        }
        var files = new ArrayList<Sized>();
        for (Path entry : all) {
            try {
                if (!Files.isDirectory(entry)) {
                    files.add(new Sized(entry, Files.size(entry)));
                } else if (hasFiles(entry)) {
                    leftOut.add(name(entry) + " (a directory)");
                }
            } catch (IOException | UncheckedIOException e) {
                leftOut.add(name(entry) + " (" + reason(e) + ")");
            }
        }
        files.sort(Comparator.comparingLong(Sized::bytes));
        return files;
    }

    private static boolean hasFiles(Path directory) throws IOException {
        try (Stream<Path> below = Files.walk(directory)) {
            return below.anyMatch(each -> Files.isRegularFile(each) && isWhole(each));
        }
    }

    /** Whether it is not what a kill left of a file that was being written. */
    private static boolean isWhole(Path file) {
        return !name(file).startsWith(".");
    }

    private static String reason(Exception e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Writes them, each whole or not at all. */
    void writeTo(Path directory) throws IOException {
        for (var file : contents.entrySet()) {
            ByteBuffer content = ByteBuffer.wrap(file.getValue());
            AtomicFile.writeBytes(directory.resolve(file.getKey()), channel -> {
                while (content.hasRemaining()) {
                    channel.write(content);
                }
            });
        }
    }
}
