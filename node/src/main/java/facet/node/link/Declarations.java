package facet.node.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds where the declarations of a text begin and end. */
final class Declarations {
    private static final Set<String> HEADERS = Set.of(".version", ".target", ".address_size");
    private static final Set<String> SPACES =
            Set.of(".global", ".const", ".shared", ".local", ".tex", ".texref");

    private final String text;
    private final List<Token> tokens;
    private final List<Declared> found = new ArrayList<>();

    private Declarations(String text, List<Token> tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    static List<Declared> of(String text, List<Token> tokens) throws LinkException {
        Declarations declarations = new Declarations(text, tokens);
        int at = 0;
        while (at < tokens.size()) {
            at = declarations.next(at);
        }
        return declarations.found;
    }

    private String word(int index) {
        return tokens.get(index).in(text);
    }

    private int next(int first) throws LinkException {
        String word = word(first);
        if (HEADERS.contains(word)) {
            return add(Declared.What.HEADER, Declared.Linkage.STATIC, "", first, line(first));
        }
        if (word.equals(".file") || word.equals(".loc")) {
            return add(Declared.What.DEBUG, Declared.Linkage.STATIC, "", first, line(first));
        }
        if (word.equals(".section")) {
            return add(Declared.What.DEBUG, Declared.Linkage.STATIC, "", first, body(first));
        }
        Declared.Linkage linkage = Declared.Linkage.STATIC;
        for (int at = first; at < tokens.size(); at++) {
            if (tokens.get(at).is(text, ';')) {
                return add(Declared.What.OTHER, linkage, "", first, at + 1);
            }
            String each = word(at);
            switch (each) {
                case ".visible" -> linkage = Declared.Linkage.VISIBLE;
                case ".extern" -> linkage = Declared.Linkage.EXTERN;
                case ".weak" -> linkage = Declared.Linkage.WEAK;
                case ".common" -> linkage = Declared.Linkage.COMMON;
                case ".func", ".entry" -> {
                    return function(first, at + 1, linkage);
                }
                default -> {
                    if (SPACES.contains(each)) {
                        return add(
                                Declared.What.VARIABLE,
                                linkage,
                                name(at + 1),
                                first,
                                semicolon(at));
                    }
                }
            }
        }
        throw new LinkException("'" + word + "' has no end");
    }

    private int function(int first, int at, Declared.Linkage linkage) throws LinkException {
        String name = name(at);
        int depth = 0;
        for (int i = at; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is(text, '(')) {
                depth++;
            } else if (token.is(text, ')')) {
                depth--;
            } else if (depth == 0 && token.is(text, ';')) {
                return add(Declared.What.PROTOTYPE, linkage, name, first, i + 1);
            } else if (depth == 0 && token.is(text, '{')) {
                return add(Declared.What.FUNCTION, linkage, name, first, body(i));
            }
        }
        throw new LinkException("function " + name + " has no end");
    }

    /** The first name that is in no parentheses. */
    private String name(int from) throws LinkException {
        int depth = 0;
        for (int i = from; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.is(text, '(')) {
                depth++;
            } else if (token.is(text, ')')) {
                depth--;
            } else if (depth == 0 && token.kind() == Token.Kind.NAME) {
                return token.in(text);
            } else if (depth == 0 && token.is(text, ';')) {
                break;
            }
        }
        throw new LinkException("a declaration without a name");
    }

    private int semicolon(int from) throws LinkException {
        for (int i = from; i < tokens.size(); i++) {
            if (tokens.get(i).is(text, ';')) {
                return i + 1;
            }
        }
        throw new LinkException("a declaration has no end");
    }

    /** Index behind the brace that closes the next one. */
    private int body(int from) throws LinkException {
        int depth = 0;
        for (int i = from; i < tokens.size(); i++) {
            if (tokens.get(i).is(text, '{')) {
                depth++;
            } else if (tokens.get(i).is(text, '}') && --depth == 0) {
                return i + 1;
            }
        }
        throw new LinkException("a brace is not closed");
    }

    /** Index of the first token of the next line. */
    private int line(int from) {
        int end = Tokens.endOfLine(text, tokens.get(from).start());
        int at = from;
        while (at < tokens.size() && tokens.get(at).start() < end) {
            at++;
        }
        return at;
    }

    private int add(
            Declared.What what, Declared.Linkage linkage, String name, int first, int end) {
        found.add(new Declared(what, linkage, name, first, end));
        return end;
    }
}
