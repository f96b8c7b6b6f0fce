package facet.node.link;

import java.util.ArrayList;
import java.util.List;

/** Cuts PTX text into tokens; blanks and comments are left out. */
final class Tokens {
    private Tokens() {}

    static List<Token> of(String text) throws LinkException {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char first = text.charAt(at);
            int start = at;
            if (Character.isWhitespace(first)) {
                at++;
            } else if (text.startsWith("//", at)) {
                at = endOfLine(text, at);
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw new LinkException("a comment has no end");
                }
                at = end + 2;
            } else if (first == '"') {
                at = endOfString(text, at);
                tokens.add(new Token(Token.Kind.VALUE, start, at));
            } else if (first == '.' && at + 1 < text.length() && isNameStart(text.charAt(at + 1))) {
                at = endOfName(text, at + 1);
                tokens.add(new Token(Token.Kind.DIRECTIVE, start, at));
            } else if (isNameStart(first)) {
                at = endOfName(text, at);
                tokens.add(new Token(Token.Kind.NAME, start, at));
            } else if (Character.isDigit(first)) {
                at = endOfName(text, at);
                tokens.add(new Token(Token.Kind.VALUE, start, at));
            } else {
                at++;
                tokens.add(new Token(Token.Kind.SIGN, start, at));
            }
        }
        return tokens;
    }

    static int endOfLine(String text, int at) {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private static int endOfString(String text, int at) throws LinkException {
        for (int i = at + 1; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '\\') {
                i++;
            } else if (each == '"') {
                return i + 1;
            }
        }
        throw new LinkException("a string has no end");
    }

    private static boolean isNameStart(char each) {
        return each >= 'a' && each <= 'z'
                || each >= 'A' && each <= 'Z'
                || each == '_'
                || each == '$'
                || each == '%';
    }

    private static int endOfName(String text, int at) {
        int end = at;
        while (end < text.length()
                && (isNameStart(text.charAt(end)) || Character.isDigit(text.charAt(end)))) {
            end++;
        }
        return end;
    }
}
