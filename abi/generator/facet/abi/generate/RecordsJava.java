package facet.abi.generate;

import java.io.IOException;

/** A class of offsets for each record, and Constants. */
final class RecordsJava {
    private RecordsJava() {}

    static void write(RecordTable table, Output java) throws IOException {
        java.write("Constants.java", constants(table));
        for (Struct struct : table.structs().values()) {
            java.write(struct.name() + "Layout.java", layout(struct));
        }
    }

    private static String constants(RecordTable table) {
        Text text = Text.java("abi/tables/records.table");
        text.line("/** Numbers that both sides of a session know. */");
        text.line("public final class Constants {");
        for (RecordTable.Constant constant : table.constants()) {
            comment(text, constant.comment());
            text.line("    public static final int %s = %s;", constant.name(), constant.value());
        }
        return text.line().line("    private Constants() {}").line("}").toString();
    }

    private static String layout(Struct struct) {
        Text text = Text.java("abi/tables/records.table");
        text.line("/** Where the fields of a %s lie. */", struct.name());
        text.line("public final class %sLayout {", struct.name());
        text.line("    public static final int BYTES = %d;", struct.bytes());
        offsets(text, struct);
        return text.line().line("    private %sLayout() {}", struct.name()).line("}").toString();
    }

    static void offsets(Text text, Struct struct) {
        for (Field field : struct.fields()) {
            String name = Names.upper(field.name());
            comment(text, field.comment());
            text.line("    public static final int %s_OFFSET = %d;", name, field.offset());
            if (field.count() != 0) {
                text.line("    public static final int %s_COUNT = %d;", name, field.count());
            }
        }
    }

    private static void comment(Text text, String comment) {
        if (!comment.isEmpty()) {
            text.line("    /** %s */", comment);
        }
    }
}
