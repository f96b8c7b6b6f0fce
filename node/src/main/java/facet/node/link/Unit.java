package facet.node.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One of the texts that are linked. */
final class Unit {
    private final int number;
    private final String text;
    private final List<Token> tokens;
    private final List<Declared> declared;
    private final Map<String, String> renamed = new HashMap<>();

    Unit(int number, String text) throws LinkException {
        this.number = number;
        this.text = text;
        tokens = Tokens.of(text);
        declared = Declarations.of(text, tokens);
    }

    int number() {
        return number;
    }

    List<Declared> declared() {
        return declared;
    }

    String word(int token) {
        return tokens.get(token).in(text);
    }

    /** The declaration as it is written, without what is around it. */
    String source(Declared each) {
        return text.substring(
                tokens.get(each.first()).start(), tokens.get(each.end() - 1).end());
    }

    /** What a variable says about its length: the product of the numbers in brackets. */
    long length(Declared each) {
        long length = 1;
        boolean inside = false;
        for (int i = each.first(); i < each.end(); i++) {
            Token token = tokens.get(i);
            if (token.is(text, '=')) {
                break;
            }
            if (token.is(text, '[')) {
                inside = true;
            } else if (token.is(text, ']')) {
                inside = false;
            } else if (inside && token.kind() == Token.Kind.VALUE) {
                try {
                    length = Math.multiplyExact(length, Long.parseLong(token.in(text)));
                } catch (ArithmeticException | NumberFormatException e) {
                    return Long.MAX_VALUE;
                }
            }
        }
        return length;
    }

    /** Gives a name of this text another one that nobody has. */
    void rename(String name, Set<String> used) {
        String other = name + "_" + (number + 1);
        while (!used.add(other)) {
            other += "_";
        }
        renamed.put(name, other);
    }

    void print(Declared each, StringBuilder out) {
        int at = tokens.get(each.first()).start();
        for (int i = each.first(); i < each.end(); i++) {
            Token token = tokens.get(i);
            String other =
                    token.kind() == Token.Kind.NAME && !isOpcode(i)
                            ? renamed.get(token.in(text))
                            : null;
            if (other != null) {
                out.append(text, at, token.start()).append(other);
                at = token.end();
            }
        }
        out.append(text, at, tokens.get(each.end() - 1).end()).append('\n');
    }

    /** {@code add} in {@code add.s32}: a modifier follows without a blank. */
    private boolean isOpcode(int index) {
        return index + 1 < tokens.size()
                && tokens.get(index + 1).kind() == Token.Kind.DIRECTIVE
                && tokens.get(index + 1).start() == tokens.get(index).end();
    }
}
