package org.lemmata.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory with all that is below it. */
public final class FileTree {

    private FileTree() {}

    /** Deletes a directory with all that is below it; does nothing if it is not there. Links are not followed. */
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

    /** As seen from the working directory, if it lies below. */
    public static Path shown(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return file.startsWith(here) ? here.relativize(file) : file;
    }
}
