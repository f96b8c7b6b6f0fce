package facet.jit.emit;

import facet.ptx.Extent;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Accesses of a straight run that go by the same register and differ in their offsets: unrolled
 * loops are full of them. The lowest and the highest are checked once, before the first; the others
 * need no check. An access that would fault then ends the launch a few instructions early, which
 * nobody can see: a fault leaves nothing of its context.
 */
final class AccessGroups {
    /**
     * @param kind what the accesses have in common besides the register
     * @param low the lowest offset from the register
     * @param writes whether one of them is a store
     */
    record Group(
            Register base,
            Space space,
            int width,
            Object kind,
            long low,
            long high,
            boolean writes) {}

    /**
     * Between two accesses that were checked lies no memory of others only as long as this is less
     * than what is left of 32 bits beside the largest shared memory, and of 64 beside a context's.
     */
    private static final long WIDEST = 1 << 20;

    static final AccessGroups NONE = new AccessGroups(List.of(), 0, 0, i -> null);

    private final Map<Integer, Group> leaders = new HashMap<>();
    private final IdentityHashMap<Instruction, Group> members = new IdentityHashMap<>();

    /** A group while it is found. */
    private static final class Open {
        private final List<Integer> at = new ArrayList<>();
        private long low = Long.MAX_VALUE;
        private long high = Long.MIN_VALUE;
        private boolean writes;
    }

    private record Key(Register base, Space space, int width, long remainder, Object kind) {}

    /**
     * @param kinds what must be the same in a group besides base, space and width; null to leave
     *     out
     */
    AccessGroups(
            List<Instruction> instructions,
            int from,
            int to,
            IntFunction<@org.jspecify.annotations.Nullable Object> kinds) {
        Map<Key, Open> open = new HashMap<>();
        for (int i = from; i < to; i++) {
            Instruction instruction = instructions.get(i);
            Operand.Address address = address(instruction);
            Object kind = address == null ? null : kinds.apply(i);
            Space space = instruction.space();
            if (address != null
                    && space != null
                    && kind != null
                    && address.base() instanceof Register base) {
                int width = instruction.type().bytes(Addresses.elements(value(instruction)).size());
                long remainder = Math.floorMod(address.offset(), (long) width);
                Key key = new Key(base, space, width, remainder, kind);
                Open group = open.computeIfAbsent(key, each -> new Open());
                group.at.add(i);
                group.low = Math.min(group.low, address.offset());
                group.high = Math.max(group.high, address.offset());
                group.writes |= instruction.opcode() == Opcode.ST;
            }
            List<Register> written = DefUse.definitions(instruction);
            boolean call = instruction.opcode() == Opcode.CALL;
            open.entrySet()
                    .removeIf(entry -> {
                        boolean over = call || written.contains(entry.getKey().base());
                        if (over) {
                            close(entry.getKey(), entry.getValue(), instructions);
                        }
                        return over;
                    });
        }
        open.forEach((key, group) -> close(key, group, instructions));
    }

    private void close(Key key, Open group, List<Instruction> instructions) {
        if (group.at.size() < 2 || Extent.distance(group.low, group.high) > WIDEST) {
            return;
        }
        Group made =
                new Group(
                        key.base,
                        key.space,
                        key.width,
                        key.kind,
                        group.low,
                        group.high,
                        group.writes);
        leaders.put(group.at.getFirst(), made);
        group.at.forEach(i -> members.put(instructions.get(i), made));
    }

    private static Operand.@org.jspecify.annotations.Nullable Address address(
            Instruction instruction) {
        Space space = instruction.space();
        boolean plain =
                (instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ST)
                        && instruction.guard() == null
                        && !instruction.has(Modifier.ASYNC)
                        && space != null
                        && space != Space.SHARED_CLUSTER // several blocks'
                        && (space == Space.GLOBAL || space == Space.CONST || space.isShared())
                        && instruction.type() != Type.B128;
        return plain
                ? (Operand.Address) instruction.operand(instruction.opcode() == Opcode.LD ? 1 : 0)
                : null;
    }

    private static Operand value(Instruction instruction) {
        return instruction.operand(instruction.opcode() == Opcode.LD ? 0 : 1);
    }

    /** The group that begins with the instruction. */
    @org.jspecify.annotations.Nullable
    Group leading(int index) {
        return leaders.get(index);
    }

    @org.jspecify.annotations.Nullable
    Group of(Instruction instruction) {
        return members.get(instruction);
    }
}
