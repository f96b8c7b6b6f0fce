package facet.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** A line for programs. What it is not about is left out. */
final class LogJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private LogJson() {}

    static String line(Instant time, Log.Level level, Who who, String event, String text) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("time", time.truncatedTo(ChronoUnit.MILLIS).toString());
            json.writeStringField("level", level.name().toLowerCase(Locale.ROOT));
            if (who.part() != null) {
                json.writeStringField("part", who.part());
            }
            if (who.slice() != null) {
                json.writeStringField("slice", Log.clean(who.slice()));
            }
            if (who.session() != 0) {
                json.writeNumberField("session", who.session());
                json.writeStringField("program", Log.clean(who.program()));
            }
            if (!event.isEmpty()) {
                json.writeStringField("event", event);
            }
            json.writeStringField("text", Log.clean(text));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }
}
