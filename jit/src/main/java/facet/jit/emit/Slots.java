package facet.jit.emit;

import facet.jit.pass.Kinds;
import facet.ptx.Register;
import java.util.HashMap;
import java.util.Map;

/**
 * Where registers that live across regions are kept in a block's {@code ints} and {@code longs}.
 */
final class Slots {
    private final Kinds kinds;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private int ints;
    private int longs;

    Slots(Kinds kinds) {
        this.kinds = kinds;
    }

    int of(Register register, int lane) {
        return slots.computeIfAbsent(
                register.id() * 8 + lane, key -> kinds.of(register).isWide() ? longs++ : ints++);
    }

    /** A slot of its own for an operand of a meeting. */
    int temporary(boolean wide) {
        return wide ? longs++ : ints++;
    }

    int ints() {
        return ints;
    }

    int longs() {
        return longs;
    }
}
