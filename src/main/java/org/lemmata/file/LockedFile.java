package org.lemmata.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    /**
     * Opens a file, which is created if it is missing; empty while the file has another holder.
     *
     * @throws IOException if it cannot be opened
     */
    public static Optional<LockedFile> open(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path real = Objects.requireNonNull(absolute.getParent()).toRealPath().resolve(absolute.getFileName());
        if (!HELD.add(real)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean held = false;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            // The holder before may have deleted the file after it was opened here.
            held = channel.tryLock() != null && Files.exists(file);
            return held ? Optional.of(new LockedFile(real, channel)) : Optional.empty();
        } finally {
            if (!held) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(real);
            }
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
