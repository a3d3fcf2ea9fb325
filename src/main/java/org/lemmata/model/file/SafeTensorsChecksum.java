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
 * A CRC-32C of a whole safetensors file, kept in the file as the first text of {@code __metadata__}.
 *
 * <p>It is taken over every byte, its own eight digits counted as zeros. Any change within 32 neighbouring bits is
 * noticed, others but for one in 2^32.
 */
final class SafeTensorsChecksum {

    /** The key of the checksum in the metadata. */
    static final String KEY = "crc32c";

    /** The digits as they are counted, and as they are written before the rest of the file is known. */
    static final String BLANK = "00000000";

    /** How a header with a checksum begins: so the digits have one place in every file. */
    private static final byte[] PREFIX = ("{\"__metadata__\":{\"" + KEY + "\":\"").getBytes(StandardCharsets.US_ASCII);

    /** The place of the digits in the file. */
    static final int POSITION = SafeTensorsHeader.LENGTH_BYTES + PREFIX.length;

    private SafeTensorsChecksum() {}

    static byte[] digits(CRC32C crc) {
        return HexFormat.of().toHexDigits((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws MalformedFileException if the file has no checksum, or another than that of its bytes */
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
                    "expected the checksum " + computed + " that its bytes have, got " + Refuse.shown(stored)
                            + ": it was altered after it was written");
        }
    }
}
