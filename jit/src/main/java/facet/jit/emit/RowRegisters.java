package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.LaneShapes;
import facet.jit.runtime.Lanes;
import facet.jit.runtime.WideVectors;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Shape;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the registers of a row are. Uniform and affine ones are scalars that hold the first lane's
 * value; varying ones are vectors, or arrays where there is no vector for them.
 */
final class RowRegisters {
    private static final int MOST_PARTS = 64;

    private final VectorUnit unit;
    private final LaneShapes shapes;
    private final MaskedSections masked;
    private final Map<Integer, Integer> vectors = new HashMap<>();

    RowRegisters(VectorUnit unit, LaneShapes shapes, MaskedSections masked) {
        this.unit = unit;
        this.shapes = shapes;
        this.masked = masked;
    }

    boolean isVarying(Register register) {
        return shapes.of(register).isVarying();
    }

    long stride(Operand operand) {
        return shapes.of(operand) instanceof Shape.Affine affine ? affine.stride() : 0;
    }

    private int vector(Register register, int part) {
        TypeKind kind = register.type() == Type.PRED ? TypeKind.INT : TypeKind.REFERENCE;
        return vectors.computeIfAbsent(
                register.id() * MOST_PARTS + part, id -> unit.code.allocateLocal(kind));
    }

    /** Lanes of one vector of the kind. */
    static int lanes(String kind) {
        return kind.endsWith("64") ? WideVectors.HALF : Lanes.COUNT;
    }

    /** Vectors that a row of the kind takes; a predicate is one int. */
    int parts(String kind) {
        return kind.endsWith("Pred") ? 1 : unit.lanes() / lanes(kind);
    }

    int parts(Register register) {
        return parts(suffix(register));
    }

    /** Pushes a vector of a varying register, a predicate's as bits. */
    void pushLocal(Register register, int part) {
        if (register.type() == Type.PRED) {
            unit.code.iload(vector(register, 0));
        } else {
            unit.code.aload(vector(register, part)).checkcast(RowCalls.type(suffix(register)));
        }
    }

    /** Stores what is on the stack as a vector of a varying register, for all lanes. */
    void storeLocal(Register register, int part) {
        if (register.type() == Type.PRED) {
            unit.code.istore(vector(register, 0));
        } else {
            unit.code.astore(vector(register, part));
        }
    }

    static ClassDesc element(Kind kind) {
        return switch (kind) {
            case INT -> CD_int;
            case LONG, DOUBLE -> CD_long;
            case FLOAT -> CD_float;
        };
    }

    /** The array of a varying register, one element a lane. */
    void pushArray(Register register) {
        ClassDesc element = element(unit.kinds.of(register));
        unit.code.aload(
                unit.invariants.of(
                        "array " + register.id(),
                        TypeKind.REFERENCE,
                        () ->
                                unit.code
                                        .loadConstant(unit.lanes())
                                        .newarray(TypeKind.from(element))));
    }

    /** F32, B32, F64, B64 or Pred: what a vector of the register is. */
    String suffix(Register register) {
        if (register.type() == Type.PRED) {
            return "Pred";
        }
        return switch (unit.kinds.of(register)) {
            case FLOAT -> "F32";
            case INT -> "B32";
            case DOUBLE -> "F64";
            case LONG -> "B64";
        };
    }

    /** Pushes all lanes of the operand as a vector of the kind, or a half of them. */
    void push(Operand operand, String kind, int part) {
        Operand plain = operand instanceof Operand.NotPredicate not ? not.predicate() : operand;
        if (plain instanceof Register register && isVarying(register)) {
            pushLocal(register, part);
            convert(suffix(register), kind);
            if (operand instanceof Operand.NotPredicate) {
                unit.code.loadConstant(unit.allLanes()).ixor();
            }
            return;
        }
        switch (kind) {
            case "F32" -> unit.rows.spread(kind, () -> unit.push(operand, Type.F32));
            case "F64" -> unit.rows.spread(kind, () -> unit.push(operand, Type.F64));
            case "Pred" -> {
                unit.push(operand, Type.PRED);
                unit.code.ineg().loadConstant(unit.allLanes()).iand();
            }
            case "B64" -> pushWide(operand, part);
            default -> {
                if (stride(operand) != 0) {
                    int stride = (int) stride(operand);
                    unit.push(operand, Type.B32);
                    if (part > 0) {
                        unit.code.loadConstant(part * Lanes.COUNT * stride).iadd();
                    }
                    unit.code.loadConstant(stride);
                    unit.operate("rampB32");
                } else {
                    unit.rows.spread("B32", () -> unit.push(operand, narrow(operand)));
                }
            }
        }
    }

    private void pushWide(Operand operand, int part) {
        long stride = stride(operand);
        if (stride == 0) {
            unit.rows.spread("B64", () -> unit.push(operand, Type.B64));
            return;
        }
        unit.push(operand, Type.B64);
        if (part > 0) {
            unit.code.loadConstant((long) part * WideVectors.HALF * stride).ladd();
        }
        unit.code.loadConstant(stride);
        unit.operate("rampB64");
    }

    /** Registers of 16 bits are zero-extended. */
    private static Type narrow(Operand operand) {
        return operand instanceof Register register && register.type().bits() == 16
                ? Type.U16
                : Type.B32;
    }

    void push(Operand operand, String kind) {
        push(operand, kind, 0);
    }

    private void convert(String from, String to) {
        switch (from + " " + to) {
            case "F32 B32" -> unit.operate("asInts");
            case "B32 F32" -> unit.operate("asFloats");
            case "F64 B64" -> unit.operate("asLongs");
            case "B64 F64" -> unit.operate("asDoubles");
            default -> {}
        }
    }

    void store(Operand operand, String kind) {
        store(operand, kind, 0);
    }

    /** Stores what is on the stack, in lanes that are there. */
    void store(Operand operand, String kind, int part) {
        Register register = (Register) operand;
        convert(kind, suffix(register));
        if (masked.keeps(register)) {
            blend(register, part);
        }
        storeLocal(register, part);
    }

    /** Lanes that are elsewhere keep what they have. */
    private void blend(Register register, int part) {
        if (register.type() == Type.PRED) {
            pushLocal(register, part);
            masked.pushMask();
            unit.operate("selectPred");
            return;
        }
        int value = unit.code.allocateLocal(TypeKind.REFERENCE);
        String suffix = suffix(register);
        unit.code.astore(value);
        unit.rows.select(
                suffix,
                () -> unit.code.aload(value),
                () -> pushLocal(register, part),
                () -> {
                    masked.pushMask();
                    part(suffix, part);
                });
    }

    /** Replaces bits of all lanes on the stack by those of a vector. */
    void part(String kind, int part) {
        if (part > 0) {
            unit.code.loadConstant(part * lanes(kind)).iushr();
        }
    }

    /** Adds bits of a vector, on top of the stack, to those of the vectors before it. */
    void join(String kind, int part) {
        if (part > 0) {
            unit.code.loadConstant(part * lanes(kind)).ishl().ior();
        }
    }

    String kindOf(Operand operand, Type type) {
        if (operand instanceof Register register) {
            return suffix(register);
        }
        return switch (type) {
            case F32 -> "F32";
            case F64 -> "F64";
            default -> type.bits() == 64 ? "B64" : "B32";
        };
    }
}
