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
        if (waiting != null && waiting.has(Modifier.ARRIVE)) {
            lane.block.arrived[(int) lane.read(waiting.operand(0), Type.U32)]++;
            lane.waiting = null;
            released.add(lane);
        }
        if (lane.exited || waiting != null && !isBlockWide(waiting)) {
            warps.settle(lane.block.warpOf(lane), released);
        }
        if (lane.exited || waiting != null && isBlockWide(waiting)) {
            for (int number = 0; number < 16; number++) {
                open(lane.block, number, released);
            }
        }
    }

    private static void open(ThreadBlock block, int number, List<Lane> released) {
        List<Lane> here = new ArrayList<>();
        long expected = 0;
        for (Lane each : block.lanes) {
            Instruction waiting = each.waiting;
            if (waiting != null && isBlockWide(waiting)) {
                int first = waiting.has(Modifier.RED) ? 1 : 0;
                if (each.read(waiting.operand(first), Type.U32) == number) {
                    here.add(each);
                    int counted = first == 1 ? 4 : 2;
                    boolean counts = waiting.operands().size() == counted;
                    expected =
                            counts
                                    ? each.read(waiting.operand(first + 1), Type.U32)
                                    : block.living();
                }
            }
        }
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
