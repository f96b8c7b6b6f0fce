package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.BitSet;
import java.util.List;

/**
 * Before which instructions a thread may have changed memory since it last met others: a region
 * cannot be run again from its start from there on.
 */
public final class Effects {
    private Effects() {}

    public static BitSet before(Body body) {
        List<Instruction> instructions = body.instructions();
        BitSet before = new BitSet();
        boolean changed = true;
        while (changed) {
            changed = false;
            Work.steps(instructions.size());
            for (int i = 0; i < instructions.size(); i++) {
                Instruction instruction = instructions.get(i);
                boolean after = before.get(i) || changesMemory(instruction);
                if (!after || Synchronization.isMeeting(instruction)) {
                    continue;
                }
                for (int target : Synchronization.targets(body, instruction)) {
                    changed |= !before.get(target);
                    before.set(target);
                }
                if (i + 1 < instructions.size() && fallsThrough(instruction)) {
                    changed |= !before.get(i + 1);
                    before.set(i + 1);
                }
            }
        }
        return before;
    }

    /** Whether the instruction may change memory. */
    public static boolean changesMemory(Instruction instruction) {
        return switch (instruction.opcode()) {
            case ST, ATOM, RED, CALL, CP, MBARRIER, WMMA, STMATRIX, SUST, SURED -> true;
            default -> false;
        };
    }

    static boolean fallsThrough(Instruction instruction) {
        return instruction.guard() != null
                || switch (instruction.opcode()) {
                    case BRA, BRX, RET, EXIT, TRAP, BRKPT -> false;
                    default -> true;
                };
    }
}
