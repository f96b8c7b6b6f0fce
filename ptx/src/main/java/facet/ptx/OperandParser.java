package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operands (PTX ISA 6). */
final class OperandParser {
    private static final int DEEPEST = 8;
    private static final Operand.Sink SINK = new Operand.Sink();

    private final Lexer lexer;
    private final ConstantParser constants;
    private final RegisterScopes registers;
    private final Symbols symbols;
    private int depth;

    OperandParser(
            Lexer lexer, ConstantParser constants, RegisterScopes registers, Symbols symbols) {
        this.lexer = lexer;
        this.constants = constants;
        this.registers = registers;
        this.symbols = symbols;
    }

    /** The register that a guard or a negation names. */
    Register predicate() {
        Position position = lexer.position();
        if (!lexer.is(Lexer.NAME)) {
            throw lexer.expected("a predicate register");
        }
        int name = lexer.name;
        Register register = registers.find(name);
        if (register == null) {
            throw symbols.undeclared(name, position);
        }
        lexer.next();
        return register;
    }

    /**
     * @param jumps of an instruction that names labels or functions, which may stand further down
     */
    Operand operand(boolean jumps) {
        Operand first =
                switch (lexer.kind) {
                    case Lexer.NAME -> named(jumps);
                    case Lexer.INTEGER, Lexer.FLOAT -> literal();
                    case '[' -> bracket();
                    case '{' -> new Operand.Vector(list('{', '}', jumps));
                    case '!' -> negated();
                    default -> constants.expression("an operand").operand();
                };
        if (lexer.is('|')) {
            lexer.next();
            Operand second = lexer.is(Lexer.NAME) ? named(false) : null;
            if (second == null) {
                throw lexer.expected("a register");
            }
            return new Operand.PredicatePair(first, second);
        }
        return first;
    }

    private Operand literal() {
        return constants.expression("an operand").operand();
    }

    private Operand negated() {
        Position position = lexer.position();
        lexer.next();
        if (lexer.is(Lexer.NAME) && lexer.name != Keywords.WARP_SIZE) {
            return new Operand.NotPredicate(predicate());
        }
        return constants.negated(position).operand();
    }

    /** The operands between two delimiters, which may be none. */
    List<Operand> list(char open, char close, boolean jumps) {
        lexer.expect(open);
        if (lexer.accept(close)) {
            return List.of();
        }
        if (++depth > DEEPEST) {
            throw new PtxException(
                    Kind.SYNTAX, lexer.position(), "the operand is nested too deeply");
        }
        List<Operand> elements = new ArrayList<>();
        do {
            elements.add(operand(jumps));
        } while (lexer.accept(','));
        if (!lexer.is(close)) {
            throw lexer.expected("',' or '" + close + "'");
        }
        lexer.next();
        depth--;
        return List.copyOf(elements);
    }

    private Operand named(boolean jumps) {
        int name = lexer.name;
        Register register = registers.find(name);
        if (register != null) {
            lexer.next();
            return lexer.is(Lexer.DOTTED) ? element(register) : register;
        }
        if (name == Keywords.SINK) {
            lexer.next();
            return SINK;
        }
        if (name == Keywords.WARP_SIZE) {
            return literal();
        }
        Operand.Special special = Keywords.special(name);
        if (special != null) {
            lexer.next();
            return lexer.is(Lexer.DOTTED) ? component(special) : special;
        }
        symbol(jumps);
        String text = lexer.nameText();
        lexer.next();
        return new Operand.Symbol(text, constants.offset());
    }

    private void symbol(boolean jumps) {
        if (jumps) {
            return;
        }
        if (lexer.text[lexer.start] == '%' && !symbols.isDeclared(lexer.name)) {
            throw symbols.undeclared(lexer.name, lexer.position());
        }
        if (!symbols.isDeclared(lexer.name)) {
            symbols.use(lexer.name, lexer.position());
        }
    }

    private Operand element(Register register) {
        int lane = lane(lexer.nameText());
        if (lane < 0) {
            throw new PtxException(
                    Kind.UNSUPPORTED,
                    lexer.position(),
                    "selector '" + lexer.nameText() + "' of a register");
        }
        if (lane >= register.lanes()) {
            throw new PtxException(
                    Kind.INVALID,
                    lexer.position(),
                    "register '" + register.name() + "' has no element '" + lexer.nameText() + "'");
        }
        lexer.next();
        return new Operand.Element(register, lane);
    }

    private Operand component(Operand.Special special) {
        int lane = lane(lexer.nameText());
        if (lane < 0 || !special.register().isVector()) {
            throw new PtxException(
                    Kind.INVALID,
                    lexer.position(),
                    special.register().text() + " has no component '" + lexer.nameText() + "'");
        }
        lexer.next();
        return new Operand.Special(special.register(), lane);
    }

    private static int lane(String text) {
        return switch (text) {
            case ".x", ".r" -> 0;
            case ".y", ".g" -> 1;
            case ".z", ".b" -> 2;
            case ".w", ".a" -> 3;
            default -> -1;
        };
    }

    /** {@code [base+offset]}, or the list of a texture or bulk instruction. */
    private Operand bracket() {
        lexer.expect('[');
        Operand.Address first = address();
        if (!lexer.is(',')) {
            lexer.expectBehind(']', "an address");
            return first;
        }
        List<Operand> elements = new ArrayList<>();
        elements.add(simple(first));
        while (lexer.accept(',')) {
            elements.add(lexer.is(Lexer.NAME) ? simple(address()) : operand(false));
        }
        lexer.expectBehind(']', "the list");
        return new Operand.Indexed(List.copyOf(elements));
    }

    /** Inside a list only a base with an offset needs to be an address. */
    private static Operand simple(Operand.Address address) {
        Operand base = address.base();
        return base != null && address.offset() == 0 ? base : address;
    }

    private Operand.Address address() {
        @Nullable Operand base = null;
        long offset;
        if (lexer.is(Lexer.NAME) && lexer.name != Keywords.WARP_SIZE) {
            Position position = lexer.position();
            base = named(false);
            offset = 0;
            if (base instanceof Operand.Symbol symbol) {
                offset = symbol.offset();
                base = offset == 0 ? symbol : new Operand.Symbol(symbol.name(), 0);
            } else if (!(base instanceof Register) && !(base instanceof Operand.Element)) {
                throw new PtxException(
                        Kind.SYNTAX, position, "expected a register or symbol as address");
            }
            offset = Extent.address(offset, constants.offset());
        } else {
            offset = constants.integer("an address");
        }
        return new Operand.Address(base, offset);
    }
}
