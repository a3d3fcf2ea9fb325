package org.lemmata.model.file;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.zip.CRC32C;
import org.lemmata.argument.Refuse;
import org.lemmata.file.FileTree;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;

/**
 * An open safetensors file. The header is in memory, and tensors are read one at a time.
 *
 * <p>The file consists of the header's length in bytes (8 bytes, little-endian), the header ({@link SafeTensorsHeader})
 * and the tensors (little-endian, row-major). Files may have any size, because elements pass through a small buffer
 * into the caller's array. Only one thread at a time may use an instance.
 *
 * <p>A file may have a CRC-32C as the first text of {@code __metadata__}. It covers every byte, with its own eight
 * digits replaced by zeros. It detects every change within 32 neighbouring bits; of other changes, it misses about one
 * in 2^32.
 *
 * <p>Instead of one file, a model may have several, and an index {@code model.safetensors.index.json}. Under
 * {@code weight_map}, the index maps each tensor to a file in its directory. Source: huggingface_hub's documentation of
 * sharded checkpoints.
 *
 * <p>Source: the format's description, github.com/huggingface/safetensors.
 */
public final class SafeTensorsFile implements Closeable {

    /** The end of the name of an index. */
    public static final String INDEX = ".index.json";

    /** The key of the checksum. */
    static final String CHECKSUM = "crc32c";

    /** Placeholder digits that the checksum covers. They are written first, because the checksum is not yet known. */
    static final String BLANK = "00000000";

    /** The beginning of every header with a checksum. It gives the digits a fixed position. */
    private static final byte[] PREFIX =
            ("{\"__metadata__\":{\"" + CHECKSUM + "\":\"").getBytes(StandardCharsets.US_ASCII);

    /** The position of the digits in the file. */
    static final int CHECKSUM_POSITION = SafeTensorsHeader.LENGTH_BYTES + PREFIX.length;

    private static final int MAX_BUFFER_BYTES = 1 << 20;
    private static final int SHOWN_BYTES = 42;

    private final Path path;
    private final FileChannel channel;
    private final SafeTensorsHeader header;
    private final long dataStart;
    private final ByteBuffer buffer;

    /** The file of each tensor, if this file is an index; otherwise empty. */
    private final Map<String, SafeTensorsFile> shards;

    private SafeTensorsFile(
            Path path,
            FileChannel channel,
            SafeTensorsHeader header,
            long dataStart,
            ByteBuffer buffer,
            Map<String, SafeTensorsFile> shards) {
        this.path = path;
        this.channel = channel;
        this.header = header;
        this.dataStart = dataStart;
        this.buffer = buffer;
        this.shards = shards;
    }

    /**
     * Opens a file and reads its header. For an index, reads the headers of all its files.
     *
     * @throws MalformedFileException if the path is a directory, a header or index is invalid, a header does not match
     *     the length of its file, or a file lacks a tensor of the index
     */
    public static SafeTensorsFile open(Path path) throws IOException {
        MalformedFileException.when(Files.isDirectory(path), path, "", "a safetensors file", "a directory");
        return path.toString().endsWith(INDEX) ? openShards(path) : openOne(path);
    }

    private static SafeTensorsFile openShards(Path index) throws IOException {
        Map<Path, SafeTensorsFile> files = new LinkedHashMap<>();
        try {
            Map<String, SafeTensorsFile> shards = new LinkedHashMap<>();
            Map<String, TensorEntry> tensors = new LinkedHashMap<>();
            for (Map.Entry<String, Path> entry : shards(index).entrySet()) {
                if (!files.containsKey(entry.getValue())) {
                    files.put(entry.getValue(), openOne(entry.getValue()));
                }
                SafeTensorsFile shard = files.get(entry.getValue());
                shards.put(entry.getKey(), shard);
                tensors.put(entry.getKey(), shard.tensor(entry.getKey()));
            }
            SafeTensorsFile first = files.values().iterator().next();
            var header = new SafeTensorsHeader(first.metadata(), new LinkedHashMap<>(tensors));
            return new SafeTensorsFile(index, first.channel, header, 0, first.buffer, shards);
        } catch (IOException | RuntimeException e) {
            for (SafeTensorsFile file : files.values()) {
                file.close();
            }
            throw e;
        }
    }

