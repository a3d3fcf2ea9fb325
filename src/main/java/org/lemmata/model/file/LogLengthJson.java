package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import org.lemmata.kernel.attention.AttentionShape.LogLength;

/**
 * {@link LogLength} in JSON: false, true for the positions seen, as before there was a third, and {@code "SEQUENCE"}.
 */
final class LogLengthJson {

    private LogLengthJson() {}

    static Module module() {
        return new SimpleModule()
                .addSerializer(LogLength.class, new Writer())
                .addDeserializer(LogLength.class, new Reader());
    }

    private static final class Writer extends StdSerializer<LogLength> {

        private static final long serialVersionUID = 1;

        Writer() {
            super(LogLength.class);
        }

        @Override
        public void serialize(LogLength value, JsonGenerator to, SerializerProvider provider) throws IOException {
            switch (value) {
                case NONE -> to.writeBoolean(false);
                case SEEN -> to.writeBoolean(true);
                case SEQUENCE -> to.writeString(value.name());
            }
        }
    }

    private static final class Reader extends StdDeserializer<LogLength> {

        private static final long serialVersionUID = 1;

        Reader() {
            super(LogLength.class);
        }

        @Override
        public LogLength deserialize(JsonParser from, DeserializationContext context) throws IOException {
            JsonToken token = from.currentToken();
            if (token == JsonToken.VALUE_FALSE || token == JsonToken.VALUE_TRUE) {
                return from.getBooleanValue() ? LogLength.SEEN : LogLength.NONE;
            }
            if (token == JsonToken.VALUE_STRING && from.getText().equals(LogLength.SEQUENCE.name())) {
                return LogLength.SEQUENCE;
            }
            return context.reportInputMismatch(this, "logLength: expected false, true or \"SEQUENCE\"");
        }
    }
}
