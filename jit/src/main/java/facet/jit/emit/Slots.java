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
    private final Map<Long, Integer> temporaries = new HashMap<>();
    private int ints;
    private int longs;

    Slots(Kinds kinds) {
        this.kinds = kinds;
    }

    int of(Register register, int lane) {
        return slots.computeIfAbsent(
                register.id() * 8 + lane, key -> kinds.of(register).isWide() ? longs++ : ints++);
    }

    /**
     * A slot of its own for an operand of a meeting. Wherever the meeting is emitted it is the same
     * one.
     *
     * @param next the region behind the meeting
     */
    int temporary(int next, int operand, boolean wide) {
        return temporaries.computeIfAbsent(
                next * 64L + operand, key -> wide ? longs++ : ints++); // bounded: few operands
    }

    int ints() {
        return ints;
    }

    int longs() {
        return longs;
    }
}
