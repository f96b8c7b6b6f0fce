package facet.abi.generate;

import java.io.IOException;
import java.util.List;

/** Classes of numbers for the enums that Java needs. */
final class EnumsJava {
    private EnumsJava() {}

    static void write(TypeTable table, Output java) throws IOException {
        for (TypeTable.Type type : table.types()) {
            if (type instanceof TypeTable.Numbers numbers && !numbers.java().isEmpty()) {
                java.write(numbers.java() + ".java", text(numbers.java(), numbers));
            }
        }
    }

    private static String text(String name, TypeTable.Numbers numbers) {
        Text text = Text.java("abi/tables/types.table");
        text.line("/** The numbers of {@code %s}. */", numbers.name());
        text.line("public final class %s {", name);
        String prefix = commonPrefix(numbers.constants());
        for (TypeTable.Constant constant : numbers.constants()) {
            if (!constant.description().isEmpty()) {
                text.line("    /** %s. */", Names.upperFirst(constant.description()));
            }
            text.line(
                    "    public static final int %s = %s;",
                    constant.name().substring(prefix.length()), constant.value());
        }
        return text.line().line("    private %s() {}", name).line("}").toString();
    }

    private static String commonPrefix(List<TypeTable.Constant> constants) {
        String prefix = constants.getFirst().name();
        for (TypeTable.Constant constant : constants) {
            while (!constant.name().startsWith(prefix)) {
                prefix = prefix.substring(0, prefix.length() - 1);
            }
        }
        return prefix.substring(0, prefix.lastIndexOf('_') + 1);
    }
}
