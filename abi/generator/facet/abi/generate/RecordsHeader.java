package facet.abi.generate;

/** facet_records.h: constants and structs. */
final class RecordsHeader {
    private RecordsHeader() {}

    static String text(RecordTable table) {
        Text text = Text.c("abi/tables/records.table");
        text.line("#ifndef FACET_RECORDS_H").line("#define FACET_RECORDS_H").line();
        text.line("#include <stdint.h>").line();
        for (RecordTable.Constant constant : table.constants()) {
            text.line(
                    "#define FACET_%s %s%s",
                    constant.name(), constant.value(), comment(constant.comment()));
        }
        for (Struct struct : table.structs().values()) {
            text.line();
            struct(text, struct);
        }
        return text.line().line("#endif").toString();
    }

    static void struct(Text text, Struct struct) {
        text.line("%s {", struct.c());
        for (Field field : struct.fields()) {
            text.line("    %s%s", field.declaration(), comment(field.comment()));
        }
        text.line("};");
    }

    private static String comment(String comment) {
        return comment.isEmpty() ? "" : " /* " + comment + " */";
    }
}
