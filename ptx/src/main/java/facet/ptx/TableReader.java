package facet.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the lines of {@code instructions.table}; its head describes the syntax. */
final class TableReader {
    private static final Map<String, Suffix> SUFFIXES = suffixes();

    private final Map<String, List<Suffix>> sets = new HashMap<>();
    private final List<Form> forms = new ArrayList<>();
    private String text = "";
    private int at;

    List<Form> forms() {
        return List.copyOf(forms);
    }

    void line(String line) {
        String content = line.strip();
        if (content.isEmpty() || content.startsWith("#")) {
            return;
        }
        if (content.startsWith("@")) {
            String[] parts = content.split("\\s*=\\s*", 2);
            sets.put(parts[0], choices(parts[1].split("\\s+")));
            return;
        }
        String[] parts = content.split("\\s+", 2);
        text = parts[1];
        at = 0;
        Opcode opcode = Opcode.valueOf(word(".{ ").toUpperCase(Locale.ROOT));
        List<Form.Slot> slots = slots();
        List<OperandPattern> operands = operands();
        forms.add(new Form(parts[0], opcode, slots, operands, text.replaceAll("\\s+", " ")));
    }

    private List<Form.Slot> slots() {
        List<Form.Slot> slots = new ArrayList<>();
        while (at < text.length() && text.charAt(at) != ' ') {
            boolean optional = skip("{");
            expect(".");
            String[] names;
            if (skip("{")) {
                names = word("}").split(",");
                expect("}");
            } else {
                names = new String[] {word(".{} ")};
            }
            if (optional) {
                expect("}");
            }
            slots.add(new Form.Slot(optional, choices(names)));
        }
        return List.copyOf(slots);
    }

    private List<OperandPattern> operands() {
        List<OperandPattern> operands = new ArrayList<>();
        spaces();
        while (at < text.length()) {
            boolean optional = skip("{,");
            if (!optional && !operands.isEmpty()) {
                expect(",");
            }
            spaces();
            operands.add(operand(optional));
            if (optional) {
                expect("}");
            }
            spaces();
        }
        return List.copyOf(operands);
    }

    private OperandPattern operand(boolean optional) {
        if (skip("[")) {
            String inside = word("]");
            expect("]");
            return inside.contains(",")
                    ? OperandPattern.indexed(inside)
                    : OperandPattern.address(inside);
        }
        String name = word(":,{} ");
        if (name.equals("call")) {
            return OperandPattern.parse(name, name, OperandPattern.Pair.NONE, optional);
        }
        expect(":");
        String kind = word(",{}| ");
        OperandPattern.Pair pair = OperandPattern.Pair.NONE;
        if (skip("|")) {
            pair = OperandPattern.Pair.REQUIRED;
            word(",{} ");
        } else if (skip("{|")) {
            pair = OperandPattern.Pair.OPTIONAL;
            word("}");
            expect("}");
        }
        return OperandPattern.parse(name, kind, pair, optional);
    }

    private List<Suffix> choices(String[] names) {
        List<Suffix> found = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith("@")) {
                List<Suffix> set = sets.get(name);
                if (set == null) {
                    throw broken("no set " + name);
                }
                found.addAll(set);
            } else {
                Suffix suffix = suffix(name);
                if (suffix == null) {
                    throw broken("no suffix " + name);
                }
                found.add(suffix);
            }
        }
        return List.copyOf(found);
    }

    private void spaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private String word(String stop) {
        int start = at;
        while (at < text.length() && stop.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean skip(String token) {
        if (text.startsWith(token, at)) {
            at += token.length();
            return true;
        }
        return false;
    }

    private void expect(String token) {
        if (!skip(token)) {
            throw broken("expected " + token + " at column " + (at + 1));
        }
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException("instructions.table: " + what + " in: " + text);
    }

    static @Nullable Suffix suffix(String name) {
        return SUFFIXES.get(name);
    }

    private static Map<String, Suffix> suffixes() {
        Map<String, Suffix> map = new HashMap<>();
        for (Type each : Type.values()) {
            map.putIfAbsent(each.text(), each);
        }
        for (Space each : Space.values()) {
            map.putIfAbsent(each.text(), each);
        }
        for (Modifier each : Modifier.values()) {
            map.putIfAbsent(each.text(), each);
        }
        return map;
    }
}
