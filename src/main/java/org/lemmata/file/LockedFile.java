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
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A file that one holder on this machine has open, until it closes it.
 *
 * <p>A POSIX process loses its lock on a file when it closes any descriptor of that file. Read a locked file only
 * through its channel; a second holder in this process is rejected without opening the file.
 *
 * @param key of the file, the same through links
 * @param channel which holds the lock
 */
public record LockedFile(Object key, FileChannel channel) implements AutoCloseable {

    private static final Set<Object> HELD = new HashSet<>();

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
        synchronized (HELD) {
            if (key(file).filter(HELD::contains).isPresent()) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, options.length == 0 ? BY_DEFAULT : options);
            Optional<LockedFile> opened = Optional.empty();
            try {
                Optional<Object> key = key(file);
                // The holder before may have deleted the file after it was opened here, and another may have made it
                // anew.
                if (channel.tryLock() != null && key.isPresent() && key.equals(key(file))) {
                    HELD.add(key.get());
                    opened = Optional.of(new LockedFile(key.get(), channel));
                }
                return opened;
            } catch (OverlappingFileLockException e) {
                // A library in this JVM has it.
                return opened;
            } finally {
                if (opened.isEmpty()) {
                    channel.close();
                }
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
        synchronized (HELD) {
            HELD.remove(key);
            channel.close();
        }
    }
}
