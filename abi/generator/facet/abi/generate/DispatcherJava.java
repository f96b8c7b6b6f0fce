package facet.abi.generate;

import java.util.stream.Collectors;

/** CommandHandler, and the switch that calls it. */
final class DispatcherJava {
    private DispatcherJava() {}

    static String handler(CommandTable table) {
        Text text = Text.java("abi/tables/commands.table");
        text.line("/** Acts on commands; one method for each. Called by the thread that reads. */");
        text.line("public interface CommandHandler {");
        for (Command command : table.commands()) {
            text.line(
                    "    void %s(Envelope envelope, %s command);",
                    Names.lowerFirst(command.name()), command.name());
        }
        return text.line("}").toString();
    }

    static String dispatcher(CommandTable table) {
        Text text = Text.java("abi/tables/commands.table");
        text.line("import java.lang.foreign.MemorySegment;").line();
        text.line("/** From the bytes of a record to the handler's method. */");
        text.line("public final class Dispatcher {");
        text.line("    private Dispatcher() {}").line();
        text.line("    /**");
        text.line("     * @param record the whole record and nothing else; a copy that no client");
        text.line("     *     can change any more");
        text.line("     */");
        text.line("    public static void dispatch(MemorySegment record, CommandHandler handler)");
        text.line("            throws MalformedCommand {");
        text.line("        int type = Envelope.type(record);");
        text.line("        switch (type) {");
        for (Command command : table.commands()) {
            text.line(
                    "            case %s.TYPE -> handler.%s(Envelope.of(record, %s),"
                            + " %s.decode(record));",
                    command.name(),
                    Names.lowerFirst(command.name()),
                    command.waits(),
                    command.name());
        }
        text.line("            default -> throw MalformedCommand.unknownType(type);");
        text.line("        }").line("    }").line();
        text.line("    /** Whether both sides count the command: the client when it is sent, the");
        text.line("     * host when it has ended. */");
        text.line("    public static boolean retires(int type) {");
        text.line("        return switch (type) {");
        text.line(
                "            case %s -> true;",
                table.commands().stream()
                        .filter(Command::retires)
                        .map(each -> each.name() + ".TYPE")
                        .collect(Collectors.joining(",\n                    ")));
        text.line("            default -> false;");
        return text.line("        };").line("    }").line("}").toString();
    }
}
