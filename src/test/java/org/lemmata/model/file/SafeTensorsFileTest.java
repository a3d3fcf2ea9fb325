package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.MalformedFileException;
import org.lemmata.oracle.Refusals;

class SafeTensorsFileTest {

    @TempDir
    private Path directory;

    private static byte[] bytes(String header, byte... data) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + text.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text)
                .put(data)
                .array();
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("a.safetensors"), bytes);
    }

    private static float[] read(Path file, String tensor) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            return tensors.read(tensors.tensor(tensor));
        }
    }

    private static double[] readExact(SafeTensorsFile tensors, String name) throws IOException {
        double[] values = new double[(int) tensors.tensor(name).size()];
        tensors.readInto(values, 0, tensors.tensor(name));
        return values;
    }

    private static Path resource(String name) throws Exception {
        return Path.of(SafeTensorsFileTest.class.getResource(name).toURI());
    }

    @Test
    void aFileThatPythonWroteIsRead() throws Exception {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(resource("python.safetensors"))) {
            assertThat(tensors.metadata())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("written by", "Python", "größe", "∞"));
            assertThat(tensors.tensors().keySet()).containsExactly("f64", "empty", "f32", "bf16", "f16", "mask");
            assertThat(tensors.tensor("f32").shape().toLongArray()).containsExactly(2L, 3L);
            assertThat(tensors.read(tensors.tensor("f32")))
                    .containsExactly(1, -2.5f, Float.MIN_VALUE, Float.POSITIVE_INFINITY, -0f, Float.MAX_VALUE);
            assertThat(tensors.read(tensors.tensor("f16"))).containsExactly(0x1.004p0f, -65504, 0x1p-24f);
            assertThat(tensors.tensor("bf16").shape().toLongArray()).containsExactly(2L, 1L);
            assertThat(tensors.read(tensors.tensor("bf16"))).containsExactly(1, -3.140625f);
            assertThat(tensors.tensor("f64").shape().toLongArray()).isEmpty();
            assertThat(readExact(tensors, "f64")).containsExactly(0.1);
            assertThat(tensors.read(tensors.tensor("f64"))).containsExactly(0.1f);
            assertThat(tensors.tensor("empty").shape().toLongArray()).containsExactly(0L, 4L);
            assertThat(tensors.read(tensors.tensor("empty"))).isEmpty();
            assertMalformed(
                    () -> tensors.read(tensors.tensor("mask")),
                    tensors.path() + ": mask: expected dtype one of F64, F32, F16, BF16, got BOOL");
            assertMalformed(() -> tensors.tensor("bias"), tensors.path() + ": bias: expected this tensor, got none");
        }
    }

    @Test
    void theBytesAreThoseOfTheFormat() throws IOException {
        Path file = directory.resolve("a/b.safetensors");
        float[] values = {9, 1, 2, 9};
        SafeTensorsWriter.write(
                file,
                Map.of("k\"ey", "wért"),
                List.of(
                        new TensorContent("x", LongList.of(1L, 2L), values, 1),
                        new TensorContent("y", LongList.of(), values, 1)));
        String header = "{\"__metadata__\":{\"k\\\"ey\":\"w\\u00E9rt\"},"
                + "\"x\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
                + "\"y\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[8,12]}}";
        assertThat(Files.readAllBytes(file))
                .isEqualTo(bytes(
                        header + " ".repeat(-header.length() & 7),
                        HexFormat.of().parseHex("0000803f000000400000803f")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 262_143, 262_144, 262_145, 1_000_003})
    void arraysOfEverySizeComeBack(int size) throws IOException {
        var random = new Random(size);
        float[] values = new float[size + 2];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        Path file = directory.resolve("a.safetensors");
        SafeTensorsWriter.write(file, Map.of(), List.of(new TensorContent("x", LongList.of(size), values, 1)));
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            float[] read = new float[size + 2];
            tensors.readInto(read, 1, tensors.tensor("x"));
            assertThat(Arrays.copyOfRange(read, 1, size + 1)).isEqualTo(Arrays.copyOfRange(values, 1, size + 1));
            assertThat(read[0]).isZero();
            assertThat(read[size + 1]).isZero();
        }
    }

    @Test
    void tensorsBeyondTwoGigabytesAreRead() throws IOException {
        long big = (1L << 31) + 4;
        byte[] header = bytes("{\"mask\":{\"dtype\":\"U8\",\"shape\":[2147483652],\"data_offsets\":[0," + big + "]},"
                + "\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[" + big + "," + (big + 8) + "]}}");
        Path file = file(header);
        // A sparse file: unwritten blocks take no space on disk.
        try (var access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(header.length + big);
            access.write(new byte[] {0, 0, (byte) 0x80, 0x3F, 0, 0, 0, 0x40});
        }
        assertThat(read(file, "x")).containsExactly(1, 2);
    }

    @Test
    void aTensorThatNoArrayHoldsIsRefused() throws IOException {
        byte[] header = bytes("{\"x\":{\"dtype\":\"F16\",\"shape\":[2,1073741824],\"data_offsets\":[0,4294967296]}}");
        Path file = file(header);
        try (var access = new RandomAccessFile(file.toFile(), "rw")) {
            access.setLength(header.length + (1L << 32));
        }
        assertMalformed(() -> read(file, "x"), file + ": x: expected fewer than 2^31 - 8 elements, got 2147483648");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {} | header: expected 0 bytes of tensors after the header, got 4
        {}x | header, character 2: expected JSON, got other text: Unrecognized token 'x'
        {}{} | header: expected blanks after the object, got more
        {"x": | header, character 5: expected JSON, got other text: Unexpected end-of-input
        {"x":1} | header: x: expected an object with dtype, shape and data_offsets, got 1
        {"x":""} | header: x: expected an object with dtype, shape and data_offsets, got ''
        {"x":{}} | header: x: expected dtype, got none
        {"x":{"dtype":"F32","shape":[1]}} | header: x: expected data_offsets, got none
        {"x":{"dtype":"F32","data_offsets":[0,4]}} | header: x: expected shape, got none
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}} | header: x: expected dtype, shape and data_offsets, got 'more'
        {"x":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}} | header: x: expected a dtype among [F64, F32, F16, BF16, C64, I64
        {"x":{"dtype":32,"shape":[1],"data_offsets":[0,4]}} | header: x.dtype: expected a string, got 32
        {"x":{"dtype":"F32","shape":1,"data_offsets":[0,4]}} | header: x.shape: expected an array of integers, got 1
        {"x":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}} | header: x.shape: expected an integer from 0, got 1.0
        {"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}} | header: x.shape: expected integers from 0 to 2^63 - 1, got -1
        {"x":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]}} | header: x.shape: expected integers from 0 to 2^63 - 1, got 9223372036854775808
        {"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}} | header: x: expected a shape of fewer than 2^63 bits, got [4294967296, 4294967296]
        {"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}} | header: x: expected 64 bits for F32[2], got data_offsets of 4 bytes
        {"x":{"dtype":"F4","shape":[7],"data_offsets":[0,4]}} | header: x: expected 28 bits for F4[7], got data_offsets of 4 bytes
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}} | header: x: expected data_offsets [begin, end] with begin <= end <= 4, the bytes after the header, got [0, 8]
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}} | header: x: expected data_offsets [begin, end] with begin <= end <= 4, the bytes after the header, got [4, 0]
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}} | header: x: expected data_offsets [begin, end] with begin <= end <= 4
        {"x":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}} | header: x: expected data_offsets that begin at 0, where the tensor before it ends, got 2
        {"x":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}} | header: expected 2 bytes of tensors after the header, got 4
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}} | header: y: expected data_offsets that begin at 4, where the tensor before it ends, got 2
        {"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | expected JSON, got other text: Duplicate field 'x'
        {"__metadata__":{"a":1}} | header: __metadata__.a: expected a string, got 1
        {"__metadata__":[]} | header: __metadata__: expected an object of strings, got [
        {"a\\u001b[2Jb":1} | header: a?[2Jb: expected an object with dtype, shape and data_offsets, got 1
        """)
    void malformedHeadersAreRefusedInOneLine(String header, String problem) throws IOException {
        Path file = file(bytes(header, new byte[4]));
        assertThatThrownBy(() -> SafeTensorsFile.open(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": header")
                .hasMessageContaining(problem)
                .hasMessageNotContaining("\n");
    }

    @Test
    void filesOfOtherKindsAreNamedByTheirStart() throws IOException {
        Map<String, String> starts = Map.of(
                "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21",
                "version https://git-lfs.github.com/spec/v1'): it is a pointer of Git LFS; git lfs pull fetches the"
                        + " file",
                "<!DOCTYPE html>\n<html lang=\"en\">",
                "<!DOCTYPE html>?<html lang=\"en\">')",
                "PK\3\4archive/data.pkl",
                "PK??archive/data.pkl')",
                "\2\0\0\0\0\0\0\0[]",
                "????????[]')");
        for (Map.Entry<String, String> start : starts.entrySet()) {
            assertRefused(
                    start.getKey().getBytes(StandardCharsets.US_ASCII),
                    "not a safetensors file (starts with '" + start.getValue());
        }
    }

    @Test
    void lengthsThatCannotBeAreRefused() throws IOException {
        assertRefused(new byte[7], "expected the length of a header, 8 bytes, got 7 bytes");
        assertRefused(new byte[8], "header: expected a brace, got an empty header");
        assertRefused(new byte[0], "expected the length of a header, 8 bytes, got 0 bytes");
        byte[] bytes = bytes("{}");
        bytes[0] = 3;
        assertRefused(bytes, "expected a header of 3 bytes, got 2 bytes to the end");
        Arrays.fill(bytes, 0, 8, (byte) -1);
        assertRefused(bytes, "expected a header of at most 100000000 bytes, got one of 18446744073709551615");
        assertRefused(bytes("{\"\u00ff\":1}".replace("\u00ff", "x")), "header: x: expected an object");
        byte[] latin = bytes("{\"?\":1}");
        latin[10] = (byte) 0xFF;
        assertRefused(latin, "header: expected UTF-8, got other bytes");
        assertMalformed(
                () -> SafeTensorsFile.open(directory), directory + ": expected a safetensors file, got a directory");
        assertThatThrownBy(() -> SafeTensorsFile.open(directory.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private void assertRefused(byte[] bytes, String problem) throws IOException {
        Path file = file(bytes);
        assertThatThrownBy(() -> SafeTensorsFile.open(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": " + problem);
    }

    /** A header of 50 MB that consists of nesting, a name or a number. */
    @ParameterizedTest
    @ValueSource(strings = {"[", "7", "a"})
    void greatHeadersAreRefusedInOneShortLine(String part) throws IOException {
        String inner = part.repeat(50_000_000);
        Path file = file(bytes(
                switch (part) {
                    case "[" -> "{\"x\":{\"shape\":" + inner;
                    case "7" -> "{\"x\":{\"shape\":[" + inner + "]}}";
                    default -> "{\"" + inner + "\":1}";
                }));
        assertThatThrownBy(() -> SafeTensorsFile.open(file))
                .isInstanceOf(MalformedFileException.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .hasSizeLessThan(400 + file.toString().length()));
    }

    @Test
    void aFileCutAnywhereIsRefusedInOneLine() throws IOException {
        byte[] whole = Files.readAllBytes(smallFile(false));
        for (int length = 0; length < whole.length; length++) {
            Path file = file(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> SafeTensorsFile.open(file))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageStartingWith(file + ": ")
                    .hasMessageNotContaining("\n");
        }
        Path longer = file(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> SafeTensorsFile.open(longer)).isInstanceOf(MalformedFileException.class);
    }

    /** Without a checksum, an altered header may still be legal; otherwise the file must be rejected in one line. */
    @Test
    void aFileAlteredAnywhereIsReadOrRefusedInOneLine() throws IOException {
        assertThat(refusedOfAltered(smallFile(false), tensors -> {
                    for (TensorEntry tensor : tensors.tensors().values()) {
                        tensors.read(tensor);
                    }
                }))
                .isGreaterThan(1000);
    }

    @Test
    void aCheckedFileAlteredAnywhereIsRefusedInOneLine() throws IOException {
        Path original = smallFile(true);
        try (SafeTensorsFile tensors = SafeTensorsFile.open(original)) {
            tensors.verifyChecksum();
            assertThat(tensors.read(tensors.tensor("x"))).containsExactly(1, 2, 3);
        }
        assertThat(refusedOfAltered(original, SafeTensorsFile::verifyChecksum))
                .isEqualTo(Byte.SIZE * (int) Files.size(original));
    }

    private static int refusedOfAltered(Path file, Reading<SafeTensorsFile> reading) throws IOException {
        return refusedOfAltered(file, Byte.SIZE * (int) Files.size(file), 1, altered -> {
            try (SafeTensorsFile tensors = SafeTensorsFile.open(altered)) {
                reading.read(tensors);
            }
        });
    }

    @FunctionalInterface
    interface Reading<T> {
        void read(T from) throws IOException;
    }

    /** The number of refusals among the file's copies with one bit altered; each must be in one line. */
    static int refusedOfAltered(Path file, int bits, int step, Reading<Path> reading) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int bit = 0; bit < bits; bit += step) {
            byte[] altered = whole.clone();
            altered[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, altered);
            try {
                reading.read(file);
            } catch (MalformedFileException e) {
                refused++;
                assertThat(e.getMessage())
                        .as("bit %d", bit)
                        .startsWith(file + ": ")
                        .doesNotContain("\n");
            }
        }
        return refused;
    }

    @Test
    void aFileWithoutAChecksumIsNotTakenAsChecked() throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(smallFile(false))) {
            assertMalformed(tensors::verifyChecksum, tensors.path() + ": header: expected a checksum first, got none");
        }
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file(bytes("{}")))) {
            assertThatThrownBy(tensors::verifyChecksum).isInstanceOf(MalformedFileException.class);
        }
    }

    private Path smallFile(boolean checked) throws IOException {
        Path file = directory.resolve("small.safetensors");
        List<TensorContent> tensors = List.of(
                new TensorContent("x", LongList.of(3L), new float[] {1, 2, 3}, 0),
                new TensorContent("layer.0.query", LongList.of(2L, 2L), new float[4], 0));
        if (checked) {
            SafeTensorsWriter.writeChecked(file, Map.of("step", "12"), tensors);
        } else {
            SafeTensorsWriter.write(file, Map.of("step", "12"), tensors);
        }
        return file;
    }

    @Test
    void tensorsThatNoFileHoldsAreRefused() {
        Path file = directory.resolve("a.safetensors");
        var x = new TensorContent("x", LongList.of(), new float[1], 0);
        var metadata = new TensorContent("__metadata__", LongList.of(), new float[1], 0);
        Refusals.assertRefused(
                () -> SafeTensorsWriter.write(file, Map.of(), List.of(x, x)),
                "tensors: expected one of each name, got two x");
        Refusals.assertRefused(
                () -> SafeTensorsWriter.write(file, Map.of(), List.of(metadata)),
                "tensor: expected a name other than __metadata__, got __metadata__");
        Refusals.assertRefused(
                () -> SafeTensorsWriter.writeChecked(file, Map.of("crc32c", "1"), List.of(x)),
                "metadata: expected a key other than crc32c, got crc32c");
        assertThatThrownBy(() -> new TensorContent("x", LongList.of(2L), new float[2], 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(file).doesNotExist();
    }
}
