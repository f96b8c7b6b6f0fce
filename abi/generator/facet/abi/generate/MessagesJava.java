package facet.abi.generate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A record for each message of the worker's protocol, and what the two sides may hear. */
final class MessagesJava {
    private static final String TABLE = "abi/tables/worker.table";
    static final String PACKAGE = "facet.abi.worker";

    private MessagesJava() {}

    static void write(MessageTable table, Output java) throws IOException {
        java.write("WorkerProtocol.java", protocol(table));
        for (MessageTable.Hearer hearer : MessageTable.Hearer.values()) {
            java.write(sealed(hearer) + ".java", sealed(hearer, table.heardBy(hearer)));
        }
        for (var part : table.parts().entrySet()) {
            java.write(part.getKey() + ".java", part(part.getKey(), part.getValue()));
        }
        for (MessageTable.Message message : table.messages()) {
            java.write(message.name() + ".java", message(message));
        }
    }

    private static String sealed(MessageTable.Hearer hearer) {
        return switch (hearer) {
            case DAEMON -> "ToDaemon";
            case WORKER -> "ToWorker";
        };
    }

    private static String protocol(MessageTable table) {
        Text text = Text.java(TABLE, PACKAGE);
        text.line("/** The messages of this build. */");
        text.line("public final class WorkerProtocol {");
        text.line("    public static final long DIGEST = 0x%016xL;", table.digest()).line();
        return text.line("    private WorkerProtocol() {}").line("}").toString();
    }

    private static String sealed(MessageTable.Hearer hearer, List<MessageTable.Message> messages) {
        String name = sealed(hearer);
        Text text = Text.java(TABLE, PACKAGE);
        text.line("/** What the %s hears. */", hearer.name().toLowerCase(Locale.ROOT));
        text.line("public sealed interface %s extends WorkerMessage", name);
        text.line(
                "        permits %s {",
                messages.stream()
                        .map(MessageTable.Message::name)
                        .collect(Collectors.joining(", ")));
        text.line("    static %s decode(byte[] packet) throws MalformedMessage {", name);
        text.line("        MessageReader in = new MessageReader(packet);");
        text.line("        int number = in.number();");
        text.line("        %s message =", name).line("                switch (number) {");
        for (MessageTable.Message each : messages) {
            text.line("                    case %d -> %s.read(in);", each.number(), each.name());
        }
        text.line("                    default -> throw MalformedMessage.unknown(number);");
        text.line("                };");
        text.line("        in.end();").line("        return message;");
        return text.line("    }").line("}").toString();
    }

    private static String part(String name, List<MessageField> fields) {
        Text text = start(fields);
        text.line("public record %s(%s) {", name, components(fields));
        constants(text, fields);
        body(text, name, fields);
        return text.line("}").toString();
    }

    private static String message(MessageTable.Message message) {
        Text text = start(message.fields());
        text.line(
                "public record %s(%s) implements %s {",
                message.name(), components(message.fields()), sealed(message.hearer()));
        constants(text, message.fields());
        body(text, message.name(), message.fields());
        text.line().line("    @Override").line("    public byte[] encode() {");
        text.line("        MessageWriter out = new MessageWriter(%d);", message.number());
        text.line("        write(out);").line("        return out.bytes();").line("    }");
        text.line().line("    @Override").line("    public boolean takes(int descriptors) {");
        text.line(
                "        return %s;",
                message.descriptors().stream()
                        .map(each -> "descriptors == " + each)
                        .collect(Collectors.joining(" || ")));
        return text.line("    }").line("}").toString();
    }

    private static Text start(List<MessageField> fields) {
        Text text = Text.java(TABLE, PACKAGE);
        if (fields.stream().anyMatch(MessageField::isListOfParts)) {
            text.line("import java.util.List;").line();
        }
        return text;
    }

    /** How long texts and lists may be. */
    private static void constants(Text text, List<MessageField> fields) {
        for (MessageField field : fields) {
            if (field.most() != 0) {
                text.line(
                        "    public static final int MOST_%s = %d;",
                        Names.upper(field.name()), field.most());
            }
        }
    }

    private static void body(Text text, String name, List<MessageField> fields) {
        List<MessageField> lists = fields.stream().filter(MessageField::isListOfParts).toList();
        if (!lists.isEmpty()) {
            text.line("    public %s {", name);
            for (MessageField each : lists) {
                text.line("        %s = List.copyOf(%s);", each.name(), each.name());
            }
            text.line("    }").line();
        }
        if (fields.isEmpty()) {
            text.line("    static %s read(MessageReader in) {", name);
        } else {
            text.line("    static %s read(MessageReader in) throws MalformedMessage {", name);
        }
        text.line(
                "        return new %s(%s);",
                name,
                fields.stream()
                        .map(MessageField::read)
                        .collect(Collectors.joining(",\n                ")));
        text.line("    }").line();
        text.line("    void write(MessageWriter out) {");
        for (MessageField field : fields) {
            text.line("        %s;", field.write());
        }
        text.line("    }");
    }

    private static String components(List<MessageField> fields) {
        return fields.stream()
                .map(each -> each.java() + " " + each.name())
                .collect(Collectors.joining(",\n        "));
    }
}
