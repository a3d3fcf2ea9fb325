package org.lemmata.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.lemmata.file.Json;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterView;

/** Weights in binary64, which Lemmata reads and does not write. */
public final class WideWeights {

    private WideWeights() {}

    public static void write(Path file, ExactParameters parameters) throws IOException {
        Weights.write(file, parameters.nearest());
        var header = new LinkedHashMap<String, Object>();
        try (SafeTensorsFile narrow = SafeTensorsFile.open(file)) {
            header.put("__metadata__", narrow.metadata());
            for (ParameterView view : parameters.architecture().layout()) {
                List<Long> offsets = List.of(8L * view.offset(), 8L * (view.offset() + view.size()));
                List<Long> shape = narrow.tensor(view.name()).shape();
                header.put(view.name(), Json.object("dtype", "F64", "shape", shape, "data_offsets", offsets));
            }
        }
        byte[] text = Json.line(header).getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + text.length + 8 * parameters.values().length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text);
        bytes.asDoubleBuffer().put(parameters.values());
        Files.write(file, bytes.array());
    }
}
