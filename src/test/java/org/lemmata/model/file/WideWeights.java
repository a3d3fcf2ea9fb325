package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lemmata.file.Json;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterView;

/** Weights in binary64, which Lemmata reads and does not write. */
public final class WideWeights {

    private WideWeights() {}

    public static void write(Path file, ExactParameters parameters) throws IOException {
        Weights.write(file, parameters.nearest());
        Map<String, LongList> shapes = new LinkedHashMap<>();
        Map<String, double[]> tensors = new LinkedHashMap<>();
        Map<String, String> metadata;
        try (SafeTensorsFile narrow = SafeTensorsFile.open(file)) {
            metadata = narrow.metadata();
            for (ParameterView view : parameters.architecture().layout()) {
                shapes.put(view.name(), narrow.tensor(view.name()).shape());
                tensors.put(
                        view.name(),
                        Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size()));
            }
        }
        write(file, metadata, shapes, tensors);
    }

    static void write(
            Path file, Map<String, String> metadata, Map<String, LongList> shapes, Map<String, double[]> tensors)
            throws IOException {
        var header = new LinkedHashMap<String, Object>();
        header.put("__metadata__", metadata);
        var data = new ByteArrayOutputStream();
        for (Map.Entry<String, LongList> entry : shapes.entrySet()) {
            double[] values = Objects.requireNonNull(tensors.get(entry.getKey()));
            byte[] bytes = new byte[8 * values.length];
            littleEndian(bytes).asDoubleBuffer().put(values);
            List<Integer> offsets = List.of(data.size(), data.size() + bytes.length);
            header.put(entry.getKey(), Json.object("dtype", "F64", "shape", entry.getValue(), "data_offsets", offsets));
            data.writeBytes(bytes);
        }
        byte[] text = Json.line(header).getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[8 + text.length + data.size()];
        littleEndian(bytes).putLong(text.length).put(text).put(data.toByteArray());
        Files.write(file, bytes);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
