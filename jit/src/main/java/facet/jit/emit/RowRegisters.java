package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.LaneShapes;
import facet.jit.runtime.Lanes;
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
    private final VectorUnit unit;
    private final LaneShapes shapes;
    private final Map<Integer, Integer> vectors = new HashMap<>();

    RowRegisters(VectorUnit unit, LaneShapes shapes) {
        this.unit = unit;
        this.shapes = shapes;
    }

    boolean isVarying(Register register) {
        return shapes.of(register).isVarying();
    }

    long stride(Operand operand) {
        return shapes.of(operand) instanceof Shape.Affine affine ? affine.stride() : 0;
    }

    int vector(Register register) {
        return vectors.computeIfAbsent(
                register.id(), id -> unit.code.allocateLocal(TypeKind.REFERENCE));
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
                                        .loadConstant(Lanes.COUNT)
                                        .newarray(TypeKind.from(element))));
    }

    /** F32, B32 or Pred: what a vector of the register is. */
    String suffix(Register register) {
        return register.type() == Type.PRED
                ? "Pred"
                : unit.kinds.of(register) == Kind.FLOAT ? "F32" : "B32";
    }

    /** Pushes all lanes of the operand as a vector of the kind. */
    void push(Operand operand, String kind) {
        Operand plain = operand instanceof Operand.NotPredicate not ? not.predicate() : operand;
        if (plain instanceof Register register && isVarying(register)) {
            unit.code.aload(vector(register)).checkcast(type(suffix(register)));
            convert(suffix(register), kind);
            if (operand instanceof Operand.NotPredicate) {
                unit.operate("notPred");
            }
            return;
        }
        switch (kind) {
            case "F32" -> unit.rows.spread("F32", () -> unit.push(operand, Type.F32));
            case "Pred" -> {
                unit.push(operand, Type.PRED);
                unit.operate("spreadPred");
            }
            default -> {
                if (stride(operand) != 0) {
                    unit.push(operand, Type.B32);
                    unit.code.loadConstant((int) stride(operand));
                    unit.operate("rampB32");
                } else {
                    unit.rows.spread("B32", () -> unit.push(operand, Type.B32));
                }
            }
        }
    }

    static ClassDesc type(String kind) {
        return VectorUnit.operation("spread" + kind)
                .getReturnType()
                .describeConstable()
                .orElseThrow();
    }

    private void convert(String from, String to) {
        if (from.equals("F32") && to.equals("B32")) {
            unit.operate("asInts");
        } else if (from.equals("B32") && to.equals("F32")) {
            unit.operate("asFloats");
        }
    }

    void store(Operand operand, String kind) {
        Register register = (Register) operand;
        convert(kind, suffix(register));
        unit.code.astore(vector(register));
    }

    String kindOf(Operand operand, Type type) {
        if (operand instanceof Register register) {
            return suffix(register);
        }
        return type == Type.F32 ? "F32" : "B32";
    }
}
