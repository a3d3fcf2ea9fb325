package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.LockedFile;

/** Checks output directories and files, and fills directories. */
final class OutDirectory {

    private static final String LOCK = ".lock";

    private OutDirectory() {}

    /** Writes the files of a directory. */
    @FunctionalInterface
    interface Content<T> {
        T write() throws IOException;
    }

    /**
     * Fills a directory that is new or empty, and locks it meanwhile.
     *
     * @throws IllegalArgumentException if it has files, or another command is filling it
     */
    static <T> T fill(Path directory, Content<T> content) throws IOException {
        requireNewOrEmpty(directory);
        boolean isNew = Files.notExists(directory);
        Path file = Files.createDirectories(directory).resolve(LOCK);
        try (var _ = LockedFile.open(file)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--out: expected no other command that writes into " + directory + ", got one"))) {
            try {
                requireNewOrEmpty(directory);
                return content.write();
            } finally {
                // Deleted before the lock is released, so that this is not the file of the next holder.
                Files.deleteIfExists(file);
                if (isNew) {
                    deleteIfEmpty(directory);
                }
            }
        }
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // It is filled, or another command has begun to fill it.
        }
    }

    /** Rejects an option's directory that does not exist. */
    static void requireDirectory(String option, @Nullable Path directory) {
        Refuse.when(directory != null && !Files.isDirectory(directory), option, "a directory", "none at " + directory);
    }

    /**
     * Whether the directory is missing, or empty except for a lock that a killed command left.
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
                return files.filter(file -> !file.endsWith(LOCK)).findFirst();
            }
        }
        Refuse.when(Files.exists(directory), "--out", "a directory", "the file " + directory);
        return Optional.empty();
    }
}
