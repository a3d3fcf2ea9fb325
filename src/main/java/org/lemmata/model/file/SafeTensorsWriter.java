package org.lemmata.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;

/** Writes tensors in binary32 into a safetensors file, in order and atomically, without a copy in memory. */
public final class SafeTensorsWriter {

    private static final int BUFFER_ELEMENTS = 1 << 18;

    private final FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(BUFFER_ELEMENTS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    private SafeTensorsWriter(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Writes tensors to {@code file}, which is replaced if it exists.
     *
     * @param metadata free text, in the order of the file
     * @throws IllegalArgumentException if two tensors have the same name, or a tensor is named {@code __metadata__}
     */
    public static void write(Path file, Map<String, String> metadata, List<TensorContent> tensors) throws IOException {
        byte[] header = SafeTensorsHeader.encode(metadata, entries(tensors));
        AtomicFile.writeBytes(file, channel -> new SafeTensorsWriter(channel).write(header, tensors));
    }

    /**
     * As {@link #write}, with a checksum of the whole file for {@link SafeTensorsFile#verifyChecksum}.
     *
     * @throws IllegalArgumentException as in {@link #write}, or if the metadata contains {@code crc32c}
     */
    public static void writeChecked(Path file, Map<String, String> metadata, List<TensorContent> tensors)
            throws IOException {
        var checked = new LinkedHashMap<String, String>();
        checked.put(SafeTensorsFile.CHECKSUM, SafeTensorsFile.BLANK);
        metadata.forEach((key, value) -> {
            Refuse.when(
                    checked.put(key, value) != null, "metadata", "a key other than " + SafeTensorsFile.CHECKSUM, key);
        });
        byte[] header = SafeTensorsHeader.encode(checked, entries(tensors));
        AtomicFile.writeBytes(file, channel -> {
            var writer = new SafeTensorsWriter(channel);
            writer.write(header, tensors);
            ByteBuffer digits =
                    ByteBuffer.wrap(SafeTensorsFile.digits(writer.crc).getBytes(StandardCharsets.US_ASCII));
            while (digits.hasRemaining()) {
                channel.write(digits, SafeTensorsFile.CHECKSUM_POSITION + digits.position());
            }
        });
    }

    private static List<TensorEntry> entries(List<TensorContent> tensors) {
        Set<String> names = new HashSet<>();
        var entries = new ArrayList<TensorEntry>();
        long begin = 0;
        for (TensorContent tensor : tensors) {
            SafeTensorsHeader.checkName(tensor.name());
            Refuse.when(!names.add(tensor.name()), "tensors", "one of each name", "two " + tensor.name());
            TensorEntry entry = tensor.entry(begin);
            entries.add(entry);
            begin = entry.end();
        }
        return entries;
    }

    private void write(byte[] header, List<TensorContent> tensors) throws IOException {
        drain(buffer.putLong(header.length).flip());
        drain(ByteBuffer.wrap(header));
        for (TensorContent tensor : tensors) {
            for (int first = 0; first < tensor.size(); first += BUFFER_ELEMENTS) {
                tensor.encodeInto(buffer.clear(), first, Math.min(BUFFER_ELEMENTS, tensor.size() - first));
                drain(buffer.flip());
            }
        }
    }

    private void drain(ByteBuffer bytes) throws IOException {
        crc.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
