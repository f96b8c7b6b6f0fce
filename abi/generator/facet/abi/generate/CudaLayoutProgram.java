package facet.abi.generate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * facet_cuda_layout.c: prints constants and layouts of the driver API. Compiled once with our
 * header and once with cuda.h, it must say the same.
 */
final class CudaLayoutProgram {
    private CudaLayoutProgram() {}

    private static final Pattern FIELD = Pattern.compile(".*?(\\w+)(?:\\[\\w+])?");

    static String text(TypeTable types) {
        Text text = Text.c(types.file());
        text.line("#ifdef FACET_COMPARE");
        text.line("#include <cuda.h>");
        text.line("#else");
        text.line("#include \"facet_cuda.h\"");
        text.line("#endif");
        text.line("#include <stddef.h>");
        text.line("#include <stdio.h>").line();
        text.line("int main(void)").line("{");
        for (TypeTable.Type type : types.types()) {
            switch (type) {
                case TypeTable.Numbers numbers ->
                        numbers.constants().forEach(constant -> number(text, constant.name()));
                case TypeTable.Define define -> number(text, define.name());
                case TypeTable.Aggregate aggregate -> aggregate(text, aggregate);
                case TypeTable.Alias alias -> size(text, alias.name());
                case TypeTable.Handle handle -> size(text, handle.name());
                case TypeTable.Function function -> size(text, function.name());
            }
        }
        return text.line("    return 0;").line("}").toString();
    }

    private static void number(Text text, String name) {
        text.line("    printf(\"%s %%lld\\n\", (long long)%s);", name, name);
    }

    private static void size(Text text, String name) {
        text.line("    printf(\"sizeof %s %%zu\\n\", sizeof(%s));", name, name);
    }

    private static void aggregate(Text text, TypeTable.Aggregate aggregate) {
        if (aggregate.fields().isEmpty()) {
            return;
        }
        size(text, aggregate.name());
        for (String declaration : aggregate.fields()) {
            members(text, aggregate.name(), declaration);
        }
    }

    private static void members(Text text, String owner, String declaration) {
        if (declaration.startsWith("union {") && declaration.endsWith("}")) {
            // Without a name of its own: its members are the owner's.
            String inside = declaration.substring(7, declaration.length() - 1);
            for (String member : inside.split(";", -1)) {
                if (!member.isBlank()) {
                    members(text, owner, member.strip());
                }
            }
            return;
        }
        Matcher field = FIELD.matcher(declaration);
        if (!field.matches()) {
            throw new IllegalStateException("no name in " + declaration);
        }
        String member = owner + ", " + field.group(1);
        text.line("    printf(\"%s %%zu\\n\", offsetof(%s));", member, member);
    }
}
