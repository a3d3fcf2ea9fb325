package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Json;
import org.lemmata.file.MalformedFileException;

/**
 * The header of a safetensors file: a JSON object with the type, shape and byte range of each tensor, and free text
 * under {@code __metadata__}.
 *
 * <p>It begins with a brace and may end in blanks. Names are unique, and the tensors fill the rest of the file without
 * gaps or overlaps. Source: the format's description, github.com/huggingface/safetensors.
 *
 * @param metadata the free text, in the order of the file
 * @param tensors the tensors by name, in the order of their bytes
 */
record SafeTensorsHeader(Map<String, String> metadata, SequencedMap<String, TensorEntry> tensors) {

    /** The size in bytes of the length field before the header. */
    static final int LENGTH_BYTES = Long.BYTES;

    /** The maximum length of a header, also in the reference implementation. Limits the memory that JSON can take. */
    static final int MAX_BYTES = 100_000_000;

    private static final String METADATA = "__metadata__";
    private static final int ALIGNMENT = 8;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Names are not cached, because a malicious file could fill the table of names.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            // An unpaired surrogate becomes an escape sequence, not a question mark.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    SafeTensorsHeader {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        tensors = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tensors));
    }

    /** The bytes of the header, padded with blanks so that the tensors begin at a multiple of 8. */
    static byte[] encode(Map<String, String> metadata, List<TensorEntry> tensors) throws IOException {
        var header = new LinkedHashMap<String, Object>();
        if (!metadata.isEmpty()) {
            header.put(METADATA, metadata);
        }
        for (TensorEntry tensor : tensors) {
            header.put(
                    tensor.name(),
                    Json.object(
                            "dtype",
                            tensor.type(),
                            "shape",
                            tensor.shape(),
                            "data_offsets",
                            List.of(tensor.begin(), tensor.end())));
        }
        byte[] bytes = new JsonMapper(JSON).writeValueAsString(header).getBytes(StandardCharsets.US_ASCII);
        byte[] padded = Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, ALIGNMENT) * ALIGNMENT);
        Arrays.fill(padded, bytes.length, padded.length, (byte) ' ');
        Refuse.when(padded.length > MAX_BYTES, "header", "at most " + MAX_BYTES + " bytes", padded.length);
        return padded;
    }

    /** Rejects the name {@value #METADATA}, which is reserved. */
    static void checkName(String name) {
        Refuse.when(name.equals(METADATA), "tensor", "a name other than " + METADATA, name);
    }

    /**
     * @param file the file, for error messages
     * @param dataBytes number of bytes after the header
     */
    static SafeTensorsHeader decode(Path file, byte[] bytes, long dataBytes) throws MalformedFileException {
        try {
            MalformedFileException.when(bytes.length == 0, file, "header", "a brace", "an empty header");
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new Decoder(file, dataBytes).decode(text);
        } catch (CharacterCodingException e) {
            throw new MalformedFileException(file, "header", "expected UTF-8, got other bytes");
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? "header"
                    : "header, character " + e.getLocation().getCharOffset();
            // Removes Jackson's "(start marker at ...)": the exception below already names the place.
            String problem = e.getOriginalMessage().replaceAll("(?s)\\s*\\(start marker.*", "");
            throw new MalformedFileException(
                    file, where, "expected JSON, got other text: " + Refuse.withShortQuotes(problem));
        } catch (MalformedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new MalformedFileException(file, "header", "cannot be read: " + Refuse.shown(String.valueOf(e)));
        }
    }

    /** Decodes in one pass over the tokens without building a tree, because a header may have 100 MB. */
    private static final class Decoder {

        private final Path file;
        private final long dataBytes;
        private final Map<String, String> metadata = new LinkedHashMap<>();
        private final List<TensorEntry> entries = new ArrayList<>();

        Decoder(Path file, long dataBytes) {
            this.file = file;
            this.dataBytes = dataBytes;
        }

        SafeTensorsHeader decode(String text) throws IOException {
            try (JsonParser json = JSON.createParser(text)) {
                json.nextToken();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    if (name.equals(METADATA)) {
                        readMetadata(json);
                    } else {
                        entries.add(readEntry(json, name));
                    }
                }
                if (json.nextToken() != null) {
                    throw malformed("", "expected blanks after the object, got more");
                }
            }
            entries.sort(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end));
            var tensors = new LinkedHashMap<String, TensorEntry>();
            long end = 0;
            for (TensorEntry entry : entries) {
                if (entry.begin() != end) {
                    throw malformed(
                            entry.name(),
                            "expected data_offsets that begin at " + end + ", where the tensor before it ends, got "
                                    + entry.begin());
                }
                end = entry.end();
                tensors.put(entry.name(), entry);
            }
            if (end != dataBytes) {
                throw malformed("", "expected " + end + " bytes of tensors after the header, got " + dataBytes);
            }
            return new SafeTensorsHeader(metadata, tensors);
        }

        private void readMetadata(JsonParser json) throws IOException {
            // The reference implementation writes null if there is no metadata.
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            expect(json, JsonToken.START_OBJECT, METADATA, "an object of strings");
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String key = json.currentName();
                json.nextToken();
                expect(json, JsonToken.VALUE_STRING, METADATA + "." + key, "a string");
                metadata.put(key, json.getText());
            }
        }

        private TensorEntry readEntry(JsonParser json, String name) throws IOException {
            expect(json, JsonToken.START_OBJECT, name, "an object with dtype, shape and data_offsets");
            String dtype = null;
            LongList shape = null;
            LongList offsets = null;
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String key = json.currentName();
                json.nextToken();
                switch (key) {
                    case "dtype" -> {
                        expect(json, JsonToken.VALUE_STRING, name + ".dtype", "a string");
                        dtype = json.getText();
                    }
                    case "shape" -> shape = readNumbers(json, name + ".shape");
                    case "data_offsets" -> offsets = readNumbers(json, name + ".data_offsets");
                    default ->
                        throw malformed(name, "expected dtype, shape and data_offsets, got " + Refuse.quoted(key));
                }
            }
            return entry(
                    name,
                    present(name, "dtype", dtype),
                    present(name, "shape", shape),
                    present(name, "data_offsets", offsets));
        }

        private <T> T present(String name, String key, @Nullable T value) throws MalformedFileException {
            if (value == null) {
                throw malformed(name, "expected " + key + ", got none");
            }
            return value;
        }

        private LongList readNumbers(JsonParser json, String place) throws IOException {
            expect(json, JsonToken.START_ARRAY, place, "an array of integers");
            var numbers = new LongArrayList();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                expect(json, JsonToken.VALUE_NUMBER_INT, place, "an integer from 0");
                // Checked before getLongValue is called, because its error message repeats all digits of a huge number.
                if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER || json.getLongValue() < 0) {
                    throw malformed(place, "expected integers from 0 to 2^63 - 1, got " + Refuse.shown(json.getText()));
                }
                numbers.add(json.getLongValue());
            }
            return numbers;
        }

        private TensorEntry entry(String name, String dtype, LongList shape, LongList offsets)
                throws MalformedFileException {
            TensorType type = Arrays.stream(TensorType.values())
                    .filter(candidate -> candidate.name().equals(dtype))
                    .findFirst()
                    .orElseThrow(() -> malformed(
                            name,
                            "expected a dtype among " + Arrays.toString(TensorType.values()) + ", got "
                                    + Refuse.quoted(dtype)));
            if (offsets.size() != 2 || offsets.getLong(0) > offsets.getLong(1) || offsets.getLong(1) > dataBytes) {
                throw malformed(
                        name,
                        "expected data_offsets [begin, end] with begin <= end <= " + dataBytes
                                + ", the bytes after the header, got " + Refuse.shown(offsets.toString()));
            }
            long bits;
            try {
                bits = Math.multiplyExact(TensorEntry.size(shape), type.bits());
            } catch (ArithmeticException e) {
                throw malformed(
                        name, "expected a shape of fewer than 2^63 bits, got " + Refuse.shown(shape.toString()));
            }
            long bytes = offsets.getLong(1) - offsets.getLong(0);
            if (bits % Byte.SIZE != 0 || bits / Byte.SIZE != bytes) {
                throw malformed(
                        name,
                        "expected " + bits + " bits for " + type + Refuse.shown(shape.toString())
                                + ", got data_offsets of " + bytes + " bytes");
            }
            return new TensorEntry(name, type, shape, offsets.getLong(0), offsets.getLong(1));
        }

        private void expect(JsonParser json, JsonToken token, String place, String what) throws IOException {
            if (json.currentToken() != token) {
                String text = json.currentToken() == null ? "the end" : json.getText();
                throw malformed(
                        place,
                        "expected " + what + ", got " + (text.isBlank() ? Refuse.quoted(text) : Refuse.shown(text)));
            }
        }

        private MalformedFileException malformed(String place, String problem) {
            return new MalformedFileException(
                    file, place.isEmpty() ? "header" : "header: " + Refuse.shown(place), problem);
        }
    }
}
