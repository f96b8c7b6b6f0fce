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
    static final int MOST = 1_000_000;

    /** A declaration; {@code count} is 0 for a single name, {@code id} that of the first. */
    private record Entry(
            Statement.Registers source, int count, int id, int depth, @Nullable Entry shadowed) {}

    private final Names names;
    private Register[] known = new Register[2048];
    private int[] knownAt = new int[2048];
    private int epoch;

    private final Map<String, Entry> singles = new HashMap<>();
    private final Map<String, Entry> ranges = new HashMap<>();
    private final Deque<List<Statement.Registers.Name>> opened = new ArrayDeque<>();
    private int next;

    RegisterScopes(Names names) {
        this.names = names;
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
        opened.push(new ArrayList<>(4));
    }

    void close() {
        List<Statement.Registers.Name> declared = opened.pop();
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
            opened.getFirst().add(each);
            next += Math.max(1, each.count());
            if (next > MOST) {
                throw new PtxException(
                        Kind.INVALID,
                        registers.position(),
                        "the function has more than " + MOST + " registers");
            }
        }
        epoch++;
    }

    /** Whether a single name is one of a range of the same scope, or the other way round. */
    private boolean overlaps(Statement.Registers.Name name, int depth) {
        if (name.count() > 0) {
            return singles.entrySet().stream()
                    .anyMatch(each ->
                            each.getValue() != null
                                    && each.getValue().depth() == depth
                                    && isIn(each.getKey(), name.text(), name.count()));
        }
        return ranges.entrySet().stream()
                .anyMatch(each ->
                        each.getValue() != null
                                && each.getValue().depth() == depth
                                && isIn(name.text(), each.getKey(), each.getValue().count()));
    }

    private static boolean isIn(String name, String prefix, int count) {
        if (!name.startsWith(prefix)
                || !name.substring(prefix.length()).matches("0|[1-9][0-9]{0,6}")) {
            return false;
        }
        return Integer.parseInt(name.substring(prefix.length())) < count;
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
