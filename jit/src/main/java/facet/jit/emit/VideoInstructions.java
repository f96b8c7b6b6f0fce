package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;

import facet.jit.math.Video;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/** {@code vadd2}, {@code vset4} and their like (PTX ISA 9.7.18). */
final class VideoInstructions {
    private static final ClassDesc VIDEO = ClassDesc.of(Video.class.getName());
    private static final MethodTypeDesc SIGNATURE =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_int, CD_int);
    private static final Set<Modifier> NOT_IN_NAME = Set.of(Modifier.SAT, Modifier.ADD);

    private final Unit unit;

    VideoInstructions(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        for (int i = 1; i <= 3; i++) {
            unit.push(instruction.operand(i), Type.B32);
        }
        unit.code.loadConstant(form(instruction));
        unit.code.invokestatic(VIDEO, name(instruction), SIGNATURE);
        unit.store(instruction.operand(0), Type.B32);
    }

    /** {@code vset4.….lt} is {@code vsetLt}. */
    private static String name(Instruction instruction) {
        String text = instruction.opcode().text();
        StringBuilder name = new StringBuilder(text.substring(0, text.length() - 1));
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Modifier modifier && !NOT_IN_NAME.contains(modifier)) {
                name.append(Intrinsics.capital(modifier.text()));
            }
        }
        return name.toString();
    }

    private static int form(Instruction instruction) {
        boolean result = instruction.typeAt(2) != null; // vset names only its sources
        int first = result ? 1 : 0;
        int form = instruction.opcode().text().endsWith("4") ? Video.BYTES : 0;
        form |= isSigned(instruction, first) ? Video.SIGNED_A : 0;
        form |= isSigned(instruction, first + 1) ? Video.SIGNED_B : 0;
        form |= result && isSigned(instruction, 0) ? Video.SIGNED : 0;
        form |= instruction.has(Modifier.SAT) ? Video.SAT : 0;
        return form | (instruction.has(Modifier.ADD) ? Video.ADD : 0);
    }

    private static boolean isSigned(Instruction instruction, int index) {
        return instruction.typeAt(index) == Type.S32;
    }
}
