package org.lemmata.file;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a file under a temporary name and renames it, so that readers see either the old or the new content. Symbolic
 * links are followed. Devices and pipes, such as {@code /dev/null}, are written in place.
 */
public final class AtomicFile {

    /** Temporary files that are being written; they are deleted if the JVM stops. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    private static final Pattern TEMPORARY_NAME = Pattern.compile("\\.(.+)\\.[0-9a-f-]{36}\\.part");

    /**
     * Longer names are left out of the name of the temporary file. 70 characters have at most 210 bytes, and a file
     * name may have 255.
     */
    private static final int LONGEST_KEPT = 70;

    /** The maximum number of links that Linux follows. */
    private static final int MOST_LINKS = 40;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> UNFINISHED.forEach(AtomicFile::discard)));
    }

    private AtomicFile() {}

    @FunctionalInterface
    public interface Content {
        void writeTo(Writer writer) throws IOException;
    }

    /** Writes the whole content of a file, in any order of positions. */
    @FunctionalInterface
    public interface BinaryContent {
        void writeTo(FileChannel channel) throws IOException;
    }

    /**
     * Replaces {@code target} with the output of {@code content} in UTF-8. Creates missing parent directories.
     *
     * @throws IOException if writing fails; {@code target} is then unchanged
     */
    public static void write(Path target, Content content) throws IOException {
        writeBytes(target, bytes(content));
    }

    private static BinaryContent bytes(Content content) {
        return channel -> {
            var writer = new BufferedWriter(
                    new OutputStreamWriter(Channels.newOutputStream(channel), StandardCharsets.UTF_8));
            content.writeTo(writer);
            writer.flush();
        };
    }

    /**
     * Replaces {@code target} with the output of {@code content}. Creates missing parent directories. On return, the
     * content is on the disk, and so is the name if the system can open directories.
     *
     * @throws IOException if writing fails; {@code target} is then unchanged
     */
    public static void writeBytes(Path target, BinaryContent content) throws IOException {
        replace(target, content, true);
    }

    /**
     * Replaces {@code target} without waiting for the disk, for content that can be written again. Readers see either
     * the old or the new content, but a crash of the machine may leave an empty file.
     */
    public static void writeUnforced(Path target, String text) throws IOException {
        replace(target, bytes(writer -> writer.write(text)), false);
    }

    private static void replace(Path target, BinaryContent content, boolean force) throws IOException {
        if (Files.exists(target) && !Files.isRegularFile(target) && !Files.isDirectory(target)) {
            try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
                content.writeTo(channel);
            } catch (IOException e) {
                throw named(target, e);
            }
            return;
        }
        Path absolute = target.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(absolute); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemException(target.toString(), null, "cannot be written: too many links");
            }
            absolute = absolute.resolveSibling(Files.readSymbolicLink(absolute));
        }
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new IOException(target + ": expected a file, got the root directory");
        }
        Files.createDirectories(directory);
        // Files.createTempFile would create a file that only its owner can read, even after the move.
        String name = absolute.getFileName().toString();
        Path temporary = directory.resolve(
                (name.length() > LONGEST_KEPT ? "." : "." + name + ".") + UUID.randomUUID() + ".part");
        UNFINISHED.add(temporary);
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                content.writeTo(channel);
                if (force) {
                    // Otherwise a crash of the machine right after the move may leave an empty file under the final
                    // name.
                    channel.force(true);
                }
            } catch (UncheckedIOException e) {
                throw new IOException(e.getMessage(), e);
            }
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (force) {
                forceNames(directory);
            }
        } catch (IOException e) {
            throw named(target, e);
        } finally {
            discard(temporary);
            UNFINISHED.remove(temporary);
        }
    }

    /** Writes the directory to the disk, so that the move survives a crash of the machine. */
    private static void forceNames(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Some systems cannot open a directory; the file system then decides when names reach the disk.
        }
    }

    /** Names the target in place of the temporary file, which the user does not know, or of no file. */
    private static IOException named(Path target, IOException e) {
        // Exceptions of channels do not name the file: "No space left on device".
        boolean isOfChannel = e.getClass() == IOException.class && e.getCause() == null;
        if (!isOfChannel && !(e instanceof FileSystemException)) {
            return e;
        }
        String reason = e instanceof FileSystemException of ? of.getReason() : e.getMessage();
        String none = e instanceof AccessDeniedException ? "permission denied" : "no such place";
        return new FileSystemException(
                target.toString(), null, "cannot be written: " + (reason == null ? none : reason));
    }

    private static void discard(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The temporary file stays, but the target is correct.
        }
    }

    public static void write(Path target, String text) throws IOException {
        write(target, writer -> writer.write(text));
    }

    /**
     * Deletes temporary files that killed writers left in {@code directory}. No other process may be writing such
     * files.
     *
     * @param targets accepts the final names of the files whose temporary files are deleted
     */
    public static void discardLeftovers(Path directory, Predicate<String> targets) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.toAbsolutePath(), ".*.part")) {
            for (Path file : files) {
                Matcher name = TEMPORARY_NAME.matcher(file.getFileName().toString());
                if (name.matches() && targets.test(name.group(1)) && !UNFINISHED.contains(file)) {
                    discard(file);
                }
            }
        }
    }
}
