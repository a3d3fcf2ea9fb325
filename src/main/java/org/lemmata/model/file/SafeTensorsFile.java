package org.lemmata.model.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;

/**
 * A safetensors file that is open for reading: its header is in memory, its tensors are read one by one.
 *
 * <p>The file: the header's length in bytes (8 bytes, little-endian), the header ({@link SafeTensorsHeader}), the
 * tensors (little-endian, row-major). A file of any size can be open; what is read goes from the disk straight into the
 * caller's array. Not for use by several threads at once.
 *
 * <p>Source: the format's description, github.com/huggingface/safetensors.
 */
public final class SafeTensorsFile implements Closeable {

    private static final int MAX_BUFFER_BYTES = 1 << 20;

    private final Path path;
    private final FileChannel channel;
    private final SafeTensorsHeader header;
    private final long dataStart;
    private final ByteBuffer buffer;

    private SafeTensorsFile(
            Path path, FileChannel channel, SafeTensorsHeader header, long dataStart, ByteBuffer buffer) {
        this.path = path;
        this.channel = channel;
        this.header = header;
        this.dataStart = dataStart;
        this.buffer = buffer;
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws MalformedFileException if the header is not one, or the file is not as long as it says
     */
    public static SafeTensorsFile open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new MalformedFileException(path, "", "expected a safetensors file, got a directory");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            long size = channel.size();
            ByteBuffer buffer = ByteBuffer.allocateDirect(Math.clamp(size, Long.BYTES, MAX_BUFFER_BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (size < SafeTensorsHeader.LENGTH_BYTES) {
                throw new MalformedFileException(
                        path, "", "expected the length of a header, 8 bytes, got " + size + " bytes");
            }
            fill(path, channel, buffer.limit(SafeTensorsHeader.LENGTH_BYTES), 0);
            long length = buffer.getLong(0);
            long rest = size - SafeTensorsHeader.LENGTH_BYTES;
            if (length < 0 || length > SafeTensorsHeader.MAX_BYTES) {
                throw new MalformedFileException(
                        path,
                        "",
                        "expected a header of at most " + SafeTensorsHeader.MAX_BYTES + " bytes, got one of "
                                + Long.toUnsignedString(length));
            }
            if (length > rest) {
                throw new MalformedFileException(
                        path, "", "expected a header of " + length + " bytes, got " + rest + " bytes to the end");
            }
            byte[] bytes = new byte[(int) length];
            fill(path, channel, ByteBuffer.wrap(bytes), SafeTensorsHeader.LENGTH_BYTES);
            SafeTensorsHeader header = SafeTensorsHeader.decode(path, bytes, rest - length);
            return new SafeTensorsFile(path, channel, header, SafeTensorsHeader.LENGTH_BYTES + length, buffer);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Reads until {@code target} is full. */
    static void fill(Path path, FileChannel channel, ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int count = channel.read(target, at);
            if (count < 0) {
                throw new MalformedFileException(path, "", "expected more bytes at " + at + ", got the end");
            }
            at += count;
        }
    }

    public Path path() {
        return path;
    }

    /** The free text of the header. */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    /** The tensors by name, in the order of their bytes. */
    public SequencedMap<String, TensorEntry> tensors() {
        return header.tensors();
    }

    /**
     * The tensor of a name.
     *
     * @throws MalformedFileException if there is none
     */
    public TensorEntry tensor(String name) throws MalformedFileException {
        TensorEntry entry = header.tensors().get(name);
        if (entry == null) {
            throw new MalformedFileException(path, Refuse.shown(name), "expected this tensor, got none");
        }
        return entry;
    }

    /**
     * Reads a whole tensor, row-major. Elements of F64 are rounded to nearest even; every other type is exact, and F32
     * keeps the bits of a NaN.
     *
     * @throws MalformedFileException if its type is not one of {@link TensorType#WEIGHTS}
     */
    public void readInto(float[] to, int offset, TensorEntry tensor) throws IOException {
        TensorType type = tensor.type();
        read(tensor, offset, to.length, (source, at, count) -> type.decodeInto(to, offset + at, count, source));
    }

    /** As for binary32, but nothing is rounded. */
    public void readInto(double[] to, int offset, TensorEntry tensor) throws IOException {
        TensorType type = tensor.type();
        read(tensor, offset, to.length, (source, at, count) -> type.decodeInto(to, offset + at, count, source));
    }

    /** The elements of a tensor, row-major, as {@link #readInto(float[], int, TensorEntry)} gives them. */
    public float[] read(TensorEntry tensor) throws IOException {
        float[] values = new float[readableSize(tensor)];
        readInto(values, 0, tensor);
        return values;
    }

    /** The number of elements, if an array can hold them. */
    private int readableSize(TensorEntry tensor) throws MalformedFileException {
        String place = Refuse.shown(tensor.name());
        if (!tensor.type().holdsWeights()) {
            throw new MalformedFileException(
                    path, place, "expected dtype " + TensorType.weightNames() + ", got " + tensor.type());
        }
        if (tensor.size() > Integer.MAX_VALUE - Long.BYTES) {
            throw new MalformedFileException(
                    path, place, "expected fewer than 2^31 - 8 elements, got " + tensor.size());
        }
        return (int) tensor.size();
    }

    /** Takes {@code length} elements from a buffer, those from {@code first} on. */
    @FunctionalInterface
    private interface ChunkReader {
        void read(ByteBuffer source, int first, int length);
    }

    private void read(TensorEntry tensor, int offset, int arrayLength, ChunkReader reader) throws IOException {
        int size = readableSize(tensor);
        Objects.checkFromIndexSize(offset, size, arrayLength);
        int elementBytes = tensor.type().bits() / Byte.SIZE;
        int chunk = buffer.capacity() / elementBytes;
        int length;
        for (int first = 0; first < size; first += length) {
            length = Math.min(chunk, size - first);
            buffer.clear().limit(length * elementBytes);
            fill(path, channel, buffer, dataStart + tensor.begin() + (long) first * elementBytes);
            reader.read(buffer.flip(), first, length);
        }
    }

    /**
     * Checks that every byte of the file is as {@link SafeTensorsWriter#writeChecked} wrote it.
     *
     * @throws MalformedFileException if one is not, or if the file was written without a checksum
     */
    public void verifyChecksum() throws IOException {
        SafeTensorsChecksum.verify(path, channel, buffer);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
