package org.lemmata.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.lemmata.file.AtomicFile;

/**
 * The directory of a sweep, seen from elsewhere: another machine may have another one at the same path, or none.
 *
 * @param path absolute, as the driver names it
 * @param nonce what the driver wrote into a file there, and nobody else could have
 */
record SharedDirectory(String path, String nonce) implements Serializable {

    private static final String MARKER = ".spark";

    /** Marks the directory until {@link #unmark}. */
    static SharedDirectory mark(Path directory) throws IOException {
        var shared = new SharedDirectory(
                directory.toAbsolutePath().toString(), UUID.randomUUID().toString());
        AtomicFile.write(shared.marker(), writer -> writer.write(shared.nonce));
        return shared;
    }

    void unmark() throws IOException {
        Files.deleteIfExists(marker());
    }

    /** Whether this process sees the directory that the driver marked. */
    boolean isSeen() {
        try {
            return Files.readString(marker()).equals(nonce);
        } catch (IOException e) {
            return false;
        }
    }

    Path directory() {
        return Path.of(path);
    }

    private Path marker() {
        return directory().resolve(MARKER);
    }
}
