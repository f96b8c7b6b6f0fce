package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;

/**
 * Text that does nothing in a terminal but stand there. Programs name themselves, and their names
 * come here by way of the daemon: they must not move the cursor, or be read from right to left.
 */
final class Plain {
    private Plain() {}

    /** All texts in it, however deep. The same node where it can be changed. */
    static JsonNode of(JsonNode node) {
        switch (node) {
            case TextNode text -> {
                return TextNode.valueOf(of(text.textValue()));
            }
            case ObjectNode object -> {
                for (Map.Entry<String, JsonNode> each : List.copyOf(object.properties())) {
                    object.set(each.getKey(), of(each.getValue()));
                }
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    array.set(i, of(array.get(i)));
                }
            }
            default -> {}
        }
        return node;
    }

    static String of(String text) {
        return text.codePoints().allMatch(Plain::isHarmless) ? text : cleaned(text);
    }

    private static String cleaned(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(each -> clean.appendCodePoint(isHarmless(each) ? each : ' '));
        return clean.toString();
    }

    private static boolean isHarmless(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE ->
                    false;
            default -> true;
        };
    }
}
