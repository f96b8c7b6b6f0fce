package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;

/** Loads and stores (PTX ISA 9.7.9.8 to 9.7.9.12). */
final class Memory {
    private final Unit unit;
    private final Addresses addresses;

    Memory(Unit unit) {
        this.unit = unit;
        this.addresses = new Addresses(unit);
    }

    private static ClassDesc desc(Kind kind) {
        return switch (kind) {
            case INT -> CD_int;
            case LONG -> CD_long;
            case FLOAT -> CD_float;
            case DOUBLE -> CD_double;
        };
    }

    /**
     * Whether other threads are to see or be seen: the JVM must not keep the value in a register.
     */
    private static boolean isStrong(Instruction instruction) {
        return instruction.has(Modifier.VOLATILE)
                || instruction.has(Modifier.RELAXED)
                || instruction.has(Modifier.ACQUIRE)
                || instruction.has(Modifier.RELEASE)
                || instruction.has(Modifier.MMIO)
                || instruction.has(Modifier.CV);
    }

    void load(Instruction instruction) {
        Type type = instruction.type();
        List<Operand> into = Addresses.elements(instruction.operand(0));
        Operand.Address address = (Operand.Address) instruction.operand(1);
        int count = type == Type.B128 ? 2 : into.size();
        int width = type.bytes(into.size());
        Optional<Integer> parameter = addresses.parameterOffset(instruction, address, width);
        if (parameter.isPresent()) {
            for (int i = 0; i < count; i++) {
                loadParameter(into.get(type == Type.B128 ? 0 : i), i, type, parameter.get());
            }
            return;
        }
        addresses.pushRaw(instruction, address, width);
        boolean strong = isStrong(instruction);
        if (count == 1) {
            get(preferred(type, into.getFirst(), strong), strong);
            unit.store(into.getFirst(), preferred(type, into.getFirst(), strong));
            return;
        }
        int raw = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(raw);
        int step = type == Type.B128 ? 8 : type.bytes();
        for (int i = 0; i < count; i++) {
            unit.code.lload(raw);
            if (i > 0) {
                unit.code.loadConstant((long) i * step).ladd();
            }
            if (type == Type.B128) {
                get(Type.B64, strong);
                unit.storeRegister((Register) into.getFirst(), i, Type.B64);
            } else {
                Type each = preferred(type, into.get(i), strong);
                get(each, strong);
                unit.store(into.get(i), each);
            }
        }
    }

    private void loadParameter(Operand into, int index, Type type, int offset) {
        boolean pair = type == Type.B128;
        Type each = pair ? Type.B64 : preferred(type, into, false);
        int at = offset + each.bytes(index); // bounded: inside of the parameter
        int slot =
                unit.invariants.of(
                        "parameter " + at + " " + each,
                        StackValues.typeKind(Kind.of(each)),
                        () -> {
                            unit.invariants.pushGrid();
                            unit.code
                                    .invokevirtual(
                                            Unit.GRID, "parameters", MethodTypeDesc.of(CD_long))
                                    .loadConstant((long) at)
                                    .ladd();
                            get(each, false);
                        });
        unit.code.loadLocal(StackValues.typeKind(Kind.of(each)), slot);
        if (pair) {
            unit.storeRegister((Register) into, index, Type.B64);
        } else {
            unit.store(into, each);
        }
    }

    /** A load into a register kept as a float loads a float, whatever the instruction calls it. */
    private Type preferred(Type type, Operand operand, boolean strong) {
        if (!strong
                && operand instanceof Register register
                && register.type().bits() == type.bits()) {
            if (unit.kinds.of(register) == Kind.FLOAT) {
                return Type.F32;
            }
            if (unit.kinds.of(register) == Kind.DOUBLE) {
                return Type.F64;
            }
        }
        return type;
    }

    private static String name(Type type, boolean signed) {
        return switch (type.bits()) {
            case 8 -> signed && type.isSigned() ? "S8" : signed ? "U8" : "B8";
            case 16 -> signed && type.isSigned() ? "S16" : signed ? "U16" : "B16";
            case 64 -> "B64";
            default -> "B32";
        };
    }

    private void get(Type type, boolean strong) {
        Kind kind = Kind.of(type);
        if (!strong && (kind == Kind.FLOAT || kind == Kind.DOUBLE)) {
            unit.code.invokestatic(
                    Addresses.ACCESS,
                    kind == Kind.FLOAT ? "getF32" : "getF64",
                    MethodTypeDesc.of(desc(kind), CD_long));
            return;
        }
        String name = (strong ? "getVolatile" : "get") + name(type, true);
        ClassDesc bits = type.bits() == 64 ? CD_long : CD_int;
        unit.code.invokestatic(Addresses.ACCESS, name, MethodTypeDesc.of(bits, CD_long));
        if (kind == Kind.FLOAT) {
            unit.values.floatOfBits();
        } else if (kind == Kind.DOUBLE) {
            unit.values.doubleOfBits();
        }
    }

    void store(Instruction instruction) {
        Type type = instruction.type();
        Operand.Address address = (Operand.Address) instruction.operand(0);
        List<Operand> from = Addresses.elements(instruction.operand(1));
        int count = type == Type.B128 ? 2 : from.size();
        addresses.pushRaw(instruction, address, type.bytes(from.size()));
        boolean strong = isStrong(instruction);
        if (count == 1) {
            Type each = preferred(type, from.getFirst(), strong);
            unit.push(from.getFirst(), each);
            put(each, strong);
            return;
        }
        int raw = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(raw);
        int step = type == Type.B128 ? 8 : type.bytes();
        for (int i = 0; i < count; i++) {
            unit.code.lload(raw);
            if (i > 0) {
                unit.code.loadConstant((long) i * step).ladd();
            }
            if (type == Type.B128) {
                unit.pushRegister((Register) from.getFirst(), i, Type.B64);
                put(Type.B64, strong);
            } else {
                Type each = preferred(type, from.get(i), strong);
                unit.push(from.get(i), each);
                put(each, strong);
            }
        }
    }

    private void put(Type type, boolean strong) {
        Kind kind = Kind.of(type);
        if (!strong && (kind == Kind.FLOAT || kind == Kind.DOUBLE)) {
            unit.code.invokestatic(
                    Addresses.ACCESS,
                    kind == Kind.FLOAT ? "putF32" : "putF64",
                    MethodTypeDesc.of(CD_void, CD_long, desc(kind)));
            return;
        }
        if (kind == Kind.FLOAT) {
            unit.values.bitsOfFloat();
        } else if (kind == Kind.DOUBLE) {
            unit.values.bitsOfDouble();
        }
        ClassDesc bits = type.bits() == 64 ? CD_long : CD_int;
        unit.code.invokestatic(
                Addresses.ACCESS,
                (strong ? "putVolatile" : "put") + name(type, false),
                MethodTypeDesc.of(CD_void, CD_long, bits));
    }

    void fence() {
        unit.code.invokestatic(Addresses.ACCESS, "fence", MethodTypeDesc.of(CD_void));
    }
}
