package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.texture.SurfaceCalls;
import facet.ptx.Geometry;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.TextureOperands;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** {@code suld}, {@code sust} and {@code sured} (PTX ISA 9.7.11). */
@SuppressWarnings("EnumOrdinal") // of a process: code and what it calls are made together
final class Surfaces {
    private static final ClassDesc CALLS = ClassDesc.of(SurfaceCalls.class.getName());
    private static final List<Modifier> REDUCTIONS =
            List.of(Modifier.ADD, Modifier.MIN, Modifier.MAX, Modifier.AND, Modifier.OR);

    private final Unit unit;

    Surfaces(Unit unit) {
        this.unit = unit;
    }

    /** Finds where the access goes, and keeps it in a local variable. */
    private int place(Instruction instruction, Operand where, int bytes) {
        unit.code.aload(Unit.BLOCK_SLOT);
        pushPlace(instruction, where);
        unit.code.loadConstant(bytes).loadConstant(edge(instruction));
        unit.code.invokestatic(
                CALLS,
                instruction.has(Modifier.P) ? "element" : "place",
                MethodTypeDesc.of(
                        CD_long,
                        Unit.BLOCK,
                        CD_long,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int));
        int raw = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(raw);
        return raw;
    }

    private void pushPlace(Instruction instruction, Operand where) {
        TextureOperands operands = TextureOperands.of(where);
        Geometry geometry = Geometry.of(instruction);
        Textures.pushHandle(unit, operands.texture());
        unit.code.loadConstant(geometry.ordinal());
        Textures.pushCoordinates(unit, geometry, operands.coordinates(), Type.S32);
    }

    private static int edge(Instruction instruction) {
        return instruction.has(Modifier.CLAMP)
                ? SurfaceCalls.CLAMP
                : instruction.has(Modifier.ZERO) ? SurfaceCalls.ZERO : SurfaceCalls.TRAP;
    }

    void load(Instruction instruction) {
        Type type = instruction.type();
        List<Operand> into = Addresses.elements(instruction.operand(0));
        int raw = place(instruction, instruction.operand(1), type.bytes(into.size()));
        for (int i = 0; i < into.size(); i++) {
            unit.code.lload(raw).loadConstant(type.bytes(i));
            ClassDesc value = type.bits() == 64 ? CD_long : CD_int;
            unit.code.invokestatic(
                    CALLS, "load" + type.bits(), MethodTypeDesc.of(value, CD_long, CD_int));
            unit.store(into.get(i), type);
        }
    }

    void store(Instruction instruction) {
        if (instruction.has(Modifier.P)) {
            storeFormatted(instruction);
            return;
        }
        Type type = instruction.type();
        List<Operand> from = Addresses.elements(instruction.operand(1));
        int raw = place(instruction, instruction.operand(0), type.bytes(from.size()));
        ClassDesc value = type.bits() == 64 ? CD_long : CD_int;
        for (int i = 0; i < from.size(); i++) {
            unit.push(from.get(i), type);
            unit.code.lload(raw).loadConstant(type.bytes(i));
            unit.code.invokestatic(
                    CALLS,
                    "store" + type.bits(),
                    MethodTypeDesc.of(CD_void, value, CD_long, CD_int));
        }
    }

    /** One call: between two the surface that a variable names could become another one. */
    private void storeFormatted(Instruction instruction) {
        List<Operand> from = Addresses.elements(instruction.operand(1));
        for (int i = 0; i < 4; i++) {
            if (i < from.size()) {
                unit.push(from.get(i), Type.B32);
            } else {
                unit.code.iconst_0();
            }
        }
        unit.code.loadConstant(from.size()).aload(Unit.BLOCK_SLOT);
        pushPlace(instruction, instruction.operand(0));
        unit.code.loadConstant(edge(instruction));
        unit.code.invokestatic(
                CALLS,
                "store",
                MethodTypeDesc.of(
                        CD_void,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        Unit.BLOCK,
                        CD_long,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int,
                        CD_int));
    }

    void reduce(Instruction instruction) {
        Type type = instruction.type();
        boolean wide = type.bits() == 64;
        Modifier operation = REDUCTIONS.stream().filter(instruction::has).findFirst().orElseThrow();
        if (instruction.has(Modifier.P) && !wide) {
            unit.push(instruction.operand(1), type);
            unit.code.loadConstant(operation.ordinal()).aload(Unit.BLOCK_SLOT);
            pushPlace(instruction, instruction.operand(0));
            unit.code.loadConstant(edge(instruction));
            unit.code.invokestatic(
                    CALLS,
                    "reduceElement",
                    MethodTypeDesc.of(
                            CD_void,
                            CD_int,
                            CD_int,
                            Unit.BLOCK,
                            CD_long,
                            CD_int,
                            CD_int,
                            CD_int,
                            CD_int,
                            CD_int,
                            CD_int));
            return;
        }
        int raw = place(instruction, instruction.operand(0), type.bytes());
        unit.push(instruction.operand(1), type);
        unit.code.lload(raw).loadConstant(operation.ordinal());
        unit.code.loadConstant(type.isSigned() ? 1 : 0);
        unit.code.invokestatic(
                CALLS,
                wide ? "reduce64" : "reduce32",
                MethodTypeDesc.of(CD_void, wide ? CD_long : CD_int, CD_long, CD_int, CD_boolean));
    }
}
