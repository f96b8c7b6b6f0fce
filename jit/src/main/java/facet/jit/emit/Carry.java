package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.CarryMath;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Extended-precision arithmetic (PTX ISA 9.7.2): {@code add.cc}, {@code addc}, {@code sub.cc},
 * {@code subc}, {@code mad.cc}, {@code madc}. A product is added like any other value.
 */
final class Carry {
    private static final ClassDesc MATH = ClassDesc.of(CarryMath.class.getName());

    private final Unit unit;

    Carry(Unit unit) {
        this.unit = unit;
    }

    static boolean handles(Instruction instruction) {
        return switch (instruction.opcode()) {
            case ADDC, SUBC, MADC -> true;
            case ADD, SUB, MAD -> instruction.has(Modifier.CC);
            default -> false;
        };
    }

    void emit(Instruction instruction) {
        Type type = instruction.type();
        Kind kind = Kind.of(type);
        boolean wide = kind == Kind.LONG;
        Opcode opcode = instruction.opcode();
        boolean reads = opcode == Opcode.ADDC || opcode == Opcode.SUBC || opcode == Opcode.MADC;
        boolean subtracts = opcode == Opcode.SUB || opcode == Opcode.SUBC;
        int a = unit.code.allocateLocal(StackValues.typeKind(kind));
        int b = unit.code.allocateLocal(StackValues.typeKind(kind));
        int carryIn = unit.code.allocateLocal(TypeKind.INT);
        if (opcode == Opcode.MAD || opcode == Opcode.MADC) {
            unit.push(instruction.operand(1), type);
            unit.push(instruction.operand(2), type);
            if (instruction.has(Modifier.HI)) {
                unit.callMath(type, "mulHi" + Intrinsics.name(type));
            } else if (wide) {
                unit.code.lmul();
            } else {
                unit.code.imul();
            }
            unit.code.storeLocal(StackValues.typeKind(kind), a);
            unit.push(instruction.operand(3), type);
        } else {
            unit.push(instruction.operand(1), type);
            unit.code.storeLocal(StackValues.typeKind(kind), a);
            unit.push(instruction.operand(2), type);
        }
        unit.code.storeLocal(StackValues.typeKind(kind), b);
        int carry = unit.carrySlot();
        if (reads) {
            unit.code.iload(carry);
        } else {
            unit.code.iconst_0();
        }
        unit.code.istore(carryIn);
        String name = (subtracts ? "borrow" : "carry") + (wide ? "64" : "32");
        if (instruction.has(Modifier.CC)) {
            operands(kind, a, b, carryIn);
            ClassDesc value = wide ? CD_long : CD_int;
            unit.code.invokestatic(MATH, name, MethodTypeDesc.of(CD_int, value, value, CD_int));
            unit.code.istore(carry);
        }
        unit.code.loadLocal(StackValues.typeKind(kind), a).loadLocal(StackValues.typeKind(kind), b);
        combine(subtracts, wide);
        unit.code.iload(carryIn);
        if (wide) {
            unit.code.i2l();
        }
        combine(subtracts, wide);
        unit.store(instruction.operand(0), type);
    }

    private void combine(boolean subtracts, boolean wide) {
        if (subtracts) {
            if (wide) {
                unit.code.lsub();
            } else {
                unit.code.isub();
            }
        } else if (wide) {
            unit.code.ladd();
        } else {
            unit.code.iadd();
        }
    }

    private void operands(Kind kind, int a, int b, int carryIn) {
        unit.code
                .loadLocal(StackValues.typeKind(kind), a)
                .loadLocal(StackValues.typeKind(kind), b)
                .iload(carryIn);
    }
}
