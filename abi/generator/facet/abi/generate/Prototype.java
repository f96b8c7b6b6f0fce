package facet.abi.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A function as C declares it, with the marks of the tables: {@code int f(out int *value)}. */
record Prototype(String result, String name, List<Parameter> parameters) {

    enum Direction {
        IN,
        /** Answered through; refused when it is NULL. */
        OUT,
        /** Answered through unless it is NULL. */
        OPTIONAL_OUT
    }

    /**
     * @param declaration with its name
     */
    record Parameter(Direction direction, String declaration, String name) {}

    private static final Pattern FUNCTION = Pattern.compile("(.*?)(\\w+)\\s*\\((.*)\\)");
    private static final Pattern PARAMETER =
            Pattern.compile("(?:(in|out|out\\?|inout) )?(.*?(\\w+)(?:\\[\\w*])?)");

    static Prototype parse(Table.Line line, String text) {
        Matcher function = FUNCTION.matcher(text);
        if (!function.matches() || function.group(1).isBlank()) {
            throw line.error("not a prototype: " + text);
        }
        List<Parameter> parameters = new ArrayList<>();
        if (!function.group(3).equals("void")) {
            for (String each : function.group(3).split(",", -1)) {
                parameters.add(parameter(line, each.strip()));
            }
        }
        return new Prototype(function.group(1).strip(), function.group(2), parameters);
    }

    private static Parameter parameter(Table.Line line, String text) {
        Matcher matcher = PARAMETER.matcher(text);
        if (!matcher.matches() || matcher.group(2).equals(matcher.group(3))) {
            throw line.error("a parameter has a type and a name: " + text);
        }
        String mark = matcher.group(1);
        Direction direction =
                switch (mark == null ? "in" : mark) {
                    case "out", "inout" -> Direction.OUT;
                    case "out?" -> Direction.OPTIONAL_OUT;
                    default -> Direction.IN;
                };
        if (direction != Direction.IN && !matcher.group(2).contains("*")) {
            throw line.error("only a pointer can be answered through: " + text);
        }
        return new Parameter(direction, matcher.group(2), matcher.group(3));
    }

    /**
     * As a declaration of a function of another name, perhaps with a parameter before the others.
     */
    String declaration(String otherName, String... before) {
        String all =
                Stream.concat(Stream.of(before), parameters.stream().map(Parameter::declaration))
                        .collect(Collectors.joining(", "));
        return declared(otherName) + "(" + (all.isEmpty() ? "void" : all) + ")";
    }

    /** A variable of the type of the result. */
    String declared(String variable) {
        return result + (result.endsWith("*") ? "" : " ") + variable;
    }

    /** A call of another function with the parameters of this one. */
    String call(String otherName, String... before) {
        return otherName
                + Stream.concat(Stream.of(before), parameters.stream().map(Parameter::name))
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
