package facet.ptx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Directives that declare no variable and no function (PTX ISA 11). */
final class DirectiveParser {
    private final Lexer lexer;
    private final ConstantParser constants;
    private final VariableParser variables;

    DirectiveParser(Lexer lexer, ConstantParser constants, VariableParser variables) {
        this.lexer = lexer;
        this.constants = constants;
        this.variables = variables;
    }

    /** {@code .pragma "a", "b";} */
    List<String> pragma() {
        lexer.next();
        List<String> texts = new ArrayList<>();
        do {
            texts.add(lexer.expectString());
        } while (lexer.accept(','));
        lexer.expect(';');
        return List.copyOf(texts);
    }

    /** {@code .loc 1 15 3, function_name $L+4, inlined_at 1 20 5} */
    Statement.Location location() {
        lexer.next();
        int file = number("a file");
        int line = number("a line");
        int column = number("a column");
        if (!lexer.accept(',')) {
            return new Statement.Location(file, line, column, null);
        }
        StringBuilder inlined = new StringBuilder();
        do {
            inlined.append(inlined.isEmpty() ? "" : ", ").append(inlinedPart());
        } while (lexer.accept(','));
        return new Statement.Location(file, line, column, inlined.toString());
    }

    private String inlinedPart() {
        Position position = lexer.position();
        String word = lexer.expectName("'function_name' or 'inlined_at'");
        return switch (word) {
            case "function_name" -> {
                String label = lexer.is(Lexer.DOTTED) ? dotted() : lexer.expectName("a label");
                long offset = constants.offset();
                yield word + " " + label + (offset == 0 ? "" : "+" + offset);
            }
            case "inlined_at" ->
                    word
                            + " "
                            + number("a file")
                            + " "
                            + number("a line")
                            + " "
                            + number("a column");
            default ->
                    throw new PtxException(
                            PtxException.Kind.SYNTAX,
                            position,
                            "expected 'function_name' or 'inlined_at' but found '" + word + "'");
        };
    }

    private String dotted() {
        String text = lexer.nameText();
        lexer.next();
        return text;
    }

    private int number(String what) {
        if (!lexer.is(Lexer.INTEGER)) {
            throw lexer.expected("the number of " + what);
        }
        return constants.literal("the number of " + what, 0, Integer.MAX_VALUE);
    }

    /** {@code .file 1 "a.cu", 1700000000, 512} */
    Declaration.File file() {
        lexer.next();
        int index = number("a file");
        String name = lexer.expectString();
        List<Long> stamps = new ArrayList<>();
        while (lexer.accept(',')) {
            stamps.add(constants.integer("a time stamp or size"));
        }
        return new Declaration.File(index, name, List.copyOf(stamps));
    }

    /** {@code .section .debug_info { … }} */
    Declaration.Section section() {
        lexer.next();
        if (!lexer.is(Lexer.DOTTED)) {
            throw lexer.expected("the name of a section");
        }
        String name = dotted();
        String content = lexer.rawBlock();
        lexer.next();
        return new Declaration.Section(name, content);
    }

    /** {@code .alias name, target;} */
    Declaration.Alias alias() {
        Position position = lexer.position();
        lexer.next();
        String name = lexer.expectName("the name of a function");
        lexer.expect(',');
        String target = lexer.expectName("the name of a function");
        lexer.expect(';');
        return new Declaration.Alias(position, name, target);
    }

    /** What only stands behind a label; null when it is something else. */
    @Nullable Statement labelled(String label, Position position) {
        return switch (lexer.nameText()) {
            case ".callprototype" -> prototype(label, position);
            case ".branchtargets", ".calltargets" -> {
                boolean branches = lexer.isDotted(".branchtargets");
                List<String> names = new ArrayList<>();
                do {
                    lexer.next();
                    names.add(target());
                } while (lexer.is(','));
                lexer.expect(';');
                yield new Statement.Targets(position, label, branches, List.copyOf(names));
            }
            default -> null;
        };
    }

    private String target() {
        return lexer.expectName("a target");
    }

    private Statement.Prototype prototype(String label, Position position) {
        lexer.next();
        List<Variable> results = lexer.is('(') ? variables.parameters() : List.of();
        if (!lexer.is(Lexer.NAME)) {
            throw lexer.expected("'_'");
        }
        lexer.next();
        List<Variable> parameters = lexer.is('(') ? variables.parameters() : List.of();
        boolean noReturn = lexer.isDotted(".noreturn");
        if (noReturn) {
            lexer.next();
        }
        lexer.expect(';');
        return new Statement.Prototype(position, label, results, parameters, noReturn);
    }
}
