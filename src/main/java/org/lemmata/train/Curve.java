package org.lemmata.train;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lemmata.file.MalformedFileException;

/** The file of a curve: a JSON object a line, each written as soon as it is known. */
final class Curve implements AutoCloseable {

    private final FileChannel channel;

    private Curve(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens a file to write on after its first {@code length} bytes; what lies behind them is cut off.
     *
     * @throws IOException if the file is shorter
     */
    static Curve open(Path file, long length) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.size() < length) {
                throw new MalformedFileException(
                        file,
                        "",
                        "expected the curve up to the checkpoint, of " + length + " bytes, got " + channel.size());
            }
            channel.truncate(length);
            channel.position(length);
            return new Curve(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
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
