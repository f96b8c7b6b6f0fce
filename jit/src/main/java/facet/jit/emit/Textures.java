package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.texture.TextureCalls;
import facet.jit.texture.TextureQueries;
import facet.ptx.Geometry;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.TextureOperands;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@code tex}, {@code tld4}, {@code txq} and {@code istypep} (PTX ISA 9.7.10). */
@SuppressWarnings("EnumOrdinal") // of a process: code and what it calls are made together
final class Textures {
    private static final ClassDesc CALLS = ClassDesc.of(TextureCalls.class.getName());
    private static final ClassDesc QUERIES = ClassDesc.of(TextureQueries.class.getName());
    private static final ClassDesc RESULT = CD_int.arrayType();

    private final Unit unit;

    Textures(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        switch (instruction.opcode()) {
            case TLD4 -> gather(instruction);
            case TXQ, SUQ -> query(instruction);
            case ISTYPEP -> isType(instruction);
            default -> fetch(instruction);
        }
    }

    /** Which texture or surface: a register holds it, a variable or parameter stands for it. */
    static void pushHandle(Unit unit, Operand operand) {
        if (operand instanceof Operand.Symbol symbol) {
            Symbols symbols = new Symbols(unit);
            Symbols.Place place = symbols.place(symbol.name());
            if (place.space() == facet.ptx.Space.PARAM) {
                unit.invariants.pushGridLong("parameters");
                unit.code.loadConstant(place.offset()).ladd();
                unit.code.invokestatic(
                        Addresses.ACCESS, "getB64", MethodTypeDesc.of(CD_long, CD_long));
            } else {
                symbols.push(place, 0);
            }
            return;
        }
        unit.push(operand, Type.U64);
    }

    /** Layer and coordinates, with zeros for those that the geometry does not have. */
    static void pushCoordinates(Unit unit, Geometry geometry, List<Operand> written, Type type) {
        int first = geometry.isLayered() ? 1 : 0;
        if (first == 1) {
            unit.push(written.getFirst(), Type.U32);
        } else {
            unit.code.iconst_0();
        }
        for (int i = 0; i < 3; i++) {
            if (i < geometry.coordinates()) {
                unit.push(written.get(first + i), type);
            } else if (type == Type.F32) {
                unit.code.fconst_0();
            } else {
                unit.code.iconst_0();
            }
        }
    }

    private void pushOffsets(Instruction instruction, int index, int count) {
        List<Operand> offsets =
                index < instruction.operands().size()
                        ? TextureOperands.elements(instruction.operand(index))
                        : List.of();
        for (int i = 0; i < count; i++) {
            if (i < offsets.size()) {
                unit.push(offsets.get(i), Type.S32);
            } else {
                unit.code.iconst_0();
            }
        }
    }

    private void fetch(Instruction instruction) {
        TextureOperands operands = TextureOperands.of(instruction.operand(1));
        Geometry geometry = Geometry.of(instruction);
        boolean level = instruction.has(Modifier.LEVEL);
        boolean gradient = instruction.has(Modifier.GRAD);
        int last = gradient ? 4 : level ? 3 : 2;
        boolean floats = instruction.typeAt(1) == Type.F32;
        boolean offsets = instruction.operands().size() > last;
        boolean plain = floats && !level && !gradient && !offsets && isPlain(geometry);
        unit.code.aload(Unit.BLOCK_SLOT);
        pushHandle(unit, operands.texture());
        if (plain) {
            List<ClassDesc> types = new ArrayList<>(List.of(Unit.BLOCK, CD_long));
            for (int i = 0; i < geometry.coordinates(); i++) {
                unit.push(operands.coordinates().get(i), Type.F32);
                types.add(CD_float);
            }
            unit.code.invokestatic(
                    CALLS, "fetch" + geometry.coordinates(), MethodTypeDesc.of(RESULT, types));
            store(instruction);
            return;
        }
        unit.code.loadConstant(geometry.ordinal());
        Type type = floats ? Type.F32 : Type.S32;
        pushCoordinates(unit, geometry, operands.coordinates(), type);
        if (gradient) {
            pushGradientLevel(instruction, operands, geometry);
        } else if (level) {
            unit.push(instruction.operand(2), type);
        } else if (floats) {
            // The base level, whatever is added to levels.
            unit.code.loadConstant(Float.NEGATIVE_INFINITY);
        } else {
            unit.code.iconst_0();
        }
        pushOffsets(instruction, last, 3);
        ClassDesc value = floats ? CD_float : CD_int;
        unit.code.invokestatic(
                CALLS,
                floats ? "fetch" : "element",
                MethodTypeDesc.of(
                        RESULT,
                        Unit.BLOCK,
                        CD_long,
                        CD_int,
                        CD_int,
                        value,
                        value,
                        value,
                        value,
                        CD_int,
                        CD_int,
                        CD_int));
        store(instruction);
    }

    private static boolean isPlain(Geometry geometry) {
        return switch (geometry) {
            case D1, D2, D3 -> true;
            case LAYERS_1, LAYERS_2, CUBE, CUBES -> false;
        };
    }

