package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Declarations of variables, parameters and registers (PTX ISA 5.4). */
final class VariableParser {
    /** No device has more memory than this many bytes. */
    private static final long LARGEST = 1L << 42;

    private static final int LARGEST_ALIGNMENT = 1 << 20;

    private final Lexer lexer;
    private final ConstantParser constants;
    private final InitializerParser initializers;

    // What stands before the names and holds for all of them.
    private int alignment;
    private int lanes;
    private Type type = Type.B32;
    private Variable.@Nullable Pointer pointer;
    private List<Variable.Attribute> attributes = List.of();

    VariableParser(Lexer lexer, ConstantParser constants, InitializerParser initializers) {
        this.lexer = lexer;
        this.constants = constants;
        this.initializers = initializers;
    }

    /** The space that the current word names, if variables can lie in it. */
    @Nullable Space space() {
        if (!lexer.is(Lexer.DOTTED)
                || !(Keywords.suffix(lexer.name) instanceof Space space)
                || space == Space.SREG) {
            return null;
        }
        return space;
    }

    /** {@code .global .align 4 .b32 a, b[2] = {1, 2};} from the space on. */
    void variables(Linkage linkage, Space space, Consumer<Variable> sink) {
        lexer.next();
        prefix(false);
        do {
            sink.accept(declarator(linkage, space));
        } while (lexer.accept(','));
        if (!lexer.is(';')) {
            throw lexer.expected("',' or ';'");
        }
        lexer.next();
    }

    /** {@code (.param .b32 a, .reg .b32 b)}, which may be empty. */
    List<Variable> parameters() {
        lexer.expect('(');
        List<Variable> result = new ArrayList<>();
        if (!lexer.is(')')) {
            do {
                Space space = space();
                if (space != Space.PARAM && space != Space.REG) {
                    throw lexer.expected("'.param' or '.reg'");
                }
                lexer.next();
                prefix(true);
                result.add(declarator(Linkage.NONE, space));
            } while (lexer.accept(','));
        }
        if (!lexer.is(')')) {
            throw lexer.expected("',' or ')'");
        }
        lexer.next();
        return List.copyOf(result);
    }

    /** {@code .reg .v4 .f32 %v, %f<6>;} */
    Statement.Registers registers() {
        Position position = lexer.position();
        lexer.next();
        prefix(false);
        List<Statement.Registers.Name> names = new ArrayList<>();
        do {
            String name = lexer.expectName("the name of a register");
            int count = 0;
            if (lexer.accept('<')) {
                if (!lexer.is(Lexer.INTEGER)) {
                    throw lexer.expected("the number of registers");
                }
                count = constants.literal("the number of registers", 1, RegisterScopes.MOST);
                lexer.expect('>');
            }
            names.add(new Statement.Registers.Name(name, count));
        } while (lexer.accept(','));
        if (!lexer.is(';')) {
            throw lexer.expected("',' or ';'");
        }
        lexer.next();
        return new Statement.Registers(position, type, lanes, List.copyOf(names));
    }

    private void prefix(boolean parameter) {
        alignment = 0;
        lanes = 1;
        pointer = null;
        attributes = List.of();
        @Nullable Type found = null;
        while (lexer.is(Lexer.DOTTED)) {
            String word = lexer.nameText();
            switch (word) {
                case ".align" -> alignment = alignment();
                case ".v2", ".v4", ".v8" -> {
                    lanes = word.charAt(2) - '0';
                    lexer.next();
                }
                case ".attribute" -> attributes = attributes();
                case ".ptr" -> {
                    if (!parameter) {
                        throw lexer.expected("a type");
                    }
                    pointer = pointer();
                }
                default -> {
                    if (found != null || !(Keywords.suffix(lexer.name) instanceof Type written)) {
                        throw lexer.expected(found == null ? "a type" : "a name");
                    }
                    found = written;
                    lexer.next();
                }
            }
        }
        if (found == null) {
            throw lexer.expected("a type");
        }
        type = found;
    }

    static boolean isAlignment(long value) {
        return value >= 1 && value <= LARGEST_ALIGNMENT && Long.bitCount(value) == 1;
    }

    private int alignment() {
        lexer.next();
        Position position = lexer.position();
        int value = constants.integer("an alignment", 1, LARGEST_ALIGNMENT);
        if (!isAlignment(value)) {
            throw new PtxException(
                    Kind.INVALID, position, "the alignment " + value + " is not a power of two");
        }
        return value;
    }

    private Variable.Pointer pointer() {
        lexer.next();
        Space space = space();
        if (space != null) {
            lexer.next();
        }
        return new Variable.Pointer(space, lexer.isDotted(".align") ? alignment() : 0);
    }

    /** {@code .attribute(.managed, .unified(1, 2))}. */
    List<Variable.Attribute> attributes() {
        lexer.next();
        lexer.expect('(');
        List<Variable.Attribute> result = new ArrayList<>();
        do {
            if (!lexer.is(Lexer.DOTTED)) {
                throw lexer.expected("an attribute");
            }
            String name = lexer.nameText().substring(1);
            lexer.next();
            List<Long> values = new ArrayList<>();
            if (lexer.accept('(')) {
                do {
                    values.add(constants.integer("a number"));
                } while (lexer.accept(','));
                lexer.expect(')');
            }
            result.add(new Variable.Attribute(name, List.copyOf(values)));
        } while (lexer.accept(','));
        lexer.expect(')');
        return List.copyOf(result);
    }

    private Variable declarator(Linkage linkage, Space space) {
        Position position = lexer.position();
        String name = lexer.expectName("the name of a variable");
        List<Long> dimensions = lexer.is('[') ? dimensions() : List.of();
        List<Initializer> values = List.of();
        if (lexer.accept('=')) {
            if (type.kind() == Type.Kind.OPAQUE) {
                throw new PtxException(
                        Kind.UNSUPPORTED,
                        lexer.position(),
                        "initial values of samplers and textures");
            }
            values = initializers.initializers(dimensions, lanes);
            dimensions = closed(dimensions, values.size());
        }
        return new Variable(
                position,
                linkage,
                space,
                alignment,
                type,
                lanes,
                name,
                dimensions,
                values,
                pointer,
                attributes);
    }

    /** {@code x[] = {1, 2}}: the size that the initialisers give. */
    private static List<Long> closed(List<Long> dimensions, long size) {
        if (dimensions.isEmpty() || dimensions.getFirst() != 0) {
            return dimensions;
        }
        List<Long> result = new ArrayList<>(dimensions);
        result.set(0, size);
        return List.copyOf(result);
    }

    private List<Long> dimensions() {
        List<Long> result = new ArrayList<>();
        long bytes = Math.max(1, type.bytes(lanes));
        while (lexer.is('[')) {
            lexer.next();
            Position position = lexer.position();
            long size = lexer.is(']') ? 0 : constants.integer("the size of an array");
            boolean open = size == 0 && result.isEmpty();
            if (!open && (size < 1 || size > LARGEST / bytes)) {
                throw new PtxException(
                        Kind.INVALID, position, "an array cannot have the size " + size);
            }
            bytes = Extent.product(open ? 1 : size, bytes);
            lexer.expectBehind(']', "the size of an array");
            result.add(size);
        }
        return List.copyOf(result);
    }
}
