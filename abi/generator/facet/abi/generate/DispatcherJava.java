package facet.abi.generate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An interface for each group of commands, and the switch that calls them. Who makes a dispatcher
 * has a handler for every command, in the group that the table names; else it does not compile.
 */
final class DispatcherJava {
    private DispatcherJava() {}

    static void write(CommandTable table, Output java) throws IOException {
        for (var group : table.groups().entrySet()) {
            java.write(
                    handler(group.getKey()) + ".java",
                    handler(table, group.getKey(), group.getValue()));
        }
        java.write(table.vocabulary().name() + "Dispatcher.java", dispatcher(table));
    }

    private static String handler(String group) {
        return group + "Handler";
    }

    private static String handler(CommandTable table, String group, List<Command> commands) {
        Text text = Text.java(table);
        text.importShared(table, "Envelope");
        text.line(
                "/** Acts on the commands of group %s. Called by the thread that reads. */", group);
        text.line("public interface %s {", handler(group));
        for (Command command : commands) {
            text.line(
                    "    void %s(Envelope envelope, %s command);",
                    Names.lowerFirst(command.name()), command.name());
        }
        return text.line("}").toString();
    }

    private static String dispatcher(CommandTable table) {
        String name = table.vocabulary().name() + "Dispatcher";
        List<String> groups = List.copyOf(table.groups().keySet());
        Text text = Text.java(table);
        text.importShared(table, "Dispatcher", "Envelope", "MalformedCommand");
        text.line("import java.lang.foreign.MemorySegment;").line();
        text.line("/** From the bytes of a record to the handler of its group. */");
        text.line("public final class %s implements Dispatcher {", name);
        for (String group : groups) {
            text.line("    private final %s %s;", handler(group), variable(group));
        }
        text.line().line("    public %s(%s) {", name, parameters(groups));
        for (String group : groups) {
            text.line("        this.%s = %s;", variable(group), variable(group));
        }
        text.line("    }").line().line("    @Override");
        text.line("    public int vocabulary() {");
        text.line("        return %d;", table.vocabulary().number());
        text.line("    }").line().line("    @Override");
        text.line("    public void dispatch(MemorySegment record) throws MalformedCommand {");
        text.line("        int type = Envelope.type(record);");
        text.line("        switch (type) {");
        for (Command command : table.commands()) {
            text.line(
                    "            case %s.TYPE ->\n                    %s.%s(Envelope.of(record, %s),"
                            + " %s.decode(record));",
                    command.name(),
                    variable(command.group()),
                    Names.lowerFirst(command.name()),
                    command.waits(),
                    command.name());
        }
        text.line("            default -> throw MalformedCommand.unknownType(type);");
        text.line("        }").line("    }").line();
        retires(text, table);
        return text.line("}").toString();
    }

    private static void retires(Text text, CommandTable table) {
        List<String> types =
                table.commands().stream()
                        .filter(Command::retires)
                        .map(each -> each.name() + ".TYPE")
                        .toList();
        text.line("    @Override");
        text.line("    public boolean retires(int type) {");
        text.line("        return isCounted(type);").line("    }").line();
        text.line("    /** The same for those who execute nothing. */");
        text.line("    public static boolean isCounted(int type) {");
        if (types.isEmpty()) {
            text.line("        return false;").line("    }");
            return;
        }
        text.line("        return switch (type) {");
        text.line("            case %s -> true;", String.join(",\n                    ", types));
        text.line("            default -> false;");
        text.line("        };").line("    }");
    }

    private static String parameters(List<String> groups) {
        return groups.stream()
                .map(each -> String.format(Locale.ROOT, "%s %s", handler(each), variable(each)))
                .collect(Collectors.joining(",\n            "));
    }

    private static String variable(String group) {
        return Names.lowerFirst(handler(group));
    }
}
