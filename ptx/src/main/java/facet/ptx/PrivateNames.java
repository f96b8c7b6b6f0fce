package facet.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives names that belong to one text alone another spelling where an earlier text has the same
 * one. Every identifier of that spelling is replaced, also those inside functions: all of them
 * together mean what they meant before.
 */
final class PrivateNames {
    private PrivateNames() {}

    static List<Module> apart(List<String> texts) {
        Set<String> taken = new HashSet<>();
        List<Module> modules = new ArrayList<>();
        for (String text : texts) {
            Module module = Parser.parse(text);
            Map<String, String> others = new HashMap<>();
            for (Declaration each : module.declarations()) {
                String name = Link.name(each);
                if (isPrivate(each) && taken.contains(name)) {
                    others.computeIfAbsent(name, key -> unused(key, text, taken));
                }
            }
            Module apart = others.isEmpty() ? module : Parser.parse(respell(text, others));
            apart.declarations().forEach(each -> taken.add(Link.name(each)));
            modules.add(apart);
        }
        return modules;
    }

    /** Kernels keep their names: the program asks for them. */
    private static boolean isPrivate(Declaration declaration) {
        boolean kernel = declaration instanceof Function function && function.kernel();
        return !kernel
                && !Link.name(declaration).isEmpty()
                && Link.linkage(declaration) == Linkage.NONE;
    }

    private static String unused(String name, String text, Set<String> taken) {
        int number = 2;
        while (taken.contains(name + '$' + number) || text.contains(name + '$' + number)) {
            number++;
        }
        return name + '$' + number;
    }

    static String respell(String text, Map<String, String> others) {
        StringBuilder out = new StringBuilder(text.length() + 256);
        int at = 0;
        while (at < text.length()) {
            int end = endOfToken(text, at);
            String token = text.substring(at, end);
            boolean directive = at > 0 && text.charAt(at - 1) == '.';
            out.append(directive ? token : others.getOrDefault(token, token));
            at = end;
        }
        return out.toString();
    }

    /** Of a comment, a string, an identifier or number; else one character. */
    private static int endOfToken(String text, int start) {
        char first = text.charAt(start);
        if (text.startsWith("//", start)) {
            return orEnd(text, text.indexOf('\n', start));
        }
        if (text.startsWith("/*", start)) {
            int end = text.indexOf("*/", start + 2);
            return end < 0 ? text.length() : end + 2;
        }
        if (first == '"') {
            int end = text.indexOf('"', start + 1);
            return end < 0 ? text.length() : end + 1;
        }
        int end = start + 1;
        if (isWord(first) || first == '%') {
            while (end < text.length() && isWord(text.charAt(end))) {
                end++;
            }
        }
        return end;
    }

    private static int orEnd(String text, int found) {
        return found < 0 ? text.length() : found;
    }

    private static boolean isWord(char each) {
        return each >= 'a' && each <= 'z'
                || each >= 'A' && each <= 'Z'
                || each >= '0' && each <= '9'
                || each == '_'
                || each == '$';
    }
}
