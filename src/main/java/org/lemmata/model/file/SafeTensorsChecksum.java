package org.lemmata.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;

/**
 * A CRC-32C of a whole safetensors file, stored as the first text of {@code __metadata__}.
 *
 * <p>It covers every byte, with its own eight digits replaced by zeros. It detects every change within 32 neighbouring
 * bits; of other changes, it misses about one in 2^32.
 */
final class SafeTensorsChecksum {

    static final String KEY = "crc32c";

    /** Placeholder digits that the checksum covers. They are written first, because the checksum is not yet known. */
    static final String BLANK = "00000000";

    /** The beginning of every header with a checksum. It gives the digits a fixed position. */
    private static final byte[] PREFIX = ("{\"__metadata__\":{\"" + KEY + "\":\"").getBytes(StandardCharsets.US_ASCII);

    /** The position of the digits in the file. */
    static final int POSITION = SafeTensorsHeader.LENGTH_BYTES + PREFIX.length;

    private SafeTensorsChecksum() {}

    static byte[] digits(CRC32C crc) {
        return HexFormat.of().toHexDigits((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws MalformedFileException if the file has no checksum, or a wrong one */
    static void verify(Path path, FileChannel channel, ByteBuffer buffer) throws IOException {
        byte[] start = new byte[POSITION + BLANK.length()];
        if (channel.size() >= start.length) {
            SafeTensorsFile.fill(path, channel, ByteBuffer.wrap(start), 0);
        }
        if (!ByteBuffer.wrap(start, SafeTensorsHeader.LENGTH_BYTES, PREFIX.length)
                .equals(ByteBuffer.wrap(PREFIX))) {
            throw new MalformedFileException(path, "header", "expected a checksum first, got none");
        }
        String stored = new String(start, POSITION, BLANK.length(), StandardCharsets.ISO_8859_1);
        System.arraycopy(BLANK.getBytes(StandardCharsets.US_ASCII), 0, start, POSITION, BLANK.length());
        var crc = new CRC32C();
        crc.update(start);
        long position = start.length;
        while (channel.read(buffer.clear(), position) > 0) {
            position += buffer.position();
            crc.update(buffer.flip());
        }
        String computed = new String(digits(crc), StandardCharsets.US_ASCII);
        if (!computed.equals(stored)) {
            throw new MalformedFileException(
                    path,
                    "",
                    "expected the checksum " + computed + " of its bytes, got " + Refuse.shown(stored)
                            + ": the file was altered after it was written");
        }
    }
}
