package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** Checks output directories and files. */
final class OutDirectory {

    private OutDirectory() {}

    /**
     * Whether the directory is empty or missing.
     *
     * @throws IllegalArgumentException if it is a file
     */
    static boolean isNewOrEmpty(Path directory) throws IOException {
        return first(directory).isEmpty();
    }

    static void requireNewOrEmpty(Path directory) throws IOException {
        Optional<Path> first = first(directory);
        if (first.isPresent()) {
            throw new IllegalArgumentException("--out: expected a directory that is new or empty, got " + directory
                    + " with " + first.get().getFileName());
        }
    }

    /**
     * Rejects an unwritable file before anything is computed, so that a mistyped name does not cost the results.
     * Creates the directory of the file.
     *
     * @param option the option that names the file
     * @param shown the path for the message
     */
    static void requireWritable(String option, Path file, Path shown) throws IOException {
        Refuse.when(Files.isDirectory(file), option, "a file", "the directory " + file);
        Path directory = file.toAbsolutePath().getParent();
        // Devices and pipes are written in place.
        if (directory != null && (!Files.exists(file) || Files.isRegularFile(file))) {
            Files.createDirectories(directory);
            Refuse.when(!Files.isWritable(directory), option, "a place that can be written", shown);
        }
    }

    private static Optional<Path> first(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                return files.findFirst();
            }
        }
        Refuse.when(Files.exists(directory), "--out", "a directory", "the file " + directory);
        return Optional.empty();
    }
}
