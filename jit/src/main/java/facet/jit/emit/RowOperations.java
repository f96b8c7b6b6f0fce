package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.AffineTests;
import facet.jit.runtime.Lanes;
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

/** Instructions done as vector operations, and tests that decide for all lanes of a row at once. */
final class RowOperations {
    private static final ClassDesc TESTS = ClassDesc.of(AffineTests.class.getName());
    private static final List<String> RELATIONS = List.of("eq", "ne", "lt", "le", "gt", "ge");

    private final VectorUnit unit;
    private final CodeBuilder code;

    RowOperations(VectorUnit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    void emit(Instruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU -> {
                Operand into = instruction.operand(0);
                unit.faulting(
                        () -> new Addresses(unit).pushRow(instruction, instruction.operand(1)));
                unit.rows.load(unit.registers.kindOf(into, instruction.type()));
                unit.registers.store(into, unit.registers.kindOf(into, instruction.type()));
            }
            case ST -> {
                Operand from = instruction.operand(1);
                unit.faulting(
                        () -> new Addresses(unit).pushRow(instruction, instruction.operand(0)));
                String kind = unit.registers.kindOf(from, instruction.type());
                unit.rows.store(kind, () -> unit.registers.push(from, kind));
            }
            case MOV -> {
                String kind = unit.registers.kindOf(instruction.operand(0), instruction.type());
                unit.registers.push(instruction.operand(1), kind);
                unit.registers.store(instruction.operand(0), kind);
            }
            default -> operation(instruction, unit.ways().operation(instruction).orElseThrow());
        }
    }

    private void operation(Instruction instruction, String name) {
        Runnable[] values = new Runnable[instruction.operands().size() - 1];
        String suffix = name.substring(name.length() - 3);
        for (int i = 0; i < values.length; i++) {
            Operand operand = instruction.operand(1 + i);
            values[i] = () -> unit.registers.push(operand, suffix);
        }
        switch (name) {
            case "madLoB32" ->
                    unit.rows.operate(
                            "addB32",
                            () -> unit.rows.operate("mulB32", values[0], values[1]),
                            values[2]);
            case "mulLoB32" -> unit.rows.operate("mulB32", values);
            case "rcpF32" -> unit.rows.operate("divF32", this::pushOne, values[0]);
            case "rsqrtF32" ->
                    unit.rows.operate(
                            "divF32", this::pushOne, () -> unit.rows.operate("sqrtF32", values));
            default -> {
                if (RowCalls.has(name)) {
                    unit.rows.operate(name, values);
                } else {
                    method(instruction, name);
                    return;
                }
            }
        }
        unit.registers.store(instruction.operand(0), suffix);
    }

    private void pushOne() {
        unit.rows.spread("F32", () -> code.fconst_1());
    }

    private void method(Instruction instruction, String name) {
        Class<?>[] parameters = VectorUnit.operation(name).getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            Operand operand = instruction.operand(1 + i);
            if (parameters[i] == int.class) {
                unit.push(operand, Type.U32);
            } else {
                unit.registers.push(operand, kind(parameters[i]));
            }
        }
        unit.operate(name);
        unit.registers.store(
                instruction.operand(0), kind(VectorUnit.operation(name).getReturnType()));
    }

    private static String kind(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "FloatVector" -> "F32";
            case "IntVector" -> "B32";
            default -> "Pred";
        };
    }

    private int delta(Operand operand) {
        return unit.shape(operand) instanceof Shape.Affine affine
                ? (int) affine.stride() * (Lanes.COUNT - 1)
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
