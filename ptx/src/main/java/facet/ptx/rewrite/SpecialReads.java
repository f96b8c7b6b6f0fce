package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Instructions that read the number of a block or the size of the grid. */
final class SpecialReads {
    private SpecialReads() {}

    static boolean canReplace(Instruction instruction) {
        return switch (instruction.opcode()) {
            case MOV -> {
                Type type = instruction.typeAt(0);
                yield type != null && !type.isFloat() && type.bits() >= 16 && type.bits() <= 64;
            }
            case CVT -> true;
            default -> false;
        };
    }

    static boolean canReplaceWhole(Instruction instruction) {
        return instruction.opcode() == Opcode.MOV
                && instruction.operands().size() == 2
                && instruction.operand(0) instanceof Operand.Vector vector
                && vector.elements().size() == 4
                && vector.elements().stream()
                        .allMatch(each -> each instanceof Register || each instanceof Operand.Sink);
    }

    /**
     * The same with registers in place of what is hidden; null when it reads nothing hidden, or in
     * a way that keeps its kernels whole.
     */
    static @Nullable List<Statement> replace(
            Instruction instruction, Function<Hidden, Register> registers) {
        for (int i = 0; i < instruction.operands().size(); i++) {
            if (instruction.operand(i) instanceof Operand.Special special) {
                Hidden hidden = Hidden.of(special);
                if (hidden != null && canReplace(instruction)) {
                    return List.of(one(instruction, i, registers.apply(hidden)));
                }
                if (special.lane() == Operand.Special.WHOLE
                        && Hidden.whole(special) != 0
                        && canReplaceWhole(instruction)) {
                    return all(instruction, Hidden.whole(special), registers);
                }
            }
        }
        return null;
    }

    private static Instruction one(Instruction instruction, int at, Register register) {
        List<Operand> operands = new ArrayList<>(instruction.operands());
        operands.set(at, register);
        Type type = instruction.type();
        boolean converts = instruction.opcode() == Opcode.MOV && type.bits() != 32;
        List<Suffix> suffixes =
                converts
                        ? List.of(type.bits() == 16 ? Type.U16 : Type.U64, Type.U32)
                        : instruction.suffixes();
        return new Instruction(
                instruction.position(),
                instruction.guard(),
                converts ? Opcode.CVT : instruction.opcode(),
                suffixes,
                List.copyOf(operands));
    }

    /** One move for each component; the fourth is zero. */
    private static List<Statement> all(
            Instruction instruction, int which, Function<Hidden, Register> registers) {
        List<Statement> moves = new ArrayList<>();
        List<Operand> results = ((Operand.Vector) instruction.operand(0)).elements();
        for (int lane = 0; lane < 4; lane++) {
            if (results.get(lane) instanceof Register result) {
                int bit = Integer.numberOfTrailingZeros(which) + lane;
                Operand value = lane == 3 ? Code.number(0) : registers.apply(Hidden.of(bit));
                moves.add(
                        Code.guarded(
                                instruction.guard(), Opcode.MOV, List.of(Type.U32), result, value));
            }
        }
        return moves;
    }
}
