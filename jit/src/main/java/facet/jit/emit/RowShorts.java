package facet.jit.emit;

import facet.jit.runtime.NarrowVectors;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import java.util.stream.Stream;

/**
 * Rows of 16-bit integers: computed with 32 bits, of which the upper ones are cleared.
 *
 * @see NarrowVectors
 */
final class RowShorts {
    private static final int BITS = 16;

    private final VectorUnit unit;

    RowShorts(VectorUnit unit) {
        this.unit = unit;
    }

    /** Whether it is one that is done here; its result is a vector. */
    static boolean handles(Instruction instruction) {
        Type type = instruction.typeAt(0);
        if (type == null
                || type.bits() != BITS
                || type.isFloat()
                || instruction.has(Modifier.SAT)
                || instruction.has(Modifier.CC)) {
            return false;
        }
        boolean wide = instruction.has(Modifier.WIDE);
        boolean plain =
                Stream.concat(
                                DefUse.definitions(instruction).stream()
                                        .filter(each -> !wide || each.type().bits() != 32),
                                DefUse.uses(instruction).stream())
                        .allMatch(each ->
                                each.lanes() == 1
                                        && (each.type() == Type.PRED
                                                || each.type().bits() == BITS));
        return plain
                && instruction.operand(0) instanceof Register
                && switch (instruction.opcode()) {
                    case ADD, SUB, AND, OR, XOR, NOT -> true;
                    case MUL -> wide || instruction.has(Modifier.LO);
                    case SHL, SHR ->
                            instruction.operand(2) instanceof Operand.IntegerImmediate by
                                    && by.value() >= 0
                                    && by.value() < BITS;
                    case SELP -> true;
                    case SETP ->
                            instruction.operands().size() == 3
                                    && relation(instruction, type).length() == 5;
                    default -> false;
                };
    }

    private static String relation(Instruction instruction, Type type) {
        String relation = instruction.suffixes().getFirst().text();
        boolean equality = relation.equals("eq") || relation.equals("ne");
        return relation + (equality ? "B32" : type.isSigned() ? "S32" : "U32");
    }

    void emit(Instruction instruction) {
        boolean decides = instruction.opcode() == Opcode.SETP;
        for (int part = 0; part < unit.registers.parts("B32"); part++) {
            boolean narrow = operate(instruction, instruction.type().isSigned(), part);
            if (decides) {
                unit.registers.join("B32", part);
                continue;
            }
            if (narrow) {
                unit.code.loadConstant(BITS);
                unit.operate("zeroExtended");
            }
            unit.registers.store(instruction.operand(0), "B32", part);
        }
        if (decides) {
            unit.registers.store(instruction.operand(0), "Pred");
        }
    }

    /** Whether upper bits of the result may be set that must not be. */
    private boolean operate(Instruction instruction, boolean signed, int part) {
        return switch (instruction.opcode()) {
            case SETP -> {
                push(instruction.operand(1), signed, part);
                push(instruction.operand(2), signed, part);
                unit.operate(relation(instruction, instruction.type()));
                yield false;
            }
            case SELP -> {
                push(instruction.operand(1), false, part);
                push(instruction.operand(2), false, part);
                unit.registers.push(instruction.operand(3), "Pred");
                unit.registers.part("B32", part);
                unit.operate("selectB32");
                yield false;
            }
            case MUL -> {
                boolean wide = instruction.has(Modifier.WIDE);
                unit.rows.operate(
                        "mulB32",
                        () -> push(instruction.operand(1), wide && signed, part),
                        () -> push(instruction.operand(2), wide && signed, part));
                yield !wide;
            }
            case NOT -> {
                push(instruction.operand(1), false, part);
                unit.operate("notB32");
                yield true;
            }
            case SHL, SHR -> {
                boolean left = instruction.opcode() == Opcode.SHL;
                push(instruction.operand(1), !left && signed, part);
                unit.push(instruction.operand(2), Type.U32);
                unit.operate(left ? "shlB32" : signed ? "shrS32" : "shrU32");
                yield true;
            }
            default -> {
                unit.rows.operate(
                        instruction.opcode().text() + "B32",
                        () -> push(instruction.operand(1), false, part),
                        () -> push(instruction.operand(2), false, part));
                yield true;
            }
        };
    }

    private void push(Operand operand, boolean signed, int part) {
        if (operand instanceof Register) {
            unit.registers.push(operand, "B32", part);
        } else {
            unit.rows.spread("B32", () -> unit.push(operand, Type.U16));
        }
        if (signed) {
            unit.code.loadConstant(BITS);
            unit.operate("signExtended");
        }
    }
}
