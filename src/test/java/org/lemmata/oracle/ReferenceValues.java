package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Values of independent implementations, which stand in JSON files of the tests' resources. */
public final class ReferenceValues {

    private ReferenceValues() {}

    /** The content of a file of {@code org/lemmata/vectors}, named without its ending. */
    public static JsonNode read(String name) {
        try (InputStream stream = ReferenceValues.class.getResourceAsStream("/org/lemmata/vectors/" + name + ".json")) {
            return JsonMapper.builder().build().readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file's list of cases, of which there must be {@code count}. */
    public static Stream<JsonNode> cases(String name, int count) {
        return cases(name, "cases", count);
    }

    public static Stream<JsonNode> cases(String name, String list, int count) {
        JsonNode cases = read(name).get(list);
        assertThat(cases).hasSize(count);
        return stream(cases);
    }

    public static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    public static double[] numbers(JsonNode list) {
        return stream(list).mapToDouble(JsonNode::doubleValue).toArray();
    }

    public static int[] integers(JsonNode list) {
        return stream(list).mapToInt(JsonNode::intValue).toArray();
    }

    public static double[][] rows(JsonNode list) {
        return stream(list).map(ReferenceValues::numbers).toArray(double[][]::new);
    }
}
