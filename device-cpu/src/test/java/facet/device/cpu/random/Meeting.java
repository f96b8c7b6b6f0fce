package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Type;

import java.util.ArrayList;
import java.util.List;

/** Lets threads go on that have all come to their barrier (PTX ISA 9.7.13). */
final class Meeting {
    private final WarpMeeting warps = new WarpMeeting();

    static boolean isMeeting(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER, SHFL, VOTE, MATCH, REDUX -> true;
            default -> false;
        };
    }

    private static boolean isBlockWide(Instruction instruction) {
        return instruction.opcode() == Opcode.BARRIER
                || instruction.opcode() == Opcode.BAR && !instruction.has(Modifier.WARP);
    }

    /** A thread has come to a meeting or exited: others may have waited for that. */
    void settle(Lane lane, List<Lane> released) {
        Instruction waiting = lane.waiting;
        if (waiting == null) {
            warps.settle(lane.block.warpOf(lane), released);
            for (int number = 0; number < 16; number++) {
                open(lane.block, number, released);
            }
        } else if (isBlockWide(waiting)) {
            int number = number(lane, waiting);
            if (waiting.has(Modifier.ARRIVE)) {
                lane.block.arrived[number]++;
                lane.waiting = null;
                released.add(lane);
            }
            open(lane.block, number, released);
        } else {
            warps.settle(lane.block.warpOf(lane), released);
        }
    }

    /** Of the barrier. A reduction has its result in front. */
    private static int number(Lane lane, Instruction waiting) {
        return (int) lane.read(waiting.operand(waiting.has(Modifier.RED) ? 1 : 0), Type.U32);
    }

    /** How many threads are to come; 0 for all. */
    private static long count(Lane lane, Instruction waiting) {
        boolean reduces = waiting.has(Modifier.RED);
        return waiting.operands().size() == (reduces ? 4 : 2)
                ? lane.read(waiting.operand(reduces ? 2 : 1), Type.U32)
                : 0;
    }

    private static void open(ThreadBlock block, int number, List<Lane> released) {
        List<Lane> here = new ArrayList<>();
        long expected = 0;
        for (Lane each : block.lanes) {
            Instruction waiting = each.waiting;
            if (waiting != null && isBlockWide(waiting)) {
                if (number(each, waiting) == number) {
                    here.add(each);
                    expected = count(each, waiting);
                }
            }
        }
        expected = expected == 0 ? block.living() : expected;
        if (here.isEmpty() || here.size() + block.arrived[number] < expected) {
            return;
        }
        if (here.size() + block.arrived[number] > expected) {
            throw new IllegalStateException("too many threads at barrier " + number);
        }
        block.arrived[number] = 0;
        int count = 0;
        for (Lane each : here) {
            Instruction waiting = each.waiting;
            if (waiting != null && waiting.has(Modifier.RED)) {
                count += (int) each.read(waiting.operands().getLast(), Type.PRED);
            }
        }
        for (Lane each : here) {
            finish(each, count, here.size());
            released.add(each);
        }
    }

    private static void finish(Lane lane, int count, int all) {
        Instruction waiting = lane.waiting;
        lane.waiting = null;
        if (waiting == null || !waiting.has(Modifier.RED)) {
            return;
        }
        Operand result = waiting.operand(0);
        if (waiting.has(Modifier.POPC)) {
            lane.write(result, Type.U32, count);
        } else if (waiting.has(Modifier.AND)) {
            lane.write(result, Type.PRED, count == all ? 1 : 0);
        } else {
            lane.write(result, Type.PRED, count > 0 ? 1 : 0);
        }
    }
}
