package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;

/** Values of variables (PTX ISA 5.4.4). */
final class InitializerParser {
    private static final int DEEPEST = 32;

    private final Lexer lexer;
    private final ConstantParser constants;
    private final Symbols symbols;

    InitializerParser(Lexer lexer, ConstantParser constants, Symbols symbols) {
        this.lexer = lexer;
        this.constants = constants;
        this.symbols = symbols;
    }

    /**
     * What stands behind {@code =}.
     *
     * @param list of an array or vector: braces are needed
     * @param most values that the variable holds
     */
    List<Initializer> initializers(boolean list, long most) {
        if (list && !lexer.is('{')) {
            throw lexer.expected("'{'");
        }
        return lexer.is('{') ? braces(0, most) : List.of(value());
    }

    private List<Initializer> braces(int depth, long most) {
        if (depth == DEEPEST) {
            throw new PtxException(
                    Kind.SYNTAX, lexer.position(), "the initialiser is nested too deeply");
        }
        lexer.expect('{');
        if (lexer.accept('}')) {
            return List.of();
        }
        List<Initializer> result = new ArrayList<>();
        do {
            if (result.size() >= most) {
                throw new PtxException(
                        Kind.INVALID,
                        lexer.position(),
                        "there are more initial values than the " + most + " elements");
            }
            result.add(lexer.is('{') ? new Initializer.Nested(braces(depth + 1, most)) : value());
        } while (lexer.accept(','));
        if (!lexer.is('}')) {
            throw lexer.expected("',' or '}'");
        }
        lexer.next();
        return List.copyOf(result);
    }

    private Initializer value() {
        if (lexer.is(Lexer.NAME) && lexer.name != Keywords.WARP_SIZE) {
            return address(0);
        }
        Position position = lexer.position();
        Constant value = constants.expression("a value");
        if (value.isFloat()) {
            return new Initializer.FloatValue(value.kind(), value.bits());
        }
        if (!lexer.is('(')) {
            return new Initializer.IntegerValue(value.bits());
        }
        if (value.bits() == 0) {
            throw new PtxException(Kind.INVALID, position, "the mask of an address cannot be zero");
        }
        lexer.next();
        Initializer.Address inner = address(value.bits());
        lexer.expect(')');
        return inner.plus(constants.offset());
    }

    /** {@code sym+8}, {@code generic(sym)+8}, {@code generic(sym+8)}. */
    private Initializer.Address address(long mask) {
        if (!lexer.is(Lexer.NAME)) {
            throw lexer.expected("a symbol");
        }
        int name = lexer.name;
        Position position = lexer.position();
        lexer.next();
        boolean generic = name == Keywords.GENERIC && lexer.accept('(');
        long offset = 0;
        if (generic) {
            if (!lexer.is(Lexer.NAME)) {
                throw lexer.expected("a symbol");
            }
            name = lexer.name;
            position = lexer.position();
            lexer.next();
            offset = constants.offset();
            lexer.expect(')');
        }
        symbols.use(name, position);
        if (lexer.is('=')) {
            throw new PtxException(
                    Kind.UNSUPPORTED, position, "initial values of samplers and textures");
        }
        return new Initializer.Address(
                lexer.names.text(name), offset + constants.offset(), generic, mask);
    }
}
