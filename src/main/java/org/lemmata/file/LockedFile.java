package org.lemmata.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that one holder on this machine has open for reading and writing, until it closes it.
 *
 * <p>A POSIX process loses its lock on a file when it closes any descriptor of that file. Read a locked file only
 * through its channel; a second holder in this process is rejected without opening the file.
 *
 * @param real the file, without links on its way
 * @param channel which holds the lock
 */
public record LockedFile(Path real, FileChannel channel) implements AutoCloseable {

    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final OpenOption[] BY_DEFAULT = {
        StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE
    };

    /**
     * Opens a file; empty while it has another holder.
     *
     * @param options of the channel; by default it reads and writes, and the file is created if it is missing
     * @throws IOException if it cannot be opened
     */
    public static Optional<LockedFile> open(Path file, OpenOption... options) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path real = Files.exists(absolute)
                ? absolute.toRealPath()
                : Objects.requireNonNull(absolute.getParent()).toRealPath().resolve(absolute.getFileName());
        if (!HELD.add(real)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean held = false;
        try {
            channel = FileChannel.open(file, options.length == 0 ? BY_DEFAULT : options);
            Optional<Object> key = key(file);
            // The holder before may have deleted the file after it was opened here, and another one may have made it
            // anew.
            held = channel.tryLock() != null && key.isPresent() && key.equals(key(file));
            return held ? Optional.of(new LockedFile(real, channel)) : Optional.empty();
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        } finally {
            if (!held) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(real);
            }
        }
    }

    private static Optional<Object> key(Path file) throws IOException {
        try {
            return Optional.of(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(real);
        }
    }
}
