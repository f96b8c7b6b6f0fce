package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Work;
import facet.ptx.flow.Body;

/** Which instructions make threads wait for each other, and which loops may spin. */
public final class Synchronization {
    private Synchronization() {}

    /** Whether threads meet here, so that a region ends. */
    public static boolean isMeeting(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BAR, BARRIER, SHFL, VOTE, MATCH, REDUX, ACTIVEMASK, ELECT -> true;
            case WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX -> true;
            default -> false;
        };
    }

    /**
     * Whether the instruction reads what another thread may change meanwhile: a loop around it may
     * wait for that thread and must let it run.
     */
    public static boolean isObservation(Instruction instruction) {
        return switch (instruction.opcode()) {
            case LD ->
                    instruction.has(Modifier.VOLATILE)
                            || instruction.has(Modifier.RELAXED)
                            || instruction.has(Modifier.ACQUIRE)
                            || instruction.has(Modifier.MMIO)
                            || instruction.has(Modifier.CV);
            case ATOM, NANOSLEEP -> true;
            case MBARRIER ->
                    instruction.has(Modifier.TEST_WAIT) || instruction.has(Modifier.TRY_WAIT);
            default -> false;
        };
    }

    /** Where a branch may go, as instruction indices; empty for anything else. */
    public static int[] targets(Body body, Instruction instruction) {
        Work.step();
        if (instruction.opcode() == Opcode.BRA
                && instruction.operand(0) instanceof Operand.Symbol label) {
            return new int[] {body.label(label.name())};
        }
        if (instruction.opcode() == Opcode.BRX
                && instruction.operand(1) instanceof Operand.Symbol list) {
            Work.steps(body.targets(list.name()).names().size());
            return body.targets(list.name()).names().stream().mapToInt(body::label).toArray();
        }
        return new int[0];
    }
}
