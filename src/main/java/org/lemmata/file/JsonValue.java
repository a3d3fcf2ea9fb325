package org.lemmata.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/**
 * A value in a JSON file with its place. Every getter throws a {@link MalformedFileException} that names the file, the
 * place, the expected value and the actual one.
 *
 * <p>A number may also be one of the strings {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"} (or
 * {@code "+Infinity"}, as JMH writes them), because JSON has no such numbers. Quotes may be missing, as in files of
 * kotlinx-benchmark.
 */
public final class JsonValue {

    private static final int LONGEST_PLACE = 200;

    private static final Map<Class<?>, Reader<?>> SCALARS = Map.of(
            String.class, JsonValue::text,
            boolean.class, JsonValue::truth,
            int.class, JsonValue::count,
            Integer.class, JsonValue::count,
            long.class, JsonValue::integer,
            Long.class, JsonValue::integer,
            double.class, JsonValue::number,
            Double.class, JsonValue::number,
            Instant.class, JsonValue::instant);

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(new RequiredComponents())
            .addModule(scalars())
            .build();

    /** Makes components of records required unless they are annotated; see {@link #as}. */
    private static final class RequiredComponents extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        private static boolean isMarked(Annotated member) {
            return member.hasAnnotation(JsonProperty.class) || member.hasAnnotation(JsonInclude.class);
        }

        @Override
        public Boolean hasRequiredMarker(AnnotatedMember member) {
            return !isMarked(member) && !member.hasAnnotation(JsonUnwrapped.class);
        }

