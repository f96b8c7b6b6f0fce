package facet.node.link;

/**
 * A piece of PTX text.
 *
 * @param start offset of its first character
 * @param end offset behind its last one
 */
record Token(Kind kind, int start, int end) {
    /** What matters for finding declarations. */
    enum Kind {
        /** {@code .func}; the dot is part of it. */
        DIRECTIVE,
        /** A name, an opcode, a register. */
        NAME,
        /** A number, or a string. */
        VALUE,
        /** Any other character. */
        SIGN
    }

    String in(String text) {
        return text.substring(start, end);
    }

    boolean is(String text, char sign) {
        return kind == Kind.SIGN && text.charAt(start) == sign;
    }
}
