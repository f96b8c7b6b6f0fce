package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PTX text to {@link Module}, ISA versions up to 9.0.
 *
 * <p>Recursive descent, one token ahead. Constant expressions are evaluated, registers resolved to
 * their declaration. Types of operands and the forms of instructions are the verifier's business.
 */
public final class Parser {
    private static final Set<String> FIRST_GENERATION = Set.of("sm_10", "sm_11", "sm_12", "sm_13");

    private final Lexer lexer;
    private final DirectiveParser directives;
    private final VariableParser variables;
    private final InstructionParser instructions;
    private final FunctionParser functions;
    private final Symbols symbols;
    private final List<Declaration> declarations = new ArrayList<>();
    private int functionCount;
    private int variableCount;

    private Parser(String text) {
        lexer = new Lexer(text);
        symbols = new Symbols(lexer.names);
        ConstantParser constants = new ConstantParser(lexer);
        variables =
                new VariableParser(
                        lexer, constants, new InitializerParser(lexer, constants, symbols));
        directives = new DirectiveParser(lexer, constants, variables);
        RegisterScopes registers = new RegisterScopes(lexer.names, text.length());
        instructions =
                new InstructionParser(
                        lexer, new OperandParser(lexer, constants, registers, symbols));
        BodyParser bodies =
                new BodyParser(lexer, directives, variables, instructions, registers, symbols);
        functions = new FunctionParser(lexer, constants, directives, variables, bodies, symbols);
    }

    /**
     * @throws PtxException with line and column, when the text is not PTX ({@code SYNTAX}), breaks
     *     a rule ({@code INVALID}) or uses what the IR does not know ({@code UNSUPPORTED})
     */
    public static Module parse(String text) {
        Limits.check(new Position(1, 1), "characters of text", text.length(), Limits.TEXT);
        return new Parser(text).module();
    }

    private Module module() {
        int version = version();
        List<String> targets = targets();
        instructions.firstGeneration(FIRST_GENERATION.contains(targets.getFirst()));
        int addressSize = addressSize();
        while (!lexer.is(Lexer.END)) {
            declaration();
        }
        symbols.endModule();
        return new Module(version, targets, addressSize, List.copyOf(declarations));
    }

    /** {@code .version 9.0} */
    private int version() {
        if (!lexer.isDotted(".version")) {
            throw lexer.expected("'.version'");
        }
        lexer.next();
        double number = lexer.is(Lexer.FLOAT) ? Double.longBitsToDouble(lexer.value) : -1;
        if (lexer.end - lexer.start != 3 || number < 1 || number >= 10) {
            throw lexer.expected("a version such as 9.0");
        }
        lexer.next();
        return (int) Math.round(number * 10);
    }

    /** {@code .target sm_90a, debug} */
    private List<String> targets() {
        if (!lexer.isDotted(".target")) {
            throw lexer.expected("'.target'");
        }
        List<String> result = new ArrayList<>();
        do {
            lexer.next();
            Position position = lexer.position();
            result.add(lexer.expectName("a target such as sm_75"));
            if (!Verifier.isArchitecture(result.getFirst())) {
                throw new PtxException(
                        PtxException.Kind.INVALID,
                        position,
                        ".target must begin with an architecture such as sm_80, not "
                                + result.getFirst());
            }
        } while (lexer.is(','));
        return List.copyOf(result);
    }

    /** The ISA says 32 where none is written; no device that Facet serves has such addresses. */
    private int addressSize() {
        if (!lexer.isDotted(".address_size")) {
            return 64;
        }
        Position position = lexer.position();
        lexer.next();
        if (!lexer.is(Lexer.INTEGER) || lexer.value != 32 && lexer.value != 64) {
            throw lexer.expected("32 or 64");
        }
        int result = (int) lexer.value;
        if (result != 64) {
            throw new PtxException(
                    PtxException.Kind.UNSUPPORTED,
                    position,
                    "addresses of 32 bits are not supported; compile with -m64");
        }
        lexer.next();
        return result;
    }

    private void declaration() {
        if (!lexer.is(Lexer.DOTTED)) {
            if (lexer.accept(';')) {
                return;
            }
            throw lexer.expected("a declaration");
        }
        switch (lexer.nameText()) {
            case ".file" -> declarations.add(directives.file());
            case ".section" -> declarations.add(directives.section());
            case ".pragma" -> declarations.add(new Declaration.Pragma(directives.pragma()));
            case ".alias" -> {
                Declaration.Alias alias = directives.alias();
                symbols.declareInModule(alias.name());
                declarations.add(alias);
            }
            default -> linked();
        }
    }

    /** A function or variable, perhaps with linkage. */
    private void linked() {
        Linkage linkage = linkage();
        if (linkage != Linkage.NONE) {
            lexer.next();
        }
        if (lexer.isDotted(".func") || lexer.isDotted(".entry")) {
            Limits.check(lexer.position(), "functions", ++functionCount, Limits.FUNCTIONS);
            declarations.add(functions.function(linkage));
            return;
        }
        @Nullable Space space = variables.space();
        if (space == null) {
            throw lexer.expected(
                    linkage == Linkage.NONE ? "a declaration" : "a function or variable");
        }
        if (space == Space.REG || space == Space.LOCAL) {
            throw new PtxException(
                    Kind.INVALID,
                    lexer.position(),
                    "a variable in '." + space.text() + "' must stand in a function");
        }
        variables.variables(
                linkage,
                space,
                variable -> {
                    Limits.check(
                            variable.position(), "variables", ++variableCount, Limits.VARIABLES);
                    symbols.declareInModule(variable.name());
                    declarations.add(new Declaration.Global(variable));
                });
    }

    private Linkage linkage() {
        if (lexer.is(Lexer.DOTTED)) {
            for (Linkage each : Linkage.values()) {
                if (each != Linkage.NONE && lexer.nameText().equals(each.text())) {
                    return each;
                }
            }
        }
        return Linkage.NONE;
    }
}
