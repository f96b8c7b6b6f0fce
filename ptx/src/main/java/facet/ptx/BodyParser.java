package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of a function (PTX ISA 4.3). */
final class BodyParser {
    private static final int DEEPEST = 100;

    private final Lexer lexer;
    private final DirectiveParser directives;
    private final VariableParser variables;
    private final InstructionParser instructions;
    private final RegisterScopes registers;
    private final Symbols symbols;
    private int instructionCount;
    private int labelCount;

    BodyParser(
            Lexer lexer,
            DirectiveParser directives,
            VariableParser variables,
            InstructionParser instructions,
            RegisterScopes registers,
            Symbols symbols) {
        this.lexer = lexer;
        this.directives = directives;
        this.variables = variables;
        this.instructions = instructions;
        this.registers = registers;
        this.symbols = symbols;
    }

    /** From the opening brace to behind the closing one. */
    List<Statement> body(List<Variable> results, List<Variable> parameters) {
        instructionCount = 0;
        labelCount = 0;
        registers.beginFunction();
        symbols.beginFunction();
        declare(results);
        declare(parameters);
        List<Statement> result = braces(1);
        symbols.endFunction();
        return result;
    }

    /** Parameters in registers come first in the count of registers. */
    private void declare(List<Variable> variables) {
        for (Variable each : variables) {
            symbols.declare(each.name());
            if (each.space() == Space.REG) {
                registers.declare(
                        new Statement.Registers(
                                each.position(),
                                each.type(),
                                each.lanes(),
                                List.of(new Statement.Registers.Name(each.name(), 0))));
            }
        }
    }

    private List<Statement> braces(int depth) {
        if (depth > DEEPEST) {
            throw new PtxException(
                    Kind.SYNTAX, lexer.position(), "the scopes are nested too deeply");
        }
        lexer.expect('{');
        registers.open();
        List<Statement> statements = new ArrayList<>();
        while (!lexer.is('}')) {
            statement(statements, depth);
        }
        registers.close();
        lexer.next();
        return List.copyOf(statements);
    }

    private void statement(List<Statement> statements, int depth) {
        switch (lexer.kind) {
            case Lexer.NAME -> named(statements);
            case '@' -> {
                countInstruction();
                statements.add(instructions.guarded());
            }
            case Lexer.DOTTED -> directive(statements);
            case '{' -> statements.add(new Statement.Scope(braces(depth + 1)));
            case ';' -> lexer.next();
            default -> throw lexer.expected("a statement or '}'");
        }
    }

    private void countInstruction() {
        Limits.check(
                lexer.position(),
                "instructions in a function",
                ++instructionCount,
                Limits.INSTRUCTIONS);
    }

    /** A label or an instruction without guard. */
    private void named(List<Statement> statements) {
        int name = lexer.name;
        Position position = lexer.position();
        lexer.next();
        if (!lexer.is(':')) {
            countInstruction();
            statements.add(instructions.instruction(name, position, null));
            return;
        }
        lexer.next();
        Limits.check(position, "labels in a function", ++labelCount, Limits.LABELS);
        String label = lexer.names.text(name);
        symbols.declare(label);
        @Nullable Statement special =
                lexer.is(Lexer.DOTTED) ? directives.labelled(label, position) : null;
        statements.add(special != null ? special : new Statement.Label(position, label));
    }

    private void directive(List<Statement> statements) {
        Space space = variables.space();
        if (space == Space.REG) {
            Statement.Registers declared = variables.registers();
            registers.declare(declared);
            statements.add(declared);
            return;
        }
        if (space != null) {
            variables(Linkage.NONE, space, statements);
            return;
        }
        switch (lexer.nameText()) {
            case ".loc" -> statements.add(directives.location());
            case ".pragma" -> statements.add(new Statement.Pragma(directives.pragma()));
            case ".extern" -> {
                lexer.next();
                Space external = variables.space();
                if (external == null || external == Space.REG) {
                    throw lexer.expected("a variable");
                }
                variables(Linkage.EXTERN, external, statements);
            }
            default -> throw lexer.expected("a statement or '}'");
        }
    }

    private void variables(Linkage linkage, Space space, List<Statement> statements) {
        variables.variables(
                linkage,
                space,
                variable -> {
                    symbols.declare(variable.name());
                    statements.add(new Statement.Local(variable));
                });
    }
}
