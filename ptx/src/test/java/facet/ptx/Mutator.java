package facet.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Changes a text of the corpus in a few places, by character or by token. */
final class Mutator {
    private static final String[] PIECES = {
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        ":",
        "::",
        "|",
        "!",
        "@",
        "+",
        "-",
        "*",
        "/",
        "%",
        "?",
        "~",
        "^",
        "&&",
        "<<",
        "=",
        "_",
        ".",
        "\"",
        "//",
        "/*",
        "*/",
        "\n",
        "\0",
        "é",
        "0",
        "1",
        "-1",
        "0x",
        "0xFFFFFFFFFFFFFFFF",
        "9223372036854775808",
        "2147483648",
        "1e999",
        "0f7FC00000",
        "0dFFF0000000000000",
        ".5",
        "5U",
        "09",
        "0b2",
        "WARP_SZ",
        "generic",
        "%tid",
        "%tid.x",
        "%envreg31",
        ".reg",
        ".global",
        ".param",
        ".align",
        ".v4",
        ".b32",
        ".pred",
        ".f64",
        ".entry",
        ".func",
        ".visible",
        ".extern",
        ".loc",
        ".section",
        ".pragma",
        ".ptr",
        ".x",
        ".w",
        ".L2::128B",
        "call",
        "bra",
        "ret",
        "mov.b32",
        "ld.global.v4.f32",
        ".callprototype",
        ".branchtargets",
        "%r<1000000>",
        "%r0",
        "%r1",
        "x",
        "$L",
        "((((((((",
        "{{{{{{{{",
        "- - - -",
    };

    private final SplittableRandom random;
    private final List<String> corpus;

    Mutator(SplittableRandom random, List<String> corpus) {
        this.random = random;
        this.corpus = corpus;
    }

    String mutate() {
        String text = pick(corpus);
        int changes = 1 + random.nextInt(4);
        if (random.nextBoolean()) {
            StringBuilder characters = new StringBuilder(text);
            for (int i = 0; i < changes && !characters.isEmpty(); i++) {
                character(characters);
            }
            return characters.toString();
        }
        List<String> tokens = tokens(text);
        for (int i = 0; i < changes && !tokens.isEmpty(); i++) {
            token(tokens);
        }
        return String.join("", tokens);
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void character(StringBuilder text) {
        int at = random.nextInt(text.length());
        int length = Math.min(text.length() - at, 1 + random.nextInt(20));
        switch (random.nextInt(5)) {
            case 0 -> text.setCharAt(at, (char) random.nextInt(128));
            case 1 -> text.deleteCharAt(at);
            case 2 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
            case 3 -> text.delete(at, at + length);
            default -> text.insert(random.nextInt(text.length()), text.substring(at, at + length));
        }
    }

    private void token(List<String> tokens) {
        int at = random.nextInt(tokens.size());
        switch (random.nextInt(8)) {
            case 0 -> tokens.set(at, PIECES[random.nextInt(PIECES.length)]);
            case 1 -> tokens.remove(at);
            case 2 -> tokens.add(at, PIECES[random.nextInt(PIECES.length)]);
            case 3, 4, 5, 6 -> tokens.set(at, similar(tokens, tokens.get(at)));
            default -> {
                List<String> others = tokens(pick(corpus));
                if (!others.isEmpty()) {
                    int from = random.nextInt(others.size());
                    int to = Math.min(others.size(), from + 1 + random.nextInt(12));
                    tokens.addAll(at, others.subList(from, to));
                }
            }
        }
    }

    /**
     * Another token of the text that starts with the same character, where a few tries find one.
     */
    private String similar(List<String> tokens, String token) {
        for (int i = 0; i < 50; i++) {
            String other = pick(tokens);
            if (other.charAt(0) == token.charAt(0) && !other.equals(token)) {
                return other;
            }
        }
        return token;
    }

    /** Words, blanks and single other characters; joined they are the text again. */
    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int start = at;
            int kind = kind(text.charAt(at++));
            while (kind != 0 && at < text.length() && kind(text.charAt(at)) == kind) {
                at++;
            }
            tokens.add(text.substring(start, at));
        }
        return tokens;
    }

    private static int kind(char c) {
        if (c <= ' ') {
            return 1;
        }
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '.' || c == '%' ? 2 : 0;
    }
}
