package facet.abi.generate;

import java.util.List;

/**
 * facet_layout.c: a program that prints what the C compiler makes of the layouts, one "class
 * constant value" a line, for the test that compares it with Java's constants.
 */
final class LayoutProgram {
    private LayoutProgram() {}

    static String text(RecordTable records, List<CommandTable> vocabularies) {
        Text text = Text.c("abi/tables/records.table and the tables of commands");
        text.line("#include <stdio.h>").line();
        for (CommandTable table : vocabularies) {
            text.line("#include \"%s\"", table.headerName());
        }
        text.line();
        text.line("int main(void)").line("{");
        for (RecordTable.Constant constant : records.constants()) {
            text.line(
                    "    printf(\"Constants %s %%lld\\n\", (long long)FACET_%s);",
                    constant.name(), constant.name());
        }
        for (Struct struct : records.structs().values()) {
            struct(text, struct, struct.name() + "Layout", "BYTES");
        }
        vocabularies.forEach(table -> table.commands().forEach(each -> command(text, each)));
        return text.line("    return 0;").line("}").toString();
    }

    private static void command(Text text, Command command) {
        struct(text, command.struct(), command.name(), "FIXED_BYTES");
        text.line(
                "    printf(\"%s TYPE %%d\\n\", FACET_COMMAND_%s);",
                command.name(), Names.upper(command.name()));
    }

    private static void struct(Text text, Struct struct, String javaClass, String bytes) {
        text.line("    printf(\"%s %s %%zu\\n\", sizeof(%s));", javaClass, bytes, struct.c());
        for (Field field : struct.fields()) {
            String c = Names.snake(field.name());
            String java = Names.upper(field.name());
            text.line(
                    "    printf(\"%s %s_OFFSET %%zu\\n\", offsetof(%s, %s));",
                    javaClass, java, struct.c(), c);
            if (field.count() != 0) {
                text.line(
                        "    printf(\"%s %s_COUNT %%zu\\n\", sizeof(((%s *)0)->%s) /"
                                + " sizeof(((%s *)0)->%s[0]));",
                        javaClass, java, struct.c(), c, struct.c(), c);
            }
        }
    }
}
