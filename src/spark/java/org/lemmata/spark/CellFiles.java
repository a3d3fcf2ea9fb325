package org.lemmata.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lemmata.file.AtomicFile;

/**
 * What a cell left in a directory that the driver does not see, on its way there.
 *
 * @param contents by name: the files at the top of the directory, so that checkpoints are not among them
 * @param leftOut the names of those that were too large together with the smaller ones
 */
record CellFiles(TreeMap<String, byte[]> contents, List<String> leftOut) implements Serializable {

    /** A driver holds the files of a few cells at once. */
    private static final long MOST_BYTES = 64L << 20;

    static final CellFiles NONE = new CellFiles(new TreeMap<>(), List.of());

    /** Reads them, the smallest first. */
    static CellFiles of(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(directory)) {
            files = entries.filter(Files::isRegularFile)
                    // What a kill left of a file that was being written.
                    .filter(file -> !name(file).startsWith("."))
                    .sorted(Comparator.comparingLong(CellFiles::size))
                    .toList();
        }
        var contents = new TreeMap<String, byte[]>();
        long room = MOST_BYTES;
        int taken = 0;
        for (Path file : files) {
            room -= size(file);
            if (room < 0) {
                break;
            }
            contents.put(name(file), Files.readAllBytes(file));
            taken++;
        }
        return new CellFiles(
                contents,
                files.subList(taken, files.size()).stream().map(CellFiles::name).toList());
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
