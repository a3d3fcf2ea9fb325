package org.lemmata.train;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.lemmata.file.Json;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;

/**
 * The file of a curve: one JSON object per line, each written as soon as it is known, without components that were not
 * measured. A value that is not finite is the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}.
 */
final class Curve implements AutoCloseable {

    private final Path file;
    private final LockedFile locked;
    private final FileChannel channel;
    private final boolean isNew;
    private final CRC32C crc = new CRC32C();

    /**
     * Opens a file and locks it until it is closed, so that only one run writes into a directory.
     *
     * @throws IOException if another run has it open
     */
    Curve(Path file) throws IOException {
        this.file = file;
        isNew = Files.notExists(file);
        locked = LockedFile.open(file)
                .orElseThrow(
                        () -> new MalformedFileException(file, "", "expected no other run in its directory, got one"));
        channel = locked.channel();
    }

    /**
     * Truncates the file to {@code length} bytes. The next line is appended there.
     *
     * @param checksum the {@link #checksum} of these bytes
     * @throws IOException if the file is shorter, or has another checksum
     */
    void cutTo(long length, long checksum) throws IOException {
        MalformedFileException.when(
                channel.size() < length,
                file,
                "",
                "the curve up to the checkpoint, of " + length + " bytes",
                channel.size());
        crc.reset();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        channel.position(0);
        for (long left = length; left > 0; left -= buffer.position()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), left));
            if (channel.read(buffer) < 0) {
                break;
            }
            crc.update(buffer.array(), 0, buffer.position());
        }
        MalformedFileException.when(
                crc.getValue() != checksum,
                file,
                "",
                "the curve of the checkpoint, with the checksum " + Long.toHexString(checksum) + " of its first "
                        + length + " bytes",
                Long.toHexString(crc.getValue()) + ": it was altered after it was written");
        channel.truncate(length);
        channel.position(length);
    }

    void append(TrainingListener.CurvePoint point) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((Json.line(point) + "\n").getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            channel.write(line);
        }
        crc.update(line.flip());
    }

    long checksum() {
        return crc.getValue();
    }

    /** Deletes the file if the constructor created it. Called if the run does not start. */
    void discardIfNew() throws IOException {
        if (isNew) {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Forces the file to disk and returns its length for the next checkpoint.
     *
     * @throws IOException if the file was removed
     */
    long force() throws IOException {
        MalformedFileException.when(
                Files.notExists(file), file, "", "the file that this run writes", "none: it was removed");
        channel.force(true);
        return channel.position();
    }

    @Override
    public void close() throws IOException {
        locked.close();
    }
}
