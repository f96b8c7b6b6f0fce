package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.SpecialRegister;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;

/**
 * Registers whose shape holds whatever way a thread took: written once, from nothing but constants,
 * parameters and indices, and without a test that sent other rows to scalar code.
 */
public final class RigidShapes {
    private RigidShapes() {}

    /** By the number of the register. */
    public static boolean[] of(Body body, LaneShapes shapes) {
        int[] writes = new int[body.registers().size()];
        for (Instruction instruction : body.instructions()) {
            DefUse.definitions(instruction).forEach(register -> writes[register.id()]++);
        }
        boolean[] rigid = new boolean[writes.length];
        boolean changed = true;
        while (changed) {
            changed = false;
            Work.steps(body.instructions().size());
            for (Instruction instruction : body.instructions()) {
                boolean assumed =
                        shapes.isEndTest(instruction)
                                || shapes.isWidening(instruction)
                                || shapes.isEndResult(instruction);
                boolean pure =
                        instruction.guard() == null && isPure(shapes, instruction) && !assumed;
                for (Register register : DefUse.definitions(instruction)) {
                    if (pure
                            && !rigid[register.id()]
                            && writes[register.id()] == 1
                            && DefUse.uses(instruction).stream()
                                    .allMatch(each -> rigid[each.id()])) {
                        rigid[register.id()] = true;
                        changed = true;
                    }
                }
            }
        }
        return rigid;
    }

    private static boolean isPure(LaneShapes shapes, Instruction instruction) {
        return switch (instruction.opcode()) {
            case LD ->
                    instruction.space() != null
                            && instruction.space().isParam()
                            && !shapes.isPrivate(
                                    instruction, (Operand.Address) instruction.operand(1));
            case LDU, ATOM, CALL, ADDC, SUBC, MADC, TEX, TLD4, SULD -> false;
            case MOV ->
                    !(instruction.operand(1) instanceof Operand.Special special)
                            || !isClock(special.register());
            default -> !Synchronization.isMeeting(instruction) && !instruction.has(Modifier.CC);
        };
    }

    private static boolean isClock(SpecialRegister register) {
        return switch (register) {
            case CLOCK, CLOCK64, CLOCK_HI, GLOBALTIMER, GLOBALTIMER_HI, GLOBALTIMER_LO -> true;
            default -> false;
        };
    }
}
