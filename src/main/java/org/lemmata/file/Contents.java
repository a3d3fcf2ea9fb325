package org.lemmata.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads whole files up to a limit, because a device file may be endless. */
public final class Contents {

    private static final int MOST = 1 << 28;

    private Contents() {}

    /**
     * The bytes of a file.
     *
     * @throws FileSystemException if it is longer than 256 MiB or an eighth of the heap
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

    /**
     * The text of a file in UTF-8.
     *
     * @throws MalformedFileException if it is not UTF-8; the message names the line and the byte
     * @throws FileSystemException if it is too long for {@link #of}
     */
    public static String text(Path file) throws IOException {
        byte[] bytes = of(file);
        return text(file, bytes, bytes.length);
    }

    /**
     * The first {@code length} bytes of a file as text, decoded like {@link #text(Path)}.
     *
     * @param file the file, for messages
     */
    public static String text(Path file, byte[] bytes, int length) throws MalformedFileException {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
        CharBuffer out = CharBuffer.allocate(length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError()) {
            int line = 1;
            for (int i = 0; i < in.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            throw new MalformedFileException(
                    file,
                    "line " + line,
                    "expected UTF-8, got the byte 0x" + Integer.toHexString(Byte.toUnsignedInt(bytes[in.position()])));
        }
        return withoutMark(out.flip().toString());
    }

    /** A text without the byte order mark with which programs on Windows begin a file. */
    public static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The number of bytes up to and including the last line break; the rest is an incomplete line. */
    public static int endOfLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }
}
