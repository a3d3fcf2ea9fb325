package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file built from the specification: length, header by Gson, bytes by hand. */
class SafeTensorsGsonTest {

    @TempDir
    private Path directory;

    private static long littleEndian(byte[] bytes, int at, int length) {
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = (value << 8) | (bytes[at + i] & 0xff);
        }
        return value;
    }

    @Test
    void headerOffsetsAndBitsAreWhereTheySay() throws IOException {
        String name = "layer|\"1\",\n<b> ünïcødé";
        float[] first = {1, -0.0f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY, 0x1.fffffep127f};
        float[] second = {0.1f, 2};
        Path file = directory.resolve("a.safetensors");
        SafeTensorsWriter.write(
                file,
                Map.of("note", name),
                List.of(
                        TensorContent.of(name, TensorType.F32, LongList.of(2L, 3L), first, 0),
                        TensorContent.of("b", TensorType.F32, LongList.of(2L), second, 0)));
        byte[] bytes = Files.readAllBytes(file);
        int length = Math.toIntExact(littleEndian(bytes, 0, 8));
        JsonObject header = JsonParser.parseString(new String(bytes, 8, length, StandardCharsets.UTF_8))
                .getAsJsonObject();
        assertThat(header.keySet()).containsExactlyInAnyOrder("__metadata__", name, "b");
        assertThat(header.getAsJsonObject("__metadata__").get("note").getAsString())
                .isEqualTo(name);
        assertThat(bytes).hasSize(8 + length + 4 * (first.length + second.length));
        check(bytes, 8 + length, header.getAsJsonObject(name), "[2, 3]", first);
        check(bytes, 8 + length, header.getAsJsonObject("b"), "[2]", second);
    }

    private static void check(byte[] bytes, int data, JsonObject tensor, String shape, float[] values) {
        assertThat(tensor.get("dtype").getAsString()).isEqualTo("F32");
        assertThat(tensor.get("shape")).isEqualTo(JsonParser.parseString(shape));
        int begin = tensor.getAsJsonArray("data_offsets").get(0).getAsInt();
        int end = tensor.getAsJsonArray("data_offsets").get(1).getAsInt();
        assertThat(end - begin).isEqualTo(4 * values.length);
        int[] bits = new int[values.length];
        Arrays.setAll(bits, i -> (int) littleEndian(bytes, data + begin + 4 * i, 4));
        int[] expected = new int[values.length];
        Arrays.setAll(expected, i -> Float.floatToRawIntBits(values[i]));
        assertThat(bits).containsExactly(expected);
    }
}
