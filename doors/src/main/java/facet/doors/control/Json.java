package facet.doors.control;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;

/** Maps, collections, numbers, strings and booleans as one line of JSON. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    public static String line(Map<String, ?> value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                generator.writeStartObject();
                for (Map.Entry<?, ?> each : map.entrySet()) {
                    generator.writeFieldName(String.valueOf(each.getKey()));
                    write(generator, each.getValue());
                }
                generator.writeEndObject();
            }
            case Collection<?> all -> {
                generator.writeStartArray();
                for (Object each : all) {
                    write(generator, each);
                }
                generator.writeEndArray();
            }
            case Integer number -> generator.writeNumber(number);
            case Long number -> generator.writeNumber(number);
            case Double number -> generator.writeNumber(number);
            case Boolean bool -> generator.writeBoolean(bool);
            default -> generator.writeString(value.toString());
        }
    }
}
