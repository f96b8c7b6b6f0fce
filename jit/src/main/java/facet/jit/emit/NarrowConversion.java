package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;

import facet.jit.math.Minifloat;
import facet.jit.math.Narrow;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Type;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** {@code cvt} of floats of 4, 6 and 8 bits (PTX ISA 9.7.9.21). */
final class NarrowConversion {
    private static final ClassDesc NARROW = ClassDesc.of(Narrow.class.getName());
    private static final ClassDesc FORMAT = ClassDesc.of(Minifloat.class.getName());

    private final Unit unit;

    NarrowConversion(Unit unit) {
        this.unit = unit;
    }

    static boolean handles(Type to, Type from) {
        return isNarrow(to) || isNarrow(from);
    }

    private static boolean isNarrow(Type type) {
        return switch (type) {
            case E4M3X2, E5M2X2, E2M3X2, E3M2X2, E2M1X2, UE8M0X2 -> true;
            default -> false;
        };
    }

    void emit(Instruction instruction, Type to, Type from) {
        if (to == Type.UE8M0X2 || from == Type.UE8M0X2) {
            scales(instruction, to, from);
        } else if (isNarrow(from)) {
            unit.push(instruction.operand(1), Type.ofBits(from.bits()));
            pushFormat(instruction, from);
            call("toHalves", MethodTypeDesc.of(CD_int, CD_int, FORMAT, CD_boolean));
        } else if (from == Type.F16X2) {
            unit.push(instruction.operand(1), Type.B32);
            pushFormat(instruction, to);
            call("fromHalves", MethodTypeDesc.of(CD_int, CD_int, FORMAT, CD_boolean));
        } else {
            unit.push(instruction.operand(1), Type.F32);
            unit.push(instruction.operand(2), Type.F32);
            pushFormat(instruction, to);
            call("fromFloats", MethodTypeDesc.of(CD_int, CD_float, CD_float, FORMAT, CD_boolean));
        }
        unit.store(instruction.operand(0), Type.ofBits(to.bits()));
    }

    private void scales(Instruction instruction, Type to, Type from) {
        if (to == Type.BF16X2) {
            unit.push(instruction.operand(1), Type.B16);
            call("fromScales", MethodTypeDesc.of(CD_int, CD_int));
            return;
        }
        boolean up = instruction.has(Modifier.RP);
        boolean satfinite = instruction.has(Modifier.SATFINITE);
        if (from == Type.BF16X2) {
            unit.push(instruction.operand(1), Type.B32);
            unit.code.loadConstant(up ? 1 : 0).loadConstant(satfinite ? 1 : 0);
            call("brainToScales", MethodTypeDesc.of(CD_int, CD_int, CD_boolean, CD_boolean));
            return;
        }
        unit.push(instruction.operand(1), Type.F32);
        unit.push(instruction.operand(2), Type.F32);
        unit.code.loadConstant(up ? 1 : 0).loadConstant(satfinite ? 1 : 0);
        call("toScales", MethodTypeDesc.of(CD_int, CD_float, CD_float, CD_boolean, CD_boolean));
    }

    private void pushFormat(Instruction instruction, Type type) {
        String name = type.name().substring(0, type.name().length() - "X2".length());
        unit.code.getstatic(FORMAT, name, FORMAT);
        unit.code.loadConstant(instruction.has(Modifier.RELU) ? 1 : 0);
    }

    private void call(String name, MethodTypeDesc signature) {
        unit.code.invokestatic(NARROW, name, signature);
    }
}
