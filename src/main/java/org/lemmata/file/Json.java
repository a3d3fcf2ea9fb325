package org.lemmata.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes JSON for files and commands; maps keep the order of their entries. */
public final class Json {

    private static final JsonMapper LINE = JsonMapper.builder().build();
    private static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    public static String line(Object value) {
        return write(LINE, value);
    }

    public static String indented(Object value) {
        return write(INDENTED, value);
    }

    /** An object from alternating names and values, in their order. */
    public static Map<String, Object> object(Object... namesAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    private static String write(JsonMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("JSON of " + value.getClass(), e);
        }
    }
}