    private void pushGradientLevel(
            Instruction instruction, TextureOperands operands, Geometry geometry) {
        unit.code.aload(Unit.BLOCK_SLOT);
        pushHandle(unit, operands.texture());
        unit.code.loadConstant(geometry.ordinal());
        for (int i = 2; i < 4; i++) {
            List<Operand> steps = TextureOperands.elements(instruction.operand(i));
            for (int axis = 0; axis < 3; axis++) {
                if (axis < geometry.coordinates()) {
                    unit.push(steps.get(axis), Type.F32);
                } else {
                    unit.code.fconst_0();
                }
            }
        }
        List<ClassDesc> types = new ArrayList<>(List.of(Unit.BLOCK, CD_long, CD_int));
        types.addAll(Collections.nCopies(6, CD_float));
        unit.code.invokestatic(CALLS, "level", MethodTypeDesc.of(CD_float, types));
    }

    private void gather(Instruction instruction) {
        TextureOperands operands = TextureOperands.of(instruction.operand(1));
        Geometry geometry = Geometry.of(instruction);
        unit.code.aload(Unit.BLOCK_SLOT);
        pushHandle(unit, operands.texture());
        unit.code.loadConstant(geometry.ordinal());
        pushCoordinates(unit, geometry, operands.coordinates(), Type.F32);
        int channel =
                instruction.has(Modifier.R)
                        ? 0
                        : instruction.has(Modifier.G) ? 1 : instruction.has(Modifier.B) ? 2 : 3;
        unit.code.loadConstant(channel);
        pushOffsets(instruction, 2, 2);
        unit.code.invokestatic(
                CALLS,
                "gather",
                MethodTypeDesc.of(
                        RESULT,
                        Unit.BLOCK,
                        CD_long,
                        CD_int,
                        CD_int,
                        CD_float,
                        CD_float,
                        CD_float,
                        CD_int,
                        CD_int,
                        CD_int));
        store(instruction);
    }

    /** From the four results on the stack to the registers; all of a texture is always there. */
    private void store(Instruction instruction) {
        Operand destination = instruction.operand(0);
        if (destination instanceof Operand.PredicatePair pair) {
            unit.code.iconst_1();
            unit.store(pair.second(), Type.PRED);
            destination = pair.first();
        }
        int results = unit.code.allocateLocal(TypeKind.REFERENCE);
        unit.code.astore(results);
        Type type = instruction.type();
        List<Operand> into = Addresses.elements(destination);
        for (int i = 0; i < into.size(); i++) {
            if (into.get(i) instanceof Operand.Sink) {
                continue;
            }
            switch (type) {
                case F16X2 -> {
                    pushHalf(results, 2 * i);
                    pushHalf(results, 2 * i + 1);
                    unit.code.bipush(16).ishl().ior();
                    unit.store(into.get(i), Type.B32);
                }
                case F16 -> {
                    pushHalf(results, i);
                    unit.store(into.get(i), Type.B16);
                }
                case F32 -> {
                    unit.code.aload(results).loadConstant(i).iaload();
                    unit.values.floatOfBits();
                    unit.store(into.get(i), Type.F32);
                }
                default -> {
                    unit.code.aload(results).loadConstant(i).iaload();
                    unit.store(into.get(i), Type.U32);
                }
            }
        }
    }

    private void pushHalf(int results, int index) {
        unit.code.aload(results).loadConstant(index).iaload();
        unit.code.invokestatic(CALLS, "half", MethodTypeDesc.of(CD_int, CD_int));
    }

    private void query(Instruction instruction) {
        boolean surface = instruction.opcode() == Opcode.SUQ;
        unit.code.aload(Unit.BLOCK_SLOT);
        Operand.Address address = (Operand.Address) instruction.operand(1);
        pushHandle(unit, java.util.Objects.requireNonNull(address.base()));
        Modifier query =
                instruction.suffixes().stream()
                        .filter(each -> each instanceof Modifier && each != Modifier.LEVEL)
                        .map(each -> (Modifier) each)
                        .findFirst()
                        .orElseThrow();
        unit.code.loadConstant(query.ordinal());
        if (instruction.has(Modifier.LEVEL)) {
            unit.push(instruction.operand(2), Type.B32);
        } else {
            unit.code.iconst_0();
        }
        unit.code.loadConstant(surface ? 1 : 0);
        unit.code.invokestatic(
                QUERIES,
                "query",
                MethodTypeDesc.of(CD_int, Unit.BLOCK, CD_long, CD_int, CD_int, CD_boolean));
        unit.store(instruction.operand(0), Type.B32);
    }

    /** A sampler is part of its texture: nothing is one by itself. */
    private void isType(Instruction instruction) {
        if (instruction.has(Type.SAMPLERREF)) {
            unit.code.iconst_0();
        } else {
            unit.code.aload(Unit.BLOCK_SLOT);
            pushHandle(unit, instruction.operand(1));
            unit.code.loadConstant(instruction.has(Type.SURFREF) ? 1 : 0);
            unit.code.invokestatic(
                    QUERIES, "is", MethodTypeDesc.of(CD_boolean, Unit.BLOCK, CD_long, CD_boolean));
        }
        unit.store(instruction.operand(0), Type.PRED);
    }
}