    /** The file of each tensor in an index, which must be in its directory. */
    private static Map<String, Path> shards(Path index) throws IOException {
        JsonValue map = JsonValue.read(index, "the file of each tensor").field("weight_map");
        Map<String, Path> files = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : map.textFields().entrySet()) {
            String place = "weight_map." + Refuse.shown(entry.getKey());
            Path file = FileTree.named(index, place, entry.getValue());
            MalformedFileException.when(
                    !entry.getValue().endsWith(".safetensors")
                            || !file.equals(index.resolveSibling(file.getFileName())),
                    index,
                    place,
                    "a safetensors file in the directory of the index",
                    Refuse.quoted(entry.getValue()));
            files.put(entry.getKey(), file);
        }
        if (files.isEmpty()) {
            throw map.unexpected("the file of each tensor");
        }
        return files;
    }

    private static SafeTensorsFile openOne(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            long size = channel.size();
            ByteBuffer buffer = ByteBuffer.allocateDirect(Math.clamp(size, Long.BYTES, MAX_BUFFER_BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (size < SafeTensorsHeader.LENGTH_BYTES) {
                throw new MalformedFileException(
                        path, "", "expected the length of a header, 8 bytes, got " + size + " bytes");
            }
            requireBrace(path, channel, size);
            fill(path, channel, buffer.limit(SafeTensorsHeader.LENGTH_BYTES), 0);
            long length = buffer.getLong(0);
            long rest = size - SafeTensorsHeader.LENGTH_BYTES;
            MalformedFileException.when(
                    length < 0 || length > SafeTensorsHeader.MAX_BYTES,
                    path,
                    "",
                    "a header of at most " + SafeTensorsHeader.MAX_BYTES + " bytes",
                    "one of " + Long.toUnsignedString(length));
            MalformedFileException.when(
                    length > rest, path, "", "a header of " + length + " bytes", rest + " bytes to the end");
            byte[] bytes = new byte[(int) length];
            fill(path, channel, ByteBuffer.wrap(bytes), SafeTensorsHeader.LENGTH_BYTES);
            SafeTensorsHeader header = SafeTensorsHeader.decode(path, bytes, rest - length);
            return new SafeTensorsFile(
                    path, channel, header, SafeTensorsHeader.LENGTH_BYTES + length, buffer, Map.of());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Rejects a file that does not begin like a header, such as a Git LFS pointer, a web page or a pickle. The message
     * shows the beginning of the file.
     */
    private static void requireBrace(Path path, FileChannel channel, long size) throws IOException {
        byte[] start = new byte[(int) Math.min(size, SHOWN_BYTES)];
        fill(path, channel, ByteBuffer.wrap(start), 0);
        if (size > SafeTensorsHeader.LENGTH_BYTES && start[SafeTensorsHeader.LENGTH_BYTES] != '{') {
            String text = new String(start, StandardCharsets.UTF_8);
            boolean isPointer = text.startsWith("version https://git-lfs");
            throw new MalformedFileException(
                    path,
                    "",
                    "not a safetensors file (starts with " + Refuse.quoted(text) + ")"
                            + (isPointer ? ": it is a pointer of Git LFS; git lfs pull fetches the file" : ""));
        }
    }

    static void fill(Path path, FileChannel channel, ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int count = channel.read(target, at);
            MalformedFileException.when(count < 0, path, "", "more bytes at " + at, "the end");
            at += count;
        }
    }

    public Path path() {
        return path;
    }

    /** The free text of the header; for an index, of the first file. */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    /** The tensors by name, in the order of their bytes, or of the entries of an index. */
    public SequencedMap<String, TensorEntry> tensors() {
        return header.tensors();
    }

    /**
     * The tensor with a name.
     *
     * @throws MalformedFileException if the file has no tensor with this name
     */
    public TensorEntry tensor(String name) throws MalformedFileException {
        TensorEntry entry = header.tensors().get(name);
        if (entry == null) {
            throw new MalformedFileException(path, Refuse.shown(name), "expected this tensor, got none");
        }
        return entry;
    }

    /**
     * Reads a whole tensor, row-major, into an array of floats or of doubles. In floats, F64 elements are rounded to
     * nearest even. All other types are exact, and F32 keeps the bits of NaN.
     *
     * @throws MalformedFileException if its type is not one of {@link TensorType#WEIGHTS}
     */
    public void readInto(Object values, int offset, TensorEntry tensor) throws IOException {
        SafeTensorsFile shard = shards.get(tensor.name());
        if (shard != null) {
            shard.readInto(values, offset, tensor);
            return;
        }
        int size = readableSize(tensor);
        Objects.checkFromIndexSize(offset, size, Array.getLength(values));
        int elementBytes = tensor.type().bits() / Byte.SIZE;
        int chunk = buffer.capacity() / elementBytes;
        int length;
        for (int first = 0; first < size; first += length) {
            length = Math.min(chunk, size - first);
            buffer.clear().limit(length * elementBytes);
            fill(path, channel, buffer, dataStart + tensor.begin() + (long) first * elementBytes);
            tensor.type().decodeInto(values, offset + first, length, buffer.flip());
        }
    }

    public float[] read(TensorEntry tensor) throws IOException {
        float[] values = new float[readableSize(tensor)];
        readInto(values, 0, tensor);
        return values;
    }

    double[] readExact(TensorEntry tensor) throws IOException {
        double[] values = new double[readableSize(tensor)];
        readInto(values, 0, tensor);
        return values;
    }

    /** The number of elements of a tensor, after checking its type and that an array of floats can contain it. */
    int readableSize(TensorEntry tensor) throws MalformedFileException {
        String place = Refuse.shown(tensor.name());
        MalformedFileException.when(
                !tensor.type().holdsWeights(), path, place, "dtype " + TensorType.weightNames(), tensor.type());
        boolean fits = tensor.size() <= Integer.MAX_VALUE - Long.BYTES;
        MalformedFileException.when(!fits, path, place, "fewer than 2^31 - 8 elements", tensor.size());
        return (int) tensor.size();
    }

    /**
     * Checks that the file has not changed since {@link SafeTensorsWriter#writeChecked} wrote it.
     *
     * @throws MalformedFileException if the file was changed, or was written without a checksum
     */
    public void verifyChecksum() throws IOException {
        byte[] start = new byte[CHECKSUM_POSITION + BLANK.length()];
        if (channel.size() >= start.length) {
            fill(path, channel, ByteBuffer.wrap(start), 0);
        }
        boolean has = ByteBuffer.wrap(start, SafeTensorsHeader.LENGTH_BYTES, PREFIX.length)
                .equals(ByteBuffer.wrap(PREFIX));
        MalformedFileException.when(!has, path, "header", "a checksum first", "none");
        String stored = new String(start, CHECKSUM_POSITION, BLANK.length(), StandardCharsets.ISO_8859_1);
        System.arraycopy(BLANK.getBytes(StandardCharsets.US_ASCII), 0, start, CHECKSUM_POSITION, BLANK.length());
        var crc = new CRC32C();
        crc.update(start);
        long position = start.length;
        while (channel.read(buffer.clear(), position) > 0) {
            position += buffer.position();
            crc.update(buffer.flip());
        }
        if (!digits(crc).equals(stored)) {
            throw new MalformedFileException(
                    path,
                    "",
                    "expected the checksum " + digits(crc) + " of its bytes, got " + Refuse.shown(stored)
                            + ": the file was altered after it was written");
        }
    }

    static String digits(CRC32C crc) {
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    @Override
    public void close() throws IOException {
        channel.close();
        for (SafeTensorsFile shard : shards.values()) {
            shard.close();
        }
    }
}
