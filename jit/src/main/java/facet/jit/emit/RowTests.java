package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.AffineTests;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Shape;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Tests of the ends of a row that decide for all its lanes; where they cannot, lanes part. */
final class RowTests {
    private static final ClassDesc TESTS = ClassDesc.of(AffineTests.class.getName());
    private static final List<String> RELATIONS = List.of("eq", "ne", "lt", "le", "gt", "ge");

    private final VectorUnit unit;
    private final CodeBuilder code;

    RowTests(VectorUnit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    private int delta(Operand operand) {
        return unit.shape(operand) instanceof Shape.Affine affine
                ? (int) affine.stride() * (unit.lanes() - 1)
                : 0;
    }

    /** {@code setp} of an affine and a uniform value: a scalar result, or lanes part. */
    void endTest(Instruction instruction, Label parting) {
        Type type = instruction.type();
        boolean first = unit.shape(instruction.operand(1)) instanceof Shape.Affine;
        Operand affine = instruction.operand(first ? 1 : 2);
        Operand other = instruction.operand(first ? 2 : 1);
        String written = instruction.suffixes().getFirst().text();
        boolean unsigned = !type.isSigned();
        String relation =
                switch (written) {
                    case "lo" -> "lt";
                    case "ls" -> "le";
                    case "hi" -> "gt";
                    case "hs" -> "ge";
                    default -> written;
                };
        unsigned |= !relation.equals(written);
        int number = RELATIONS.indexOf(first ? relation : mirrored(relation));
        boolean wide = Kind.of(type) == Kind.LONG;
        unit.push(affine, type);
        code.loadConstant(delta(affine));
        unit.push(other, type);
        code.loadConstant(number);
        ClassDesc value = wide ? CD_long : CD_int;
        code.invokestatic(
                TESTS,
                "test" + (unsigned ? "U" : "S") + (wide ? "64" : "32"),
                MethodTypeDesc.of(CD_int, value, CD_int, value, CD_int));
        int result = code.allocateLocal(TypeKind.INT);
        code.istore(result).iload(result).iflt(parting).iload(result);
        unit.store(instruction.operand(0), Type.PRED);
    }

    private static String mirrored(String relation) {
        return switch (relation) {
            case "lt" -> "gt";
            case "le" -> "ge";
            case "gt" -> "lt";
            case "ge" -> "le";
            default -> relation;
        };
    }

    /** A quotient of an affine value is taken for uniform: it is if that of the ends is. */
    void checkQuotient(Instruction instruction, Label parting) {
        Type type = instruction.type();
        unit.push(instruction.operand(1), type);
        code.loadConstant(delta(instruction.operand(1)));
        unit.push(instruction.operand(2), Type.U32);
        code.invokestatic(
                TESTS,
                (instruction.opcode() == Opcode.SHR ? "sameShift" : "sameQuotient")
                        + (type.isSigned() ? "S32" : "U32"),
                MethodTypeDesc.of(CD_boolean, CD_int, CD_int, CD_int));
        code.ifeq(parting);
    }

    /** An affine value of 32 bits becomes one of 64: right for all lanes only if none wraps. */
    void checkWidening(Instruction instruction, Label parting) {
        Type type = instruction.opcode() == Opcode.CVT ? instruction.typeAt(1) : instruction.type();
        boolean signed = type != null && type.isSigned();
        int last = instruction.opcode() == Opcode.CVT ? 1 : 2;
        for (int i = 1; i <= last; i++) {
            Operand operand = instruction.operand(i);
            if (operand instanceof Register && unit.shape(operand) instanceof Shape.Affine) {
                unit.push(operand, Type.B32);
                code.loadConstant(delta(operand));
                code.invokestatic(
                        TESTS,
                        signed ? "wrapsS32" : "wrapsU32",
                        MethodTypeDesc.of(CD_boolean, CD_int, CD_int));
                code.ifne(parting);
            }
        }
    }
}
