package facet.jit.emit;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Type;

/**
 * {@code add}, {@code sub} and {@code fma} of halves with an f32 (PTX ISA 9.7.5): the halves become
 * f32, exactly, and the rest is f32 arithmetic.
 */
final class MixedPrecision {
    private final Unit unit;

    MixedPrecision(Unit unit) {
        this.unit = unit;
    }

    static boolean handles(Instruction instruction) {
        Type second = instruction.typeAt(1);
        return instruction.typeAt(0) == Type.F32 && (second == Type.F16 || second == Type.BF16);
    }

    void emit(Instruction instruction) {
        int last = instruction.operands().size() - 1;
        for (int i = 1; i < last; i++) {
            pushHalf(instruction.operand(i), instruction.typeAt(1));
        }
        unit.push(instruction.operand(last), Type.F32);
        operate(instruction);
        if (instruction.has(Modifier.SAT)) {
            unit.callMath(Type.F32, "sat");
        }
        unit.store(instruction.operand(0), Type.F32);
    }

    private void pushHalf(Operand operand, Type type) {
        unit.push(operand, type);
        unit.call(Intrinsics.conversion(type.text() + "ToF32").orElseThrow());
    }

    private void operate(Instruction instruction) {
        String rounding =
                instruction.has(Modifier.RZ)
                        ? "Rz"
                        : instruction.has(Modifier.RM)
                                ? "Rm"
                                : instruction.has(Modifier.RP) ? "Rp" : "Rn";
        if (instruction.opcode() == Opcode.ADD && rounding.equals("Rn")) {
            unit.code.fadd();
        } else if (instruction.opcode() == Opcode.SUB && rounding.equals("Rn")) {
            unit.code.fsub();
        } else {
            unit.callMath(Type.F32, instruction.opcode().text() + rounding);
        }
    }
}
