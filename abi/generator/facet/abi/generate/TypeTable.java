package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * types.table, nvml-types.table: what the signatures of an API are made of, in an order that C
 * accepts.
 */
record TypeTable(String file, List<Type> types) {

    sealed interface Type {}

    record Handle(String name, String struct) implements Type {}

    record Alias(String name, String target) implements Type {}

    record Define(String name, String text) implements Type {}

    record Function(String name, String result, String parameters) implements Type {}

    /**
     * @param name "" when the constants have no type of their own
     * @param java name of the class, "" when Java does not need them
     */
    record Numbers(String name, String java, List<Constant> constants) implements Type {}

    record Constant(String name, String value, String description) {}

    /**
     * @param keyword struct or union; fields are declarations of C; none: an incomplete type
     */
    record Aggregate(String keyword, String name, List<String> fields) implements Type {}

    static TypeTable read(Path file) throws IOException {
        List<Type> types = new ArrayList<>();
        List<Constant> constants = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        for (Table.Line line : Table.read(file).lines()) {
            if (line.indented()) {
                switch (types.isEmpty() ? new Handle("", "") : types.getLast()) {
                    case Numbers _ -> constants.add(constant(line));
                    case Aggregate _ -> fields.add(line.text());
                    case Handle _, Alias _, Define _, Function _ ->
                            throw line.error("an indented line belongs to an enum or a struct");
                }
                continue;
            }
            constants = new ArrayList<>();
            fields = new ArrayList<>();
            types.add(type(line, constants, fields));
        }
        return new TypeTable("abi/tables/" + file.getFileName(), List.copyOf(types));
    }

    private static Type type(Table.Line line, List<Constant> constants, List<String> fields) {
        String kind = line.word(0, "what it is");
        if (kind.equals("constants")) {
            return new Numbers("", "", constants);
        }
        String name = line.word(1, "a name");
        return switch (kind) {
            case "handle" -> new Handle(name, line.word(2, "the struct"));
            case "number" -> new Alias(name, line.textAfter(2));
            case "define" -> new Define(name, line.textAfter(2));
            case "function" -> function(line, name);
            case "enum" -> new Numbers(name, javaName(line), constants);
            case "struct", "union" -> new Aggregate(kind, name, fields);
            default ->
                    throw line.error(
                            "a type is a handle, number, define, function, enum, struct or union, not "
                                    + kind);
        };
    }

    private static String javaName(Table.Line line) {
        String option = line.textAfter(2);
        if (!option.isEmpty() && !option.startsWith("java=")) {
            throw line.error("an enum can have java=<class>, not " + option);
        }
        return option.isEmpty() ? "" : option.substring("java=".length());
    }

    private static Function function(Table.Line line, String name) {
        String signature = line.textAfter(2);
        int parenthesis = signature.indexOf('(');
        if (parenthesis < 0) {
            throw line.error("a function is: function NAME result (parameters)");
        }
        return new Function(
                name,
                signature.substring(0, parenthesis).strip(),
                signature.substring(parenthesis));
    }

    private static Constant constant(Table.Line line) {
        line.word(1, "the value");
        return new Constant(line.words().get(0), line.words().get(1), line.textAfter(2));
    }

    Numbers numbers(String name) {
        for (Type type : types) {
            if (type instanceof Numbers numbers && numbers.name().equals(name)) {
                return numbers;
            }
        }
        throw new IllegalStateException(file + " has no enum " + name);
    }
}
