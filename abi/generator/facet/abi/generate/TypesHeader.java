package facet.abi.generate;

import java.util.List;

/** Types of an API as C declares them. */
final class TypesHeader {
    private TypesHeader() {}

    static void write(Text text, TypeTable table) {
        for (TypeTable.Type type : table.types()) {
            switch (type) {
                case TypeTable.Handle handle ->
                        text.line("typedef struct %s *%s;", handle.struct(), handle.name());
                case TypeTable.Alias alias ->
                        text.line("typedef %s %s;", alias.target(), alias.name());
                case TypeTable.Define define ->
                        text.line("#define %s %s", define.name(), define.text());
                case TypeTable.Function function ->
                        text.line(
                                "typedef %s (*%s)%s;",
                                function.result(), function.name(), function.parameters());
                case TypeTable.Numbers numbers -> numbers(text, numbers);
                case TypeTable.Aggregate aggregate -> aggregate(text, aggregate);
            }
        }
    }

    /** Enums are ints: what the program passes may be a number that this version does not know. */
    private static void numbers(Text text, TypeTable.Numbers numbers) {
        text.line();
        if (!numbers.name().isEmpty()) {
            text.line("typedef int %s;", numbers.name());
        }
        List<TypeTable.Constant> constants = numbers.constants();
        if (constants.isEmpty()) {
            return;
        }
        text.line("enum {");
        for (TypeTable.Constant constant : constants) {
            text.line("    %s = %s,", constant.name(), constant.value());
        }
        text.line("};").line();
    }

    private static void aggregate(Text text, TypeTable.Aggregate aggregate) {
        String tag = aggregate.keyword() + " " + aggregate.name();
        if (aggregate.fields().isEmpty()) {
            text.line("typedef %s %s;", tag, aggregate.name());
            return;
        }
        text.line().line("typedef %s {", tag);
        for (String field : aggregate.fields()) {
            text.line("    %s;", field);
        }
        text.line("} %s;", aggregate.name()).line();
    }
}
