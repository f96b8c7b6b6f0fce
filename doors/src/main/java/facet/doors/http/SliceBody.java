package facet.doors.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import facet.slices.Setting;
import facet.slices.Settings;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A slice as a JSON object, with the keys that a document of slices has.
 *
 * @param name where one is given
 */
record SliceBody(Optional<String> name, Settings settings) {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    static SliceBody parse(byte[] bytes) {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(400, "the body is a JSON object with the settings of a slice");
            }
            SliceBody body = object(parser);
            if (parser.nextToken() != null) {
                throw new Refusal(400, "there is more text after the object");
            }
            return body;
        } catch (JsonProcessingException e) {
            throw new Refusal(400, "the body is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new Refusal(400, "the body cannot be read: " + e.getMessage());
        }
    }

    private static SliceBody object(JsonParser parser) throws IOException {
        Optional<String> name = Optional.empty();
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            if (key.equals("name")) {
                name = Optional.of(scalar(key, parser));
                continue;
            }
            Setting setting =
                    Setting.of(key)
                            .orElseThrow(() ->
                                    new Refusal(
                                            400,
                                            "there is no '" + key + "'",
                                            "there are name, "
                                                    + String.join(", ", Setting.keys())));
            values.put(
                    setting, setting == Setting.CALENDAR ? calendar(parser) : scalar(key, parser));
        }
        return new SliceBody(name, new Settings(values));
    }

    private static String scalar(String key, JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
            throw new Refusal(400, "'" + key + "' is a string or a number");
        }
        return parser.getText();
    }

    /** A list of entries, or one string with semicolons. */
    private static String calendar(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return scalar("calendar", parser);
        }
        StringJoiner entries = new StringJoiner("; ");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            entries.add(scalar("calendar", parser));
        }
        return entries.toString();
    }
}
