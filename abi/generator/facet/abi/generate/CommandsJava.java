package facet.abi.generate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sealed interface for a vocabulary, and a record for each command of it. */
final class CommandsJava {
    private CommandsJava() {}

    static void write(CommandTable table, Output java) throws IOException {
        java.write(sealed(table) + ".java", sealedText(table));
        for (Command command : table.commands()) {
            java.write(command.name() + ".java", record(table, command));
        }
    }

    private static String sealed(CommandTable table) {
        return table.vocabulary().name() + "Command";
    }

    private static String sealedText(CommandTable table) {
        Text text = Text.java(table);
        text.importShared(table, "Command");
        text.line("/** A command of the vocabulary %s. */", table.vocabulary().name());
        text.line("public sealed interface %s extends Command", sealed(table));
        text.line(
                "        permits %s {}",
                table.commands().stream().map(Command::name).collect(Collectors.joining(", ")));
        return text.toString();
    }

    private static String record(CommandTable table, Command command) {
        Text text = Text.java(table);
        text.importShared(table, "Envelope", "MalformedCommand");
        text.line("import java.lang.foreign.MemorySegment;");
        if (!command.values().isEmpty() || command.hasData()) {
            text.line("import java.lang.foreign.ValueLayout;");
        }
        text.line().line("/** %s: {@code %s}. */", verb(command), command.name());
        text.line(
                "public record %s(%s) implements %s {",
                command.name(), components(command), sealed(table));
        text.line("    public static final int TYPE = %d;", command.type());
        text.line("    /** Of the record without its data. */");
        text.line("    public static final int FIXED_BYTES = %d;", command.struct().bytes());
        RecordsJava.offsets(text, command.struct());
        if (!command.answers().isEmpty()) {
            answer(text, command.answers());
        }
        decode(text, command);
        encode(text, command);
        return text.line("}").toString();
    }

    private static String verb(Command command) {
        return command.waits() ? "The caller waits" : "Nobody waits";
    }

    private static String components(Command command) {
        return Stream.concat(
                        command.values().stream().map(CommandsJava::component),
                        data(command, "byte[] " + command.data()))
                .collect(Collectors.joining(",\n        "));
    }

    private static Stream<String> data(Command command, String text) {
        return command.hasData() ? Stream.of(text) : Stream.empty();
    }

    private static String component(Command.Value value) {
        return value.type().java + " " + value.name();
    }

    private static void answer(Text text, List<Command.Value> answers) {
        text.line();
        text.line("    /** Payload of the reply. */");
        text.line(
                "    public record Answer(%s) {",
                answers.stream().map(CommandsJava::component).collect(Collectors.joining(", ")));
        text.line("        public long[] words() {");
        text.line(
                "            return new long[] {%s};",
                answers.stream().map(Command.Value::name).collect(Collectors.joining(", ")));
        text.line("        }");
        text.line("    }");
    }

    private static void decode(Text text, Command command) {
        text.line();
        text.line(
                "    public static %s decode(MemorySegment record) throws MalformedCommand {",
                command.name());
        if (!command.hasData()) {
            text.line(
                    "        MalformedCommand.checkLength(\"%s\", record.byteSize(), FIXED_BYTES);",
                    command.name());
        } else {
            text.line(
                    "        int dataBytes = MalformedCommand.checkData(\"%s\", record,"
                            + " FIXED_BYTES, %s_OFFSET);",
                    command.name(), Names.upper(Command.lengthOf(command.data())));
            text.line("        byte[] data = new byte[dataBytes];");
            text.line(
                    "        MemorySegment.copy(record, ValueLayout.JAVA_BYTE, FIXED_BYTES, data,"
                            + " 0, dataBytes);");
        }
        String values =
                Stream.concat(
                                command.values().stream().map(CommandsJava::get),
                                data(command, "data"))
                        .collect(Collectors.joining(",\n                "));
        text.line("        return new %s(%s);", command.name(), values);
        text.line("    }");
    }

    private static String get(Command.Value value) {
        return String.format(
                Locale.ROOT,
                "record.get(ValueLayout.%s, %s_OFFSET)",
                value.type().valueLayout,
                Names.upper(value.name()));
    }

    private static void encode(Text text, Command command) {
        text.line();
        text.line("    @Override");
        text.line("    public byte[] encode(int slot, long sequence, int context) {");
        String dataBytes = command.hasData() ? "this." + command.data() + ".length" : "0";
        text.line(
                "        byte[] bytes = Envelope.start(TYPE, FIXED_BYTES + %s, slot, sequence,"
                        + " context);",
                dataBytes);
        if (!command.values().isEmpty() || command.hasData()) {
            text.line("        MemorySegment record = MemorySegment.ofArray(bytes);");
        }
        for (Command.Value value : command.values()) {
            text.line(
                    "        record.set(ValueLayout.%s, %s_OFFSET, this.%s);",
                    value.type().valueLayout, Names.upper(value.name()), value.name());
        }
        if (command.hasData()) {
            String data = command.data();
            text.line(
                    "        record.set(ValueLayout.JAVA_INT_UNALIGNED, %s_OFFSET,"
                            + " this.%s.length);",
                    Names.upper(Command.lengthOf(data)), data);
            text.line(
                    "        System.arraycopy(this.%s, 0, bytes, FIXED_BYTES,"
                            + " this.%s.length);",
                    data, data);
        }
        text.line("        return bytes;");
        text.line("    }");
    }
}
