package facet.ptx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    public record Slot(boolean optional, List<Suffix> accepted) {
        String text() {
            if (accepted.size() == 1) {
                return "." + accepted.getFirst().text();
            }
            return ".{" + String.join(",", accepted.stream().map(Suffix::text).toList()) + "}";
        }
    }

    /** Whether the first operand is written. */
    public boolean hasResult() {
        return !operands.isEmpty() && operands.getFirst().isResult();
    }

    public boolean accepts(List<Suffix> suffixes) {
        return match(suffixes, null, null) == 0;
    }

    /** How many suffixes are too many or missing; 0 when the form accepts them. */
    public int distance(List<Suffix> suffixes) {
        return match(suffixes, null, null);
    }

    /** What is wrong with the suffixes: {@code it does not take .sat; it needs .{rn,rz}}. */
    String misfit(List<Suffix> suffixes) {
        List<String> surplus = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        match(suffixes, surplus, missing);
        List<String> parts = new ArrayList<>();
        if (!surplus.isEmpty()) {
            parts.add("it does not take " + String.join(" ", surplus));
        }
        if (!missing.isEmpty()) {
            parts.add("it needs " + String.join(" and ", missing));
        }
        return String.join("; ", parts);
    }

    /** The form with its sets written out: {@code add{.{rn,rz,rm,rp}}{.ftz}{.sat}.f32 d, a, b}. */
    public String syntax() {
        StringBuilder syntax = new StringBuilder(opcode.text());
        for (Slot slot : slots) {
            syntax.append(slot.optional() ? "{" + slot.text() + "}" : slot.text());
        }
        int blank = text.indexOf(' ');
        return blank < 0 ? syntax.toString() : syntax.append(text.substring(blank)).toString();
    }

    private int match(
            List<Suffix> suffixes, @Nullable List<String> surplus, @Nullable List<String> missing) {
        long used = 0;
        int wrong = 0;
        int lastType = -1;
        int lastSpace = -1;
        for (int i = 0; i < suffixes.size(); i++) {
            Suffix suffix = suffixes.get(i);
            int from =
                    suffix instanceof Type
                            ? lastType + 1
                            : suffix instanceof Space ? lastSpace + 1 : 0;
            int slot = free(suffix, used, from);
            if (slot < 0) {
                wrong++;
                if (surplus != null) {
                    surplus.add("." + suffix.text());
                }
                continue;
            }
            used |= 1L << slot;
            if (suffix instanceof Type) {
                lastType = slot;
            } else if (suffix instanceof Space) {
                lastSpace = slot;
            }
        }
        for (int slot = 0; slot < slots.size(); slot++) {
            if ((used & 1L << slot) == 0 && !slots.get(slot).optional()) {
                wrong++;
                if (missing != null) {
                    missing.add(slots.get(slot).text());
                }
            }
        }
        return wrong;
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
