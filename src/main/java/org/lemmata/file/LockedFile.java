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
 * A file with a lock: exclusive for one holder on this machine, or shared by several processes.
 *
 * <p>A POSIX process loses its lock on a file when it closes any descriptor of that file. Therefore read a locked file
 * only through its channel. A second holder in this process is rejected without opening the file.
 *
 * @param key identifies the file, also through links
 * @param channel holds the lock
 * @param name another channel of the file, opened by its name after it was locked; it stays open as long as the lock
 */
public record LockedFile(Object key, FileChannel channel, FileChannel name) implements AutoCloseable {

    private static final Set<Object> HELD = new HashSet<>();

    private static final OpenOption[] BY_DEFAULT = {
        StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE
    };

    /**
     * Opens a file for one holder; empty if it has another holder.
     *
     * @param options the options of the channel. By default, it can read and write, and a missing file is created.
     * @throws IOException if the file cannot be opened
     */
    public static Optional<LockedFile> open(Path file, OpenOption... options) throws IOException {
        return open(file, false, options.length == 0 ? BY_DEFAULT : options);
    }

    /** Opens a file that several processes may share; empty if this process has it, or another holds it exclusively. */
    public static Optional<LockedFile> share(Path file) throws IOException {
        return open(file, true, BY_DEFAULT);
    }

    /** Whether this process holds or shares a file. */
    public static boolean isOurs(Path file) throws IOException {
        synchronized (HELD) {
            return key(file).filter(HELD::contains).isPresent();
        }
    }

    private static Optional<LockedFile> open(Path file, boolean shared, OpenOption... options) throws IOException {
        synchronized (HELD) {
            if (isOurs(file)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, options);
            Optional<FileChannel> name = Optional.empty();
            Optional<LockedFile> opened = Optional.empty();
            try {
                if (channel.tryLock(0, Long.MAX_VALUE, shared) != null) {
                    name = Optional.of(FileChannel.open(file, StandardOpenOption.READ));
                    Optional<Object> key = isLockedHere(name.get()) ? key(file) : Optional.empty();
                    if (key.isPresent()) {
                        HELD.add(key.get());
                        opened = Optional.of(new LockedFile(key.get(), channel, name.get()));
                    }
                }
                return opened;
            } catch (OverlappingFileLockException | NoSuchFileException e) {
                // A library in this JVM holds the lock, or the previous holder has deleted the file.
                return opened;
            } finally {
                if (opened.isEmpty()) {
                    channel.close();
                    if (name.isPresent()) {
                        name.get().close();
                    }
                }
            }
        }
    }

    /**
     * Whether this process has locked the channel's file. The previous holder may have deleted the locked file, and
     * another process may have created a new one. Keys do not tell them apart, because a file system soon uses the
     * number of a deleted file again.
     */
    private static boolean isLockedHere(FileChannel channel) throws IOException {
        try (var _ = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return false;
        } catch (OverlappingFileLockException e) {
            return true;
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
            name.close();
        }
    }
}
