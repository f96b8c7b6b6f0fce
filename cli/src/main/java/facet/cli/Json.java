package facet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** Results as JSON: a record becomes an object with the names of its components. */
final class Json {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final ObjectMapper LINE = new ObjectMapper();

    private Json() {}

    static JsonNode tree(Object result) {
        return MAPPER.valueToTree(result);
    }

    /** Without line ends and spaces between. */
    static String line(Object result) {
        try {
            return LINE.writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result that cannot be written as JSON", e);
        }
    }

    static String of(Object result) {
        try {
            return MAPPER.writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result that cannot be written as JSON", e);
        }
    }
}