        @Override
        public JsonSetter.Value findSetterInfo(Annotated member) {
            Nulls nulls =
                    !isMarked(member) ? Nulls.FAIL : member.getRawType() == List.class ? Nulls.AS_EMPTY : Nulls.SET;
            return JsonSetter.Value.construct(nulls, Nulls.FAIL);
        }
    }

    /** Deserializes with a getter of {@link JsonValue}. Without a value, an optional component is null, 0 or false. */
    private static final class Scalar<T> extends JsonDeserializer<T> {

        private final Class<T> type;
        private final Reader<?> getter;

        Scalar(Class<T> type, Reader<?> getter) {
            this.type = type;
            this.getter = getter;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            try {
                return (T) getter.read(new JsonValue(Path.of(""), "", context.readTree(parser)));
            } catch (MalformedFileException e) {
                throw MismatchedInputException.from(parser, type, "not of the type");
            }
        }

        @Override
        @SuppressWarnings("unchecked")
        public T getNullValue(DeserializationContext context) {
            return (T) Array.get(Array.newInstance(type, 1), 0);
        }
    }

    private static SimpleModule scalars() {
        var module = new SimpleModule().addAbstractTypeMapping(SequencedMap.class, LinkedHashMap.class);
        SCALARS.forEach((type, getter) -> addScalar(module, type, getter));
        return module;
    }

    private static <T> void addScalar(SimpleModule module, Class<T> type, Reader<?> getter) {
        module.addDeserializer(type, new Scalar<>(type, getter));
    }

    private final Path file;
    private final String place;
    private final JsonNode node;

    private JsonValue(Path file, String place, JsonNode node) {
        this.file = file;
        this.place = place;
        this.node = node;
    }

    /**
     * The single value of a file.
     *
     * @param expected the expected content, for the message, such as "the results of JMH (-rf json)"
     * @throws IOException if the file is missing, is not JSON, or has more than one value
     */
    public static JsonValue read(Path file, String expected) throws IOException {
        JsonNode root;
        try {
            root = MAPPER.readTree(Contents.of(file));
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new MalformedFileException(file, where, "expected " + expected + ": " + problem(e));
        } catch (NoSuchFileException e) {
            throw new MalformedFileException(file, "", "no such file; expected " + expected);
        } catch (FileSystemException e) {
            String reason = e.getReason() == null ? "cannot be read" : e.getReason();
            throw new MalformedFileException(file, "", reason + "; expected " + expected);
        } catch (IOException e) {
            // The exception for a directory, for example, names neither the file nor the problem.
            String reason = Files.isDirectory(file) ? "a directory" : "cannot be read";
            throw new MalformedFileException(file, "", reason + "; expected " + expected);
        }
        if (root.isMissingNode()) {
            throw new MalformedFileException(file, "", "expected " + expected + ", got an empty file");
        }
        return new JsonValue(file, "", root);
    }

    /**
     * The single value of a part of a file.
     *
     * @param place the place of the part, such as "line 3"; empty for the whole file
     * @throws MalformedFileException if it is not JSON, or has more than one value
     */
    public static JsonValue parse(Path file, String place, String text, String expected) throws MalformedFileException {
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root.isMissingNode()) {
                throw new MalformedFileException(file, place, "expected " + expected + ", got nothing");
            }
            return new JsonValue(file, place.isEmpty() ? "" : place + ": ", root);
        } catch (JsonProcessingException e) {
            throw new MalformedFileException(file, place, "expected " + expected + ": " + problem(e));
        }
    }

    /** Jackson's message without the name of its source; our message already names the place. */
    private static String problem(JsonProcessingException e) {
        return Refuse.withShortQuotes(e.getOriginalMessage().replaceAll("(?s)\\s*\\(start marker.*", ""));
    }

    /** A field of this object. If the field is absent, the getter that is called on the result throws. */
    public JsonValue field(String name) throws MalformedFileException {
        require(node.isObject(), "an object");
        JsonNode child = node.get(name);
        String path = place.isEmpty() || place.endsWith(": ") ? place + name : place + "." + name;
        return new JsonValue(file, path, child == null ? MissingNode.getInstance() : child);
    }

    /** The elements of this array, in order. */
    public List<JsonValue> elements() throws MalformedFileException {
        return elements("an array");
    }

    /** The elements of this array. If this value is not an array, the message contains {@code expected}. */
    public List<JsonValue> elements(String expected) throws MalformedFileException {
        require(node.isArray(), expected);
        var elements = new ArrayList<JsonValue>(node.size());
        for (int i = 0; i < node.size(); i++) {
            elements.add(new JsonValue(file, place + "[" + i + "]", node.get(i)));
        }
        return elements;
    }

    /** The fields of this object, in the order of the file. */
    public Map<String, JsonValue> fields() throws MalformedFileException {
        require(node.isObject(), "an object");
        var fields = new LinkedHashMap<String, JsonValue>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            fields.put(entry.getKey(), field(entry.getKey()));
        }
        return fields;
    }

    /** Whether this value is null or the field is absent. */
    public boolean isAbsent() {
        return node.isMissingNode() || node.isNull();
    }

    public String text() throws MalformedFileException {
        require(node.isTextual(), "a string");
        return node.textValue();
    }

    public String oneOf(List<String> allowed) throws MalformedFileException {
        String text = text();
        require(allowed.contains(text), "one of " + String.join(", ", allowed));
        return text;
    }

    public boolean truth() throws MalformedFileException {
        require(node.isBoolean(), "true or false");
        return node.booleanValue();
    }

    public double number() throws MalformedFileException {
        if (node.isTextual()) {
            return switch (node.textValue()) {
                case "NaN" -> Double.NaN;
                case "Infinity", "+Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw unexpected("a number");
            };
        }
        require(node.isNumber(), "a number");
        return node.doubleValue();
    }

    public long integer() throws MalformedFileException {
        require(node.isIntegralNumber() && node.canConvertToLong(), "an integer of at most 64 bits");
        return node.longValue();
    }

    /** An integer from 0 to {@link Integer#MAX_VALUE}. */
    public int count() throws MalformedFileException {
        require(node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= 0, "a count");
        return node.intValue();
    }

    Instant instant() throws MalformedFileException {
        String text = text();
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw unexpected("a time such as 2026-01-31T12:00:00Z");
        }
    }

    /**
     * This value as a record. Each component is read from the field with its name, or with {@link JsonUnwrapped} from
     * this object; other fields are ignored. A component with {@link JsonProperty} or {@link JsonInclude} may be absent
     * or null; it is then null, 0, false or an empty list.
     *
     * @throws MalformedFileException if another field is absent, a type differs, or the record rejects its components
     */
    public <T> T as(Class<T> type) throws MalformedFileException {
        if (!node.isContainerNode()) {
            throw mismatch(type);
        }
        try {
            return MAPPER.treeToValue(node, type);
        } catch (ValueInstantiationException e) {
            throw at(e).malformed(String.valueOf(
                    e.getCause() == null ? e.getOriginalMessage() : e.getCause().getMessage()));
        } catch (MismatchedInputException e) {
            throw at(e).mismatch(e.getTargetType());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("binding to " + type, e);
        }
    }

    private JsonValue at(JsonMappingException fault) throws MalformedFileException {
        JsonValue at = this;
        for (JsonMappingException.Reference step : fault.getPath()) {
            at = step.getFieldName() == null ? at.elements().get(step.getIndex()) : at.field(step.getFieldName());
        }
        return at;
    }

    /** The exception for this value, which is not of {@code type}. */
    private MalformedFileException mismatch(Class<?> type) {
        try {
            Reader<?> getter = SCALARS.get(type);
            if (getter != null) {
                getter.read(this);
            } else if (type.isEnum()) {
                oneOf(Stream.of(type.getEnumConstants())
                        .map(constant -> MAPPER.valueToTree(constant).asText())
                        .toList());
            } else if (Collection.class.isAssignableFrom(type)) {
                elements();
            } else {
                fields();
            }
            return unexpected("no null in it");
        } catch (MalformedFileException e) {
            return e;
        } catch (IOException e) {
            throw new IllegalStateException("a getter reads no file", e);
        }
    }

    @FunctionalInterface
    public interface Reader<T> {
        T read(JsonValue value) throws IOException;
    }

    /** The elements of this array, each read by {@code each}. */
    public <T> List<T> list(Reader<T> each) throws IOException {
        var list = new ArrayList<T>();
        for (JsonValue element : elements()) {
            list.add(each.read(element));
        }
        return list;
    }

    /** The result of {@code getter}, or {@code fallback} if the field is absent or null. */
    public <T> T or(T fallback, Reader<T> getter) throws IOException {
        return isAbsent() ? fallback : getter.read(this);
    }

    public List<Double> numbers() throws IOException {
        return list(JsonValue::number);
    }

    public List<Long> integers() throws IOException {
        return list(JsonValue::integer);
    }

    public List<String> texts() throws IOException {
        return list(JsonValue::text);
    }

    /** The fields of this object of strings, in the order of the file. */
    public SequencedMap<String, String> textFields() throws MalformedFileException {
        var texts = new LinkedHashMap<String, String>();
        for (Map.Entry<String, JsonValue> entry : fields().entrySet()) {
            texts.put(entry.getKey(), entry.getValue().text());
        }
        return texts;
    }

    /** The exception for an unexpected value at this place. */
    public MalformedFileException unexpected(String expected) {
        return malformed("expected " + expected + ", got " + actual());
    }

    private MalformedFileException malformed(String problem) {
        String where = place.endsWith(": ") ? place.substring(0, place.length() - 2) : place;
        // Names of fields may have any length and any characters.
        return new MalformedFileException(
                file, where.length() > LONGEST_PLACE ? Refuse.shown(where) : Refuse.printable(where), problem);
    }

    private void require(boolean holds, String expected) throws MalformedFileException {
        if (!holds) {
            throw unexpected(expected);
        }
    }

    private String actual() {
        if (node.isMissingNode()) {
            return "nothing: the field is absent";
        }
        if (node.isContainerNode()) {
            return node.getNodeType() == JsonNodeType.OBJECT ? "an object" : "an array of " + node.size();
        }
        return node.isNull()
                ? "null"
                : "the " + node.getNodeType().name().toLowerCase(Locale.ROOT) + " " + Refuse.shown(node.toString());
    }
}
