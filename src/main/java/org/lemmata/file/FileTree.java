package org.lemmata.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories with everything in them. */
public final class FileTree {

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

    /** The path relative to the working directory, if the file is below that. */
    public static Path shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file) : file;
    }
}
