package org.lemmata.file;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes a file under a temporary name beside it and moves it into place: readers see the old file or the new one. */
public final class AtomicFile {

    private AtomicFile() {}

    /** Writes the whole content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(Writer writer) throws IOException;
    }

    /**
     * Replaces {@code target} by what {@code content} writes, in UTF-8; missing parent directories are made.
     *
     * @throws IOException if the disk refuses; {@code target} is then as it was before
     */
    public static void write(Path target, Content content) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new IOException(target + ": expected a file, got the root directory");
        }
        Files.createDirectories(directory);
        // Not Files.createTempFile: its files are readable by their owner alone, and the move would keep that.
        Path temporary = directory.resolve("." + absolute.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                var writer = new BufferedWriter(
                        new OutputStreamWriter(Channels.newOutputStream(channel), StandardCharsets.UTF_8));
                content.writeTo(writer);
                writer.flush();
                // Without this a crash of the machine right after the move may leave an empty file under the final
                // name.
                channel.force(true);
            } catch (UncheckedIOException e) {
                throw new IOException(e.getMessage(), e);
            }
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Replaces {@code target} by {@code text}. */
    public static void write(Path target, String text) throws IOException {
        write(target, writer -> writer.write(text));
    }
}
