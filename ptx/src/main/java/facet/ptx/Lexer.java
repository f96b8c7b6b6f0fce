package facet.ptx;

import facet.ptx.PtxException.Kind;

/**
 * Cuts the text into tokens (PTX ISA 4.2 to 4.5); the current one lies in the fields.
 *
 * <p>A dotted word is one token with all its {@code ::} parts ({@code .L2::128B}). Punctuation has
 * its character as kind, pairs such as {@code <<} have {@link #pair}.
 */
final class Lexer {
    static final int END = 0;
    static final int NAME = 1;
    static final int DOTTED = 2;
    static final int INTEGER = 3;
    static final int FLOAT = 4;
    static final int STRING = 5;

    final Names names = Keywords.names();
    final char[] text;

    int kind;

    /** The token is {@code text[start, end)}. */
    int start;

    int end;

    /** Number in {@link #names} of a name or a dotted word. */
    int name;

    /** An integer, or the bits of a float. */
    long value;

    /** Of an integer: it has a U, or needs all 64 bits. */
    boolean unsigned;

    /** Of a float: F32 when written {@code 0f…}. */
    Type type = Type.F64;

    private int line = 1;
    private int lineStart;

    Lexer(String source) {
        text = new char[source.length() + 1];
        source.getChars(0, source.length(), text, 0);
        next();
    }

    static int pair(char first, char second) {
        return first << 8 | second;
    }

    Position position() {
        return new Position(line, start - lineStart + 1);
    }

    boolean is(int wanted) {
        return kind == wanted;
    }

    boolean accept(int wanted) {
        if (kind == wanted) {
            next();
            return true;
        }
        return false;
    }

    void expect(char wanted) {
        if (kind != wanted) {
            throw expected("'" + wanted + "'");
        }
        next();
    }

    void expectBehind(char wanted, String what) {
        if (kind != wanted) {
            throw expected("'" + wanted + "' behind " + what);
        }
        next();
    }

    String nameText() {
        return names.text(name);
    }

    /** Whether the token is this dotted word. */
    boolean isDotted(String word) {
        return kind == DOTTED && names.text(name).equals(word);
    }

    String expectName(String what) {
        if (kind != NAME) {
            throw expected(what);
        }
        String result = nameText();
        next();
        return result;
    }

    String expectString() {
        if (kind != STRING) {
            throw expected("a string");
        }
        String result = new String(text, start + 1, end - start - 2);
        next();
        return result;
    }

    PtxException expected(String what) {
        return new PtxException(
                Kind.SYNTAX, position(), "expected " + what + " but found " + describe());
    }

    private String describe() {
        if (kind == END) {
            return "the end of the text";
        }
        int length = Math.min(end - start, 60);
        return "'" + new String(text, start, length) + (length < end - start ? "…'" : "'");
    }

    PtxException malformed(int at, String message) {
        return new PtxException(Kind.SYNTAX, new Position(line, at - lineStart + 1), message);
    }

    void next() {
        Work.step();
        skipBlanks();
        start = end;
        char c = text[start];
        if (isWordStart(c)) {
            end = wordEnd(start + 1);
            Limits.check(position(), "characters in a name", end - start, Limits.NAME);
            name = names.intern(text, start, end);
            kind = NAME;
        } else if (c >= '0' && c <= '9') {
            Literals.number(this);
        } else if (c == '.') {
            dotted();
        } else if (c == '"') {
            string();
        } else if (c == 0) {
            kind = END;
        } else {
            punctuation(c);
        }
    }

    private void dotted() {
        int after = wordEnd(start + 1);
        boolean behindWord = start > 0 && isWord(text[start - 1]);
        if (!behindWord && Literals.startsFloat(text, start)) {
            Literals.number(this);
            return;
        }
        if (after == start + 1) {
            throw malformed(start, "expected a word behind '.'");
        }
        while (text[after] == ':' && text[after + 1] == ':' && isWord(text[after + 2])) {
            after = wordEnd(after + 2);
        }
        end = after;
        name = names.intern(text, start, end);
        kind = DOTTED;
    }

    private void string() {
        int at = start + 1;
        while (text[at] != '"') {
            if (text[at] == 0 || text[at] == '\n') {
                throw malformed(start, "the string does not end on its line");
            }
            at++;
        }
        end = at + 1;
        kind = STRING;
    }

    private void punctuation(char c) {
        char second = text[start + 1];
        boolean pairs =
                switch (c) {
                    case '<', '>' -> second == c || second == '=';
                    case '=', '!' -> second == '=';
                    case '&', '|' -> second == c;
                    case '+', '-', '*', '/', '%', '~', '^', '?', ':', ';', ',', '@' -> false;
                    case '(', ')', '[', ']', '{', '}' -> false;
                    default ->
                            throw malformed(
                                    start,
                                    c > ' ' && c < 127
                                            ? "unexpected character '" + c + "'"
                                            : "unexpected character U+"
                                                    + Integer.toHexString(0x10000 | c)
                                                            .substring(1));
                };
        kind = pairs ? pair(c, second) : c;
        end = pairs ? start + 2 : start + 1;
    }

    private void skipBlanks() {
        int at = end;
        while (true) {
            char c = text[at];
            if (c == '\n') {
                at++;
                line++;
                lineStart = at;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0x0B) {
                at++;
            } else if (c == '/' && text[at + 1] == '/') {
                while (text[at] != '\n' && text[at] != 0) {
                    at++;
                }
            } else if (c == '/' && text[at + 1] == '*') {
                at = skipComment(at);
            } else {
                end = at;
                return;
            }
        }
    }

    private int skipComment(int from) {
        int at = from + 2;
        int openLine = line;
        int column = from - lineStart + 1;
        while (text[at] != '*' || text[at + 1] != '/') {
            if (text[at] == 0) {
                throw new PtxException(
                        Kind.SYNTAX, new Position(openLine, column), "the comment does not end");
            }
            if (text[at++] == '\n') {
                line++;
                lineStart = at;
            }
        }
        return at + 2;
    }

    /**
     * The text between the current opening brace and the next closing brace outside comments and
     * strings, which becomes the current token.
     */
    String rawBlock() {
        if (kind != '{') {
            throw expected("'{'");
        }
        int from = end;
        do {
            next();
            if (kind == END) {
                throw expected("'}'");
            }
        } while (kind != '}');
        return new String(text, from, start - from);
    }

    private int wordEnd(int from) {
        int at = from;
        while (isWord(text[at])) {
            at++;
        }
        return at;
    }

    static boolean isWord(char c) {
        return c >= 'a' && c <= 'z'
                || c >= '0' && c <= '9'
                || c >= 'A' && c <= 'Z'
                || c == '_'
                || c == '$';
    }

    private boolean isWordStart(char c) {
        return c >= 'a' && c <= 'z'
                || c == '%' && isWord(text[start + 1])
                || c >= 'A' && c <= 'Z'
                || c == '_'
                || c == '$';
    }
}
