package org.lemmata.spark;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to work in the directory of a cell: an executor that the driver holds for dead may still be at it.
 *
 * <p>All cells share one file, of which each locks a byte that follows from its id. A process has it open once, since
 * closing any channel of a file gives up all locks that the process holds on it.
 */
final class CellLock implements AutoCloseable {

    private static final String FILE = ".cells.lock";
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int HEXADECIMAL = 16;

    private static final Map<Path, OpenFile> OPEN = new HashMap<>();

    private final Path file;
    private final FileLock lock;

    private CellLock(Path file, FileLock lock) {
        this.file = file;
        this.lock = lock;
    }

    private static final class OpenFile {
        private final FileChannel channel;
        private int users;

        OpenFile(FileChannel channel) {
            this.channel = channel;
        }
    }

    /**
     * Waits for the lock of a cell.
     *
     * @param sweep the sweep's directory
     * @return empty if it was not to be had in time, or is no longer wanted
     * @throws IOException if the file system has no locks
     */
    static Optional<CellLock> acquire(Path sweep, String cell, Duration patience, BooleanSupplier stop)
            throws IOException {
        Path file = sweep.resolve(FILE);
        long place = Long.parseUnsignedLong(cell, HEXADECIMAL) >>> 1;
        long deadline = System.nanoTime() + patience.toNanos();
        FileChannel channel = open(file);
        FileLock lock = null;
        try {
            lock = tryLock(channel, place);
            while (lock == null && !stop.getAsBoolean() && System.nanoTime() < deadline) {
                Thread.sleep(PAUSE);
                lock = tryLock(channel, place);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (lock == null) {
                close(file);
            }
        }
        return Optional.ofNullable(lock).map(held -> new CellLock(file, held));
    }

    private static @Nullable FileLock tryLock(FileChannel channel, long place) throws IOException {
        try {
            return channel.tryLock(place, 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        synchronized (OPEN) {
            OpenFile open = OPEN.get(file);
            if (open == null) {
                open = new OpenFile(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
                OPEN.put(file, open);
            }
            open.users++;
            return open.channel;
        }
    }

    private static void close(Path file) throws IOException {
        synchronized (OPEN) {
            OpenFile open = OPEN.get(file);
            if (open != null && --open.users == 0) {
                OPEN.remove(file);
                open.channel.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            lock.release();
        } finally {
            close(file);
        }
    }
}
