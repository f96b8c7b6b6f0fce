package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code atom} whose result nobody reads is {@code red}: no loop waits by it for another thread.
 * nvcc leaves such ones in shared memory, as {@code atomicAdd} of a histogram.
 */
final class UnreadAtomics {
    private UnreadAtomics() {}

    static Body replaced(Body body) {
        List<Instruction> instructions = body.instructions();
        if (instructions.stream().noneMatch(each -> each.opcode() == Opcode.ATOM)) {
            return body;
        }
        Work.steps(instructions.size());
        BitSet read = new BitSet();
        for (Instruction instruction : instructions) {
            DefUse.uses(instruction).forEach(each -> read.set(each.id()));
        }
        List<Instruction> result = new ArrayList<>(instructions.size());
        for (Instruction instruction : instructions) {
            result.add(isUnread(instruction, read) ? reduction(instruction) : instruction);
        }
        return new Body(
                body.function(),
                List.copyOf(result),
                body.registers(),
                body.labels(),
                body.variables(),
                body.prototypes(),
                body.targets());
    }

    private static boolean isUnread(Instruction instruction, BitSet read) {
        return instruction.opcode() == Opcode.ATOM
                && (instruction.operand(0) instanceof Operand.Sink
                        || instruction.operand(0) instanceof Register register
                                && register.lanes() == 1
                                && !read.get(register.id()))
                && instruction.type() != Type.B128
                && Stream.of(
                                Modifier.ADD,
                                Modifier.MIN,
                                Modifier.MAX,
                                Modifier.INC,
                                Modifier.DEC,
                                Modifier.AND,
                                Modifier.OR,
                                Modifier.XOR)
                        .anyMatch(instruction::has)
                && Stream.of(Modifier.ACQUIRE, Modifier.ACQ_REL).noneMatch(instruction::has);
    }

    private static Instruction reduction(Instruction instruction) {
        return new Instruction(
                instruction.position(),
                instruction.guard(),
                Opcode.RED,
                instruction.suffixes(),
                instruction.operands().subList(1, instruction.operands().size()));
    }
}
