package facet.abi.generate;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field of a message.
 *
 * @param type the word of the table, without the number in brackets
 * @param most the number in brackets; 0: there is none
 * @param isPart whether the type is a part
 */
record MessageField(String name, String type, int most, boolean isPart) {
    private static final Pattern WORD = Pattern.compile("(\\w+):(\\w+)(?:\\[(\\d{1,5})])?");
    private static final Set<String> NUMBERS = Set.of("flag", "u31", "u63", "u64");
    private static final Set<String> TEXTS = Set.of("text", "note");

    static MessageField read(Table.Line line, String word, Set<String> parts) {
        Matcher matcher = WORD.matcher(word);
        if (!matcher.matches()) {
            throw line.error("a field is name:type or name:type[most], not " + word);
        }
        String type = matcher.group(2);
        int most = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
        boolean isPart = parts.contains(type);
        boolean isList = isPart || type.equals("u63");
        if (!isPart && !NUMBERS.contains(type) && !TEXTS.contains(type)) {
            throw line.error("unknown type " + type);
        }
        if (TEXTS.contains(type) && most == 0) {
            throw line.error("a text says how long it may be: " + word + "[bytes]");
        }
        if (most != 0 && !isList && !TEXTS.contains(type)) {
            throw line.error("there are no lists of " + type);
        }
        // Lengths are 16 bits.
        if (most > 0xffff) {
            throw line.error(most + " is too much");
        }
        return new MessageField(matcher.group(1), type, most, isPart);
    }

    /** In Java. */
    String java() {
        return switch (type) {
            case "flag" -> "boolean";
            case "u31" -> "int";
            case "u63" -> most == 0 ? "long" : "long[]";
            case "u64" -> "long";
            case "text", "note" -> "String";
            default -> most == 0 ? type : "List<" + type + ">";
        };
    }

    boolean isListOfParts() {
        return isPart && most != 0;
    }

    /** The expression that reads it. */
    String read() {
        if (isPart) {
            return most == 0
                    ? type + ".read(in)"
                    : "in.list(\"" + name + "\", " + most + ", " + type + "::read)";
        }
        return switch (type) {
            case "text", "note" -> "in.text(\"" + name + "\", " + most + ")";
            case "u63" ->
                    most == 0
                            ? "in.u63(\"" + name + "\")"
                            : "in.u63s(\"" + name + "\", " + most + ")";
            default -> "in." + type + "(\"" + name + "\")";
        };
    }

    /** The statement that writes it. */
    String write() {
        String value = "this." + name;
        if (isPart) {
            return most == 0
                    ? value + ".write(out)"
                    : "out.list(\""
                            + name
                            + "\", "
                            + most
                            + ", "
                            + value
                            + ", "
                            + type
                            + "::write)";
        }
        return switch (type) {
            case "text" -> "out.text(\"" + name + "\", " + most + ", " + value + ")";
            case "note" -> "out.note(" + most + ", " + value + ")";
            case "u63" ->
                    most == 0
                            ? "out.u63(\"" + name + "\", " + value + ")"
                            : "out.u63s(\"" + name + "\", " + most + ", " + value + ")";
            case "u31" -> "out.u31(\"" + name + "\", " + value + ")";
            default -> "out." + type + "(" + value + ")";
        };
    }
}
