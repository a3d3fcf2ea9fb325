package org.lemmata.task.depth.logic;

import static org.lemmata.oracle.ReferenceValues.read;
import static org.lemmata.oracle.ReferenceValues.stream;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Values of an independent implementation of algorithm 1. */
final class GeneratorVectors {

    private GeneratorVectors() {}

    static JsonNode all() {
        return read("depth-boolean-generator");
    }

    static List<JsonNode> list(String name) {
        return stream(all().get(name)).toList();
    }
}
