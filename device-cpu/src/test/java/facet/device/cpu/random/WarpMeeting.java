package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Type;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Warp operations: threads go on when every thread of the member mask that has not exited waits
 * with the same qualifiers and mask, at whatever instruction (PTX ISA 9.7.9.6, 9.7.13).
 */
final class WarpMeeting {
    /** What a shuffle gives that reads a lane which is not there. */
    private static final int UNDEFINED = 0xdead_beef;

    void settle(List<Lane> warp, List<Lane> released) {
        for (Lane each : warp) {
            Instruction waiting = each.waiting;
            if (waiting != null && isWarpWide(waiting)) {
                List<Lane> group = group(warp, each, waiting);
                if (!group.isEmpty()) {
                    finish(group, waiting);
                    released.addAll(group);
                }
            }
        }
    }

    private static boolean isWarpWide(Instruction instruction) {
        return Meeting.isMeeting(instruction)
                && switch (instruction.opcode()) {
                    case BAR -> instruction.has(Modifier.WARP);
                    case BARRIER -> false;
                    default -> true;
                };
    }

    private static int mask(Lane lane, Instruction instruction) {
        return (int) lane.read(instruction.operands().getLast(), Type.B32);
    }

    /** The living threads of the mask, or none when one of them is not here yet. */
    private static List<Lane> group(List<Lane> warp, Lane lane, Instruction instruction) {
        int mask = mask(lane, instruction);
        if ((mask >>> lane.lane() & 1) == 0) {
            throw new IllegalStateException("thread " + lane.number + " is not in its own mask");
        }
        List<Lane> group = new ArrayList<>();
        for (Lane each : warp) {
            if ((mask >>> each.lane() & 1) != 0 && !each.exited) {
                Instruction waiting = each.waiting;
                if (waiting == null
                        || waiting.opcode() != instruction.opcode()
                        || !waiting.suffixes().equals(instruction.suffixes())
                        || mask(each, waiting) != mask) {
                    return List.of();
                }
                group.add(each);
            }
        }
        return group;
    }

    private static void finish(List<Lane> group, Instruction operation) {
        Map<Integer, Long> values = new HashMap<>();
        Type type =
                switch (operation.opcode()) {
                    case VOTE -> Type.PRED;
                    case BAR -> Type.B32;
                    default -> operation.type();
                };
        int present = 0;
        for (Lane each : group) {
            present |= 1 << each.lane();
            Instruction own = each.waiting;
            if (own != null && own.operands().size() > 1) {
                values.put(each.lane(), each.read(own.operand(1), type));
            }
        }
        for (Lane each : group) {
            Instruction own = each.waiting;
            if (own != null) {
                result(each, own, values, present, type);
                each.waiting = null;
            }
        }
    }

    private static void result(
            Lane lane, Instruction own, Map<Integer, Long> values, int living, Type type) {
        switch (own.opcode()) {
            case SHFL -> shuffle(lane, own, values);
            case VOTE -> vote(lane, own, values, living);
            case MATCH -> match(lane, own, values, living);
            case REDUX -> {
                long value =
                        values.values().stream()
                                .reduce((a, b) ->
                                        Lane.fit(Arithmetic.combine(own, type, a, b), type))
                                .orElseThrow();
                lane.write(own.operand(0), type, value);
            }
            default -> {}
        }
    }

    private static void vote(Lane lane, Instruction own, Map<Integer, Long> values, int living) {
        int ballot = 0;
        for (Map.Entry<Integer, Long> each : values.entrySet()) {
            ballot |= each.getValue() != 0 ? 1 << each.getKey() : 0;
        }
        if (own.has(Modifier.BALLOT)) {
            lane.write(own.operand(0), Type.B32, ballot);
            return;
        }
        boolean all = ballot == living;
        boolean any = ballot != 0;
        boolean result = own.has(Modifier.ALL) ? all : own.has(Modifier.ANY) ? any : all || !any;
        lane.write(own.operand(0), Type.PRED, result ? 1 : 0);
    }

    private static void match(Lane lane, Instruction own, Map<Integer, Long> values, int living) {
        long value = values.get(lane.lane());
        int same = 0;
        for (Map.Entry<Integer, Long> each : values.entrySet()) {
            same |= each.getValue() == value ? 1 << each.getKey() : 0;
        }
        if (own.has(Modifier.ALL)) {
            same = same == living ? same : 0;
        }
        if (own.operand(0) instanceof Operand.PredicatePair pair) {
            lane.write(pair.first(), Type.B32, same);
            lane.write(pair.second(), Type.PRED, same != 0 ? 1 : 0);
        } else {
            lane.write(own.operand(0), Type.B32, same);
        }
    }

    private static void shuffle(Lane lane, Instruction own, Map<Integer, Long> values) {
        int b = (int) lane.read(own.operand(2), Type.U32) & 31;
        int c = (int) lane.read(own.operand(3), Type.U32);
        int segment = c >>> 8 & 31;
        int least = lane.lane() & segment;
        int most = least | c & 31 & ~segment;
        int from;
        if (own.has(Modifier.UP)) {
            from = lane.lane() - b;
        } else if (own.has(Modifier.DOWN)) {
            from = lane.lane() + b;
        } else if (own.has(Modifier.BFLY)) {
            from = lane.lane() ^ b;
        } else {
            from = least | b & ~segment;
        }
        boolean inside = own.has(Modifier.UP) ? from >= most : from <= most;
        long value = values.getOrDefault(inside ? from : lane.lane(), (long) UNDEFINED);
        if (own.operand(0) instanceof Operand.PredicatePair pair) {
            lane.write(pair.first(), Type.B32, value);
            lane.write(pair.second(), Type.PRED, inside ? 1 : 0);
        } else {
            lane.write(own.operand(0), Type.B32, value);
        }
    }
}
