package org.lemmata.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkFiles;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.FileTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an executor works at a cell: in the sweep's directory if it sees it and has it for itself, so that the cell
 * goes on from what an executor that was lost had left; else in a directory of its own, which ends with the task.
 */
final class CellPlace implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CellPlace.class);

    /** An executor that is lost to the driver ends by itself, most often within seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final @Nullable CellLock lock;

    private CellPlace(Path directory, @Nullable CellLock lock) {
        this.directory = directory;
        this.lock = lock;
    }

    static CellPlace of(SharedDirectory sweep, Assignment assignment, BooleanSupplier stop) throws IOException {
        String cell = assignment.cell().id();
        if (sweep.isSeen()) {
            Optional<CellLock> lock = lock(sweep.directory(), cell, stop);
            if (lock.isPresent()) {
                return new CellPlace(Path.of(assignment.directory()), lock.get());
            }
        }
        Path own =
                Files.createDirectories(Path.of(SparkFiles.getRootDirectory()).toAbsolutePath());
        return new CellPlace(Files.createTempDirectory(own, "cell-" + cell + "-"), null);
    }

    private static Optional<CellLock> lock(Path sweep, String cell, BooleanSupplier stop) {
        try {
            return CellLock.acquire(sweep, cell, PATIENCE, stop);
        } catch (IOException e) {
            // Not writable from here, or without locks: as good as not seen.
            return Optional.empty();
        }
    }

    Path directory() {
        return directory;
    }

    /** What has to be brought to the driver. */
    CellFiles files() {
        return lock == null ? CellFiles.of(directory) : CellFiles.NONE;
    }

    /** Gives up the lock, or removes the directory; a failure of that is told, and takes no result along. */
    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            } else {
                FileTree.delete(directory);
            }
        } catch (IOException e) {
            LOG.warn("{}: cannot be given up", directory, e);
        }
    }
}
