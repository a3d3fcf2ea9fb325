package org.lemmata.task.depth.logic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;

/** Values of an independent implementation of algorithm 1. */
final class GeneratorVectors {

    private GeneratorVectors() {}

    static JsonNode all() {
        try (InputStream stream =
                GeneratorVectors.class.getResourceAsStream("/org/lemmata/vectors/depth-boolean-generator.json")) {
            return JsonMapper.builder().build().readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<JsonNode> list(String name) {
        return StreamSupport.stream(all().get(name).spliterator(), false).toList();
    }
}
