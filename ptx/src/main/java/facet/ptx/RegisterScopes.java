package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which register a name means, scope by scope.
 *
 * <p>The members of a range ({@code %r<6>}) come into being when first used. What a name was found
 * to mean is remembered until a range is declared or a scope that declared something closes.
 */
final class RegisterScopes {
    static final int MOST = Limits.REGISTERS;

    /** A declaration; {@code count} is 0 for a single name, {@code id} that of the first. */
    private record Entry(
            Statement.Registers source, int count, int id, int depth, @Nullable Entry shadowed) {}

    /** What a scope declares; for each prefix the least number of a single name with it. */
    private record Scope(List<Statement.Registers.Name> declared, Map<String, Integer> numbered) {}

    private final Names names;
    private Register[] known = new Register[2048];
    private int[] knownAt = new int[2048];
    private int epoch;

    private final Map<String, Entry> singles = new HashMap<>();
    private final Map<String, Entry> ranges = new HashMap<>();
    private final Deque<Scope> opened = new ArrayDeque<>();
    private int next;
    private final long mostInModule;
    private long inModule;

    /**
     * @param characters of the text, which bound how many registers it may declare in all
     */
    RegisterScopes(Names names, int characters) {
        this.names = names;
        this.mostInModule = Limits.registers(characters);
    }

    void beginFunction() {
        singles.clear();
        ranges.clear();
        opened.clear();
        next = 0;
        epoch++;
        open();
    }

    void open() {
        opened.push(new Scope(new ArrayList<>(4), new HashMap<>(4)));
    }

    void close() {
        List<Statement.Registers.Name> declared = opened.pop().declared();
        for (Statement.Registers.Name each : declared) {
            Map<String, Entry> table = each.count() > 0 ? ranges : singles;
            table.computeIfPresent(each.text(), (_, entry) -> entry.shadowed());
        }
        if (!declared.isEmpty()) {
            epoch++;
        }
    }

    void declare(Statement.Registers registers) {
        for (Statement.Registers.Name each : registers.names()) {
            Map<String, Entry> table = each.count() > 0 ? ranges : singles;
            Entry shadowed = table.get(each.text());
            int depth = opened.size();
            if (shadowed != null && shadowed.depth() == depth || overlaps(each, depth)) {
                throw new PtxException(
                        Kind.INVALID,
                        registers.position(),
                        "register '" + each.text() + "' is declared twice");
            }
            table.put(each.text(), new Entry(registers, each.count(), next, depth, shadowed));
            Scope scope = opened.getFirst();
            scope.declared().add(each);
            if (each.count() == 0) {
                splits(
                        each.text(),
                        (prefix, number) -> scope.numbered().merge(prefix, number, Math::min));
            }
            next += Math.max(1, each.count());
            inModule += Math.max(1, each.count());
            Limits.check(registers.position(), "registers in a function", next, MOST);
            Limits.check(
                    registers.position(), "registers in a text so short", inModule, mostInModule);
        }
        epoch++;
    }

    /** Whether a single name is one of a range of the same scope, or the other way round. */
    private boolean overlaps(Statement.Registers.Name name, int depth) {
        if (name.count() > 0) {
            Integer least = opened.getFirst().numbered().get(name.text());
            return least != null && least < name.count();
        }
        boolean[] found = new boolean[1];
        splits(
                name.text(),
                (prefix, number) -> {
                    Entry range = ranges.get(prefix);
                    found[0] |= range != null && range.depth() == depth && number < range.count();
                });
        return found[0];
    }

    private interface Split {
        void at(String prefix, int number);
    }

    /**
     * The ways to read a name as one of a range: {@code a12} is 12 of {@code a}, 2 of {@code a1}.
     */
    private static void splits(String name, Split split) {
        int number = 0;
        int scale = 1;
        for (int at = name.length() - 1; at > 0 && scale <= MOST; at--, scale *= 10) {
            int digit = name.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return;
            }
            number += digit * scale;
            if (digit != 0 || at == name.length() - 1) {
                split.at(name.substring(0, at), number); // %r05 is not in the range %r
            }
        }
    }

    /** The register, or null when the name means none here. */
    @Nullable Register find(int name) {
        if (name < known.length && knownAt[name] == epoch) {
            return known[name];
        }
        if (name >= known.length) {
            int length = Math.max(names.size(), known.length * 2);
            known = Arrays.copyOf(known, length);
            knownAt = Arrays.copyOf(knownAt, length);
        }
        Register found = resolve(names.text(name), known[name]);
        known[name] = found;
        knownAt[name] = epoch;
        return found;
    }

    private @Nullable Register resolve(String name, @Nullable Register earlier) {
        Entry best = singles.get(name);
        int id = best == null ? 0 : best.id();
        int number = 0;
        int scale = 1;
        for (int at = name.length() - 1; at > 0 && scale <= MOST; at--, scale *= 10) {
            int digit = name.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number += digit * scale;
            if (digit == 0 && at < name.length() - 1) {
                continue; // %r05 is not in the range %r
            }
            Entry range = ranges.get(name.substring(0, at));
            while (range != null && range.count() <= number) {
                range = range.shadowed();
            }
            if (range != null && (best == null || range.depth() > best.depth())) {
                best = range;
                id = range.id() + number;
            }
        }
        if (best == null) {
            return null;
        }
        Statement.Registers source = best.source();
        if (earlier != null
                && earlier.id() == id
                && earlier.type() == source.type()
                && earlier.lanes() == source.lanes()) {
            return earlier;
        }
        return new Register(name, source.type(), source.lanes(), id);
    }
}
