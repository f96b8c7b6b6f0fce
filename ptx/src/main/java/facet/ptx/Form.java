package facet.ptx;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of {@code instructions.table}.
 *
 * @param section of the PTX ISA manual
 * @param slots the places for suffixes, in the manual's order
 * @param text the mnemonic and operands as the table writes them
 */
public record Form(
        String section,
        Opcode opcode,
        List<Slot> slots,
        List<OperandPattern> operands,
        String text) {

    /** A place behind the opcode that one of the suffixes fills. */
    public record Slot(boolean optional, List<Suffix> accepted) {}

    /** Whether the first operand is written. */
    public boolean hasResult() {
        return !operands.isEmpty() && operands.getFirst().isResult();
    }

    public boolean accepts(List<Suffix> suffixes) {
        return distance(suffixes) == 0;
    }

    /** How many suffixes are too many or missing; 0 when the form accepts them. */
    public int distance(List<Suffix> suffixes) {
        long used = 0;
        int surplus = 0;
        int lastType = -1;
        int lastSpace = -1;
        for (int i = 0; i < suffixes.size(); i++) {
            Suffix suffix = suffixes.get(i);
            int from =
                    switch (suffix) {
                        case Type _ -> lastType + 1;
                        case Space _ -> lastSpace + 1;
                        case Modifier _ -> 0;
                    };
            int slot = free(suffix, used, from);
            if (slot < 0) {
                surplus++;
                continue;
            }
            used |= 1L << slot;
            switch (suffix) {
                case Type _ -> lastType = slot;
                case Space _ -> lastSpace = slot;
                case Modifier _ -> {}
            }
        }
        int missing = 0;
        for (int slot = 0; slot < slots.size(); slot++) {
            if ((used & 1L << slot) == 0 && !slots.get(slot).optional()) {
                missing++;
            }
        }
        return surplus + missing;
    }

    private int free(Suffix suffix, long used, int from) {
        for (int slot = from; slot < slots.size(); slot++) {
            if ((used & 1L << slot) == 0 && slots.get(slot).accepted().contains(suffix)) {
                return slot;
            }
        }
        return -1;
    }

    /**
     * The pattern of each operand that the instruction has, or null when their number does not fit.
     * Optional operands are there from the left as far as the number goes; a cache policy is there
     * exactly when {@code .L2::cache_hint} is.
     */
    public @Nullable List<OperandPattern> patterns(Instruction instruction) {
        boolean hint = instruction.has(Modifier.L2_CACHE_HINT);
        int spare = instruction.operands().size();
        for (OperandPattern each : operands) {
            if (each.kind() == OperandPattern.Kind.CALL) {
                return List.of();
            }
            if (each.kind() == OperandPattern.Kind.POLICY ? hint : !each.optional()) {
                spare--;
            }
        }
        List<OperandPattern> present = new ArrayList<>(operands.size());
        for (OperandPattern each : operands) {
            if (each.kind() == OperandPattern.Kind.POLICY) {
                if (hint) {
                    present.add(each);
                }
            } else if (!each.optional()) {
                present.add(each);
            } else if (spare > 0) {
                spare--;
                present.add(each);
            }
        }
        return spare == 0 ? present : null;
    }
}
