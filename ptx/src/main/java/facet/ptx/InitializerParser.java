package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

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
     * What stands behind {@code =}: braces as the variable has dimensions, the first of which may
     * be open (0), and around each vector.
     */
    List<Initializer> initializers(List<Long> dimensions, int lanes) {
        return dimensions.isEmpty() && lanes == 1
                ? List.of(value())
                : list(dimensions, lanes, DEEPEST);
    }

    private List<Initializer> list(List<Long> dimensions, int lanes, int depth) {
        Position position = lexer.position();
        if (depth == 0) {
            throw new PtxException(Kind.SYNTAX, position, "the initialiser is nested too deeply");
        }
        lexer.expect('{');
        List<Initializer> result =
                dimensions.isEmpty()
                        ? elements(lanes, this::value)
                        : elements(dimensions.getFirst(), () -> element(dimensions, lanes, depth));
        if (dimensions.isEmpty() && result.size() != lanes) {
            throw new PtxException(
                    Kind.INVALID,
                    position,
                    "a vector of " + lanes + " elements has " + result.size() + " initial values");
        }
        return result;
    }

    /** Of an array with these dimensions. */
    private Initializer element(List<Long> dimensions, int lanes, int depth) {
        List<Long> inner = dimensions.subList(1, dimensions.size());
        return inner.isEmpty() && lanes == 1
                ? value()
                : new Initializer.Nested(list(inner, lanes, depth - 1));
    }

    /**
     * Up to the closing brace.
     *
     * @param most 0: any number but none
     */
    private List<Initializer> elements(long most, Supplier<Initializer> element) {
        if (most != 0 && lexer.accept('}')) {
            return List.of();
        }
        List<Initializer> result = new ArrayList<>();
        do {
            if (most != 0 && result.size() == most) {
                throw new PtxException(
                        Kind.INVALID,
                        lexer.position(),
                        "there are more initial values than the " + most + " elements");
            }
            result.add(element.get());
        } while (lexer.accept(','));
        if (!lexer.accept('}')) {
            throw lexer.expected("',' or '}'");
        }
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
        return new Initializer.Address(
                lexer.names.text(name), Extent.address(offset, constants.offset()), generic, mask);
    }
}
