package facet.abi.generate;

import java.util.function.Function;

/** Name and description of each error of an API. */
final class ErrorNames {
    private ErrorNames() {}

    static void declare(Text text, String api, String type) {
        text.line();
        text.line("/* NULL: there is no such error. */");
        text.line("const char *facet_%s_error_name(%s error);", api, type);
        text.line("const char *facet_%s_error_description(%s error);", api, type);
    }

    static String text(String api, TypeTable types, String type) {
        Text text = Text.c(types.file());
        text.line("#include \"facet_%s.h\"", api);
        TypeTable.Numbers errors = types.numbers(type);
        lookup(text, "facet_" + api + "_error_name", errors, TypeTable.Constant::name);
        lookup(
                text,
                "facet_" + api + "_error_description",
                errors,
                TypeTable.Constant::description);
        return text.toString();
    }

    private static void lookup(
            Text text,
            String name,
            TypeTable.Numbers errors,
            Function<TypeTable.Constant, String> answer) {
        text.line();
        text.line("const char *%s(%s error)", name, errors.name());
        text.line("{");
        text.line("    switch (error) {");
        for (TypeTable.Constant error : errors.constants()) {
            text.line("    case %s: return \"%s\";", error.name(), answer.apply(error));
        }
        text.line("    default: return NULL;");
        text.line("    }");
        text.line("}");
    }
}
