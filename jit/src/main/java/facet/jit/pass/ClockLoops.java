package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Space;
import facet.ptx.SpecialRegister;
import facet.ptx.flow.Body;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Loops in which a thread only waits for a moment to come: they read a clock, and touch no memory
 * but what they watch. Where there are many threads they wait at the same time, not one after the
 * other; so a thread gives way whenever it comes by.
 */
final class ClockLoops {
    private ClockLoops() {}

    /** Where they begin. */
    static BitSet heads(Body body) {
        List<Instruction> instructions = body.instructions();
        BitSet heads = new BitSet();
        int[] clocks = countBefore(instructions, ClockLoops::readsClock);
        if (clocks[instructions.size()] == 0) {
            return heads;
        }
        int[] work = countBefore(instructions, ClockLoops::isWork);
        for (int i = 0; i < instructions.size(); i++) {
            for (int target : Synchronization.targets(body, instructions.get(i))) {
                if (target <= i && clocks[i + 1] > clocks[target] && work[i + 1] == work[target]) {
                    heads.set(target);
                }
            }
        }
        return heads;
    }

    private static int[] countBefore(
            List<Instruction> instructions, Predicate<Instruction> isCounted) {
        int[] before = new int[instructions.size() + 1];
        for (int i = 0; i < instructions.size(); i++) {
            before[i + 1] = before[i] + (isCounted.test(instructions.get(i)) ? 1 : 0);
        }
        return before;
    }

    private static boolean readsClock(Instruction instruction) {
        return instruction.operands().stream()
                .anyMatch(each ->
                        each instanceof Operand.Special special && isClock(special.register()));
    }

    private static boolean isClock(SpecialRegister register) {
        return switch (register) {
            case CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, GLOBALTIMER_LO, GLOBALTIMER_HI -> true;
            default -> false;
        };
    }

    /** What a loop does that measures something, and not one that waits. */
    private static boolean isWork(Instruction instruction) {
        if (Effects.changesMemory(instruction) || Synchronization.isMeeting(instruction)) {
            return true;
        }
        return switch (instruction.opcode()) {
            case LD ->
                    !Synchronization.isObservation(instruction)
                            && instruction.space() != Space.PARAM
                            && instruction.space() != Space.CONST;
            case LDU, TEX, TLD4, SULD -> true;
            default -> false;
        };
    }
}
