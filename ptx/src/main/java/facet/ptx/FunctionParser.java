package facet.ptx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code .entry} and {@code .func} with what stands between name and body (PTX ISA 11.1). */
final class FunctionParser {
    private final Lexer lexer;
    private final ConstantParser constants;
    private final DirectiveParser directives;
    private final VariableParser variables;
    private final BodyParser bodies;
    private final Symbols symbols;

    FunctionParser(
            Lexer lexer,
            ConstantParser constants,
            DirectiveParser directives,
            VariableParser variables,
            BodyParser bodies,
            Symbols symbols) {
        this.lexer = lexer;
        this.constants = constants;
        this.directives = directives;
        this.variables = variables;
        this.bodies = bodies;
        this.symbols = symbols;
    }

    Function function(Linkage linkage) {
        boolean kernel = lexer.isDotted(".entry");
        lexer.next();
        List<Function.Directive> found = new ArrayList<>();
        directives(found);
        List<Variable> results = !kernel && lexer.is('(') ? variables.parameters() : List.of();
        directives(found);
        Position position = lexer.position();
        String name = lexer.expectName("the name of a function");
        symbols.declareInModule(name);
        List<Variable> parameters = lexer.is('(') ? variables.parameters() : List.of();
        directives(found);
        @Nullable List<Statement> body = null;
        if (lexer.is('{')) {
            body = bodies.body(results, parameters);
        } else if (!lexer.accept(';')) {
            throw lexer.expected("'{' or ';'");
        }
        return new Function(
                position, linkage, kernel, name, results, parameters, List.copyOf(found), body);
    }

    private void directives(List<Function.Directive> found) {
        while (lexer.is(Lexer.DOTTED)) {
            String word = lexer.nameText();
            String name = word.substring(1);
            switch (word) {
                case ".pragma" ->
                        found.add(new Function.Directive(name, List.of(), directives.pragma()));
                case ".attribute" -> {
                    // Kept in front of the others, where they are printed.
                    int at = 0;
                    while (at < found.size() && found.get(at).name().equals(name)) {
                        at++;
                    }
                    for (Variable.Attribute each : variables.attributes()) {
                        found.add(
                                at++,
                                new Function.Directive(name, each.values(), List.of(each.name())));
                    }
                }
                case ".noreturn", ".explicitcluster", ".blocksareclusters", ".unique" -> {
                    lexer.next();
                    found.add(new Function.Directive(name, List.of(), List.of()));
                }
                case ".maxntid",
                        ".reqntid",
                        ".minnctapersm",
                        ".maxnctapersm",
                        ".maxnreg",
                        ".reqnctapercluster",
                        ".maxclusterrank",
                        ".abi_preserve",
                        ".abi_preserve_control" ->
                        found.add(new Function.Directive(name, values(), List.of()));
                default -> throw lexer.expected("a directive of a function, '{' or ';'");
            }
        }
    }

    private List<Long> values() {
        lexer.next();
        List<Long> values = new ArrayList<>(3);
        do {
            values.add(constants.integer("a number"));
        } while (lexer.accept(','));
        return List.copyOf(values);
    }
}
