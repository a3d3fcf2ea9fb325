package org.lemmata.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** Paths and whole directories: deletes directories, and reads and displays paths. */
public final class FileTree {

    /** The maximum number of bytes that Linux accepts in a file name. */
    private static final int LONGEST_NAME = 255;

    /** The maximum number of bytes that Linux accepts in a path, including the zero at its end. */
    private static final int LONGEST_PATH = 4096;

    private FileTree() {}

    /** Deletes a directory with everything in it; does nothing if it does not exist. Links are not followed. */
    public static void delete(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    /**
     * The file whose name was read from {@code file}; a relative name starts from the directory of {@code file}.
     *
     * @param place the place of the name, for the message
     * @throws MalformedFileException if {@link #path} rejects the name
     */
    public static Path named(Path file, String place, String name) throws MalformedFileException {
        return path(name)
                .map(file::resolveSibling)
                .orElseThrow(() -> new MalformedFileException(
                        file, place, "expected the name of a file, got " + Refuse.quoted(name)));
    }

    /** Converts a text to a path; empty if it has a control character or no file can have this name. */
    public static Optional<Path> path(String text) {
        try {
            if (text.chars().anyMatch(Character::isISOControl) || bytes(text) >= LONGEST_PATH) {
                return Optional.empty();
            }
            Path path = Path.of(text);
            for (Path name : path) {
                if (bytes(name.toString()) > LONGEST_NAME) {
                    return Optional.empty();
                }
            }
            return Optional.of(path);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The path relative to the working directory if the file is below it; otherwise the path itself. */
    public static Path shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file) : file;
    }
}
