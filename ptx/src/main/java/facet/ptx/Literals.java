package facet.ptx;

/** Integer and floating-point literals (PTX ISA 4.5), read at the lexer's current place. */
final class Literals {
    private Literals() {}

    /** {@code .5} and {@code .5e3}, but not {@code .1d}. */
    static boolean startsFloat(char[] text, int dot) {
        int at = digits(text, dot + 1);
        if (at == dot + 1) {
            return false;
        }
        at = exponent(text, at);
        return !Lexer.isWord(text[at]);
    }

    static void number(Lexer lexer) {
        char[] text = lexer.text;
        int start = lexer.start;
        if (text[start] == '0') {
            switch (text[start + 1]) {
                case 'x', 'X' -> radix(lexer, start + 2, 16);
                case 'b', 'B' -> radix(lexer, start + 2, 2);
                case 'f', 'F' -> bits(lexer, Type.F32, 8);
                case 'd', 'D' -> bits(lexer, Type.F64, 16);
                default -> decimal(lexer);
            }
        } else {
            decimal(lexer);
        }
        if (Lexer.isWord(text[lexer.end])) {
            throw bad(lexer);
        }
    }

    private static PtxException bad(Lexer lexer) {
        int at = lexer.start;
        while (Lexer.isWord(lexer.text[at]) || lexer.text[at] == '.') {
            at++;
        }
        int length = Math.min(at - lexer.start, 60);
        return lexer.malformed(
                lexer.start,
                "malformed number '" + new String(lexer.text, lexer.start, length) + "'");
    }

    private static void decimal(Lexer lexer) {
        char[] text = lexer.text;
        int at = digits(text, lexer.start);
        int whole = at;
        if (text[at] == '.') {
            at = digits(text, at + 1);
        }
        at = exponent(text, at);
        if (at == whole) {
            boolean octal = text[lexer.start] == '0' && whole > lexer.start + 1;
            radix(lexer, lexer.start, octal ? 8 : 10);
            return;
        }
        lexer.end = at;
        lexer.kind = Lexer.FLOAT;
        lexer.type = Type.F64;
        double parsed = Double.parseDouble(new String(text, lexer.start, at - lexer.start));
        lexer.value = Double.doubleToRawLongBits(parsed);
    }

    private static int digits(char[] text, int from) {
        int at = from;
        while (text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }

    /** The end of an exponent at this place, or the place itself. */
    private static int exponent(char[] text, int from) {
        if (text[from] != 'e' && text[from] != 'E') {
            return from;
        }
        int at = from + 1;
        if (text[at] == '+' || text[at] == '-') {
            at++;
        }
        int after = digits(text, at);
        return after == at ? from : after;
    }

    private static void bits(Lexer lexer, Type type, int length) {
        int at = lexer.start + 2;
        long value = 0;
        for (int i = 0; i < length; i++, at++) {
            int digit = Character.digit(lexer.text[at], 16);
            if (digit < 0) {
                throw lexer.malformed(
                        lexer.start,
                        "a literal of this kind has " + length + " hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        lexer.value = value;
        lexer.type = type;
        lexer.kind = Lexer.FLOAT;
        lexer.end = at;
    }

    private static void radix(Lexer lexer, int from, int radix) {
        char[] text = lexer.text;
        long value = 0;
        int at = from;
        for (int digit; (digit = digit(text[at], radix)) >= 0; at++) {
            if (Long.compareUnsigned(value, Long.divideUnsigned(-1L, radix)) > 0
                    || Long.compareUnsigned(value * radix, -1L - digit) > 0) {
                throw lexer.malformed(lexer.start, "the number does not fit into 64 bits");
            }
            value = value * radix + digit;
        }
        if (at == from) {
            throw bad(lexer);
        }
        lexer.unsigned = value < 0;
        if (text[at] == 'U' || text[at] == 'u') {
            lexer.unsigned = true;
            at++;
        }
        lexer.value = value;
        lexer.kind = Lexer.INTEGER;
        lexer.end = at;
    }

    private static int digit(char c, int radix) {
        int digit;
        if (c >= '0' && c <= '9') {
            digit = c - '0';
        } else if (c >= 'a' && c <= 'f') {
            digit = c - 'a' + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = c - 'A' + 10;
        } else {
            return -1;
        }
        return digit < radix ? digit : -1;
    }
}
