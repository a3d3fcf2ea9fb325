package org.lemmata.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a file holds, read no further than memory goes: a device has no end. */
public final class Contents {

    private static final int MOST = 1 << 28;

    private Contents() {}

    /**
     * Of a file.
     *
     * @throws FileSystemException if it is longer than 256 MiB, or than an eighth of the heap
     */
    public static byte[] of(Path file) throws IOException {
        int most = (int) Math.min(MOST, Runtime.getRuntime().maxMemory() / 8);
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new FileSystemException(
                        file.toString(), null, "expected at most " + (most >> 20) + " MiB, got more");
            }
            return bytes;
        }
    }
}
