package facet.ptx;

import facet.ptx.PtxException.Kind;

/**
 * Constant expressions (PTX ISA 4.6): 64-bit integers that wrap, signed unless an operand is
 * unsigned, and doubles. Evaluated while read; the IR holds only the value.
 */
final class ConstantParser {
    private static final int DEEPEST = 100;

    /** Weakest level of a binary operator. */
    private static final int OR = 1;

    private static final int MULTIPLY = 10;

    private final Lexer lexer;
    private int depth;

    ConstantParser(Lexer lexer) {
        this.lexer = lexer;
    }

    /** An integer such as a size or an alignment. */
    long integer(String what) {
        Position position = lexer.position();
        Constant value = expression(what);
        if (value.isFloat()) {
            throw new PtxException(
                    Kind.SYNTAX, position, "expected " + what + " but found a float");
        }
        return value.bits();
    }

    /** An integer between two bounds, both allowed. */
    int integer(String what, int least, int most) {
        Position position = lexer.position();
        return within(integer(what), position, what, least, most);
    }

    /** The same where no operator may follow, as in {@code %r<6>}. */
    int literal(String what, int least, int most) {
        Position position = lexer.position();
        return within(literal(what).bits(), position, what, least, most);
    }

    private static int within(long value, Position position, String what, int least, int most) {
        if (value < least || value > most) {
            throw new PtxException(
                    Kind.INVALID,
                    position,
                    what + " is " + value + ", it must lie between " + least + " and " + most);
        }
        return (int) value;
    }

    /** {@code +8-4*2} behind a symbol or register; 0 when nothing is there. */
    long offset() {
        long total = 0;
        while (lexer.is('+') || lexer.is('-')) {
            boolean negative = lexer.is('-');
            lexer.next();
            Position position = lexer.position();
            Constant term = binary("an offset", MULTIPLY);
            if (term.isFloat()) {
                throw new PtxException(Kind.SYNTAX, position, "an offset cannot be a float");
            }
            total = Extent.address(total, negative ? -term.bits() : term.bits());
        }
        return total;
    }

    Constant expression(String what) {
        enter();
        Constant result = choice(binary(what, OR));
        depth--;
        return result;
    }

    /** An expression whose first {@code !} has been read. */
    Constant negated(Position position) {
        Constant first = Evaluate.unary('!', unary("an operand"), position);
        return choice(binary(first, OR));
    }

    private Constant choice(Constant condition) {
        if (lexer.accept('?')) {
            Constant first = expression("an expression");
            lexer.expect(':');
            Constant second = expression("an expression");
            return condition.isTrue() ? first : second;
        }
        return condition;
    }

    private void enter() {
        if (++depth > DEEPEST) {
            throw new PtxException(
                    Kind.SYNTAX, lexer.position(), "the expression is nested too deeply");
        }
    }

    private Constant binary(String what, int weakest) {
        return binary(unary(what), weakest);
    }

    private Constant binary(Constant first, int weakest) {
        Constant left = first;
        for (int level; (level = level(lexer.kind)) >= weakest; ) {
            int operator = lexer.kind;
            Position position = lexer.position();
            lexer.next();
            Constant right = binary("an expression", level + 1);
            left = Evaluate.binary(operator, left, right, position);
        }
        return left;
    }

    private static int level(int operator) {
        return switch (operator) {
            case '|' << 8 | '|' -> OR;
            case '&' << 8 | '&' -> 2;
            case '|' -> 3;
            case '^' -> 4;
            case '&' -> 5;
            case '=' << 8 | '=', '!' << 8 | '=' -> 6;
            case '<', '>', '<' << 8 | '=', '>' << 8 | '=' -> 7;
            case '<' << 8 | '<', '>' << 8 | '>' -> 8;
            case '+', '-' -> 9;
            case '*', '/', '%' -> MULTIPLY;
            default -> 0;
        };
    }

    private Constant unary(String what) {
        enter();
        Position position = lexer.position();
        int operator = lexer.kind;
        Constant result;
        switch (operator) {
            case '+', '-', '!', '~' -> {
                lexer.next();
                result = Evaluate.unary(operator, unary("an expression"), position);
            }
            case '(' -> {
                lexer.next();
                result = lexer.is(Lexer.DOTTED) ? cast() : parenthesis();
            }
            default -> result = literal(what);
        }
        depth--;
        return result;
    }

    private Constant parenthesis() {
        Constant result = expression("an expression");
        lexer.expect(')');
        return result;
    }

    /** {@code (.s64) x} and {@code (.u64) x}. */
    private Constant cast() {
        boolean unsigned = lexer.isDotted(".u64");
        if (!unsigned && !lexer.isDotted(".s64")) {
            throw lexer.expected("'.s64' or '.u64'");
        }
        lexer.next();
        lexer.expect(')');
        Constant value = unary("an expression");
        return Constant.integer(value.isFloat() ? (long) value.number() : value.bits(), unsigned);
    }

    private Constant literal(String what) {
        Constant result;
        if (lexer.is(Lexer.INTEGER)) {
            result = Constant.integer(lexer.value, lexer.unsigned);
        } else if (lexer.is(Lexer.FLOAT)) {
            result = new Constant(lexer.type, lexer.value);
        } else if (lexer.is(Lexer.NAME) && lexer.name == Keywords.WARP_SIZE) {
            result = Constant.integer(32, false);
        } else {
            throw lexer.expected(what);
        }
        lexer.next();
        return result;
    }
}
