package org.lemmata.train;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lemmata.file.MalformedFileException;

/** The file of a curve: a JSON object a line, each written as soon as it is known. */
final class Curve implements AutoCloseable {

    private final Path file;
    private final FileChannel channel;

    private Curve(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Opens a file, which stays locked until it is closed: no two runs write into one directory.
     *
     * @throws IOException if another run has it open
     */
    static Curve open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (!isLocked(channel)) {
                throw new MalformedFileException(file, "", "expected no other run in its directory, got one");
            }
            return new Curve(file, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Cuts off what lies behind the first {@code length} bytes; the next line comes there.
     *
     * @throws IOException if the file is shorter
     */
    void cutTo(long length) throws IOException {
        if (channel.size() < length) {
            throw new MalformedFileException(
                    file,
                    "",
                    "expected the curve up to the checkpoint, of " + length + " bytes, got " + channel.size());
        }
        channel.truncate(length);
        channel.position(length);
    }

    /** Whether the lock, which ends with the channel, is ours. */
    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    void append(CurvePoint point) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((point.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    /** The bytes of the file, all of them on the disk: what a checkpoint may speak of. */
    long force() throws IOException {
        channel.force(true);
        return channel.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
