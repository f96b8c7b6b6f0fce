package facet.jit.emit;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;

/** {@code cvt} (PTX ISA 9.7.9.21). */
final class Conversion {
    private static final Set<Modifier> ROUNDINGS =
            Set.of(
                    Modifier.RN,
                    Modifier.RZ,
                    Modifier.RM,
                    Modifier.RP,
                    Modifier.RNI,
                    Modifier.RZI,
                    Modifier.RMI,
                    Modifier.RPI,
                    Modifier.RNA,
                    Modifier.RS);

    private final Unit unit;
    private final CodeBuilder code;

    Conversion(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    void emit(Instruction instruction) {
        Type to = instruction.type();
        Type from = instruction.typeAt(1);
        if (from == null) {
            throw Unit.unsupported(instruction, "needs two types");
        }
        if (NarrowConversion.handles(to, from)) {
            new NarrowConversion(unit).emit(instruction, to, from);
        } else if (to == Type.F16X2 || to == Type.BF16X2 || to == Type.TF32) {
            packed(instruction, to, from);
        } else if (!to.isFloat() && !from.isFloat()) {
            integers(instruction, to, from);
        } else if (to.isFloat() && !from.isFloat()) {
            toFloat(instruction, to, from);
        } else if (!to.isFloat()) {
            toInteger(instruction, to, from);
        } else {
            floats(instruction, to, from);
        }
    }

    private static String rounding(Instruction instruction, String otherwise) {
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Modifier modifier && ROUNDINGS.contains(modifier)) {
                return Intrinsics.capital(modifier.text());
            }
        }
        return otherwise;
    }

    private void convert(Instruction instruction, String... names) {
        Optional<Method> method = Intrinsics.conversion(names);
        unit.call(
                method.orElseThrow(
                        () -> Unit.unsupported(instruction, "this conversion is not supported")));
    }

    private void integers(Instruction instruction, Type to, Type from) {
        if (instruction.has(Modifier.SAT) && saturates(to, from)) {
            unit.push(instruction.operand(1), from);
            if (Kind.of(from) == Kind.INT) {
                unit.values.widen(from.isSigned());
            }
            String source = from.isSigned() ? "S64" : "U64";
            convert(instruction, "sat" + Intrinsics.name(to) + "From" + source);
            if (Kind.of(to) == Kind.INT) {
                unit.values.narrow(to);
            }
        } else {
            unit.push(instruction.operand(1), from);
            if (Kind.of(from) == Kind.LONG && Kind.of(to) == Kind.INT) {
                code.l2i();
            } else if (Kind.of(from) == Kind.INT && Kind.of(to) == Kind.LONG) {
                unit.values.widen(from.isSigned());
            }
            if (to.bits() < 32) {
                unit.values.narrow(to);
            }
        }
        unit.store(instruction.operand(0), to);
    }

    /** Whether any value of the source type is outside the destination's range. */
    private static boolean saturates(Type to, Type from) {
        boolean fits =
                to.isSigned() == from.isSigned()
                        ? to.bits() >= from.bits()
                        : to.isSigned() && to.bits() > from.bits();
        return !fits;
    }

    private void toFloat(Instruction instruction, Type to, Type from) {
        boolean wide = from.bits() == 64;
        unit.push(instruction.operand(1), from);
        String rounding = rounding(instruction, "Rn");
        if (from.isSigned() && rounding.equals("Rn") && (to == Type.F32 || to == Type.F64)) {
            if (to == Type.F32) {
                if (wide) {
                    code.l2f();
                } else {
                    code.i2f();
                }
            } else if (wide) {
                code.l2d();
            } else {
                code.i2d();
            }
        } else {
            String name =
                    (from.isSigned() ? "s" : "u")
                            + (wide ? "64" : "32")
                            + "To"
                            + Intrinsics.name(to);
            convert(instruction, name + rounding);
        }
        saturate(instruction, to);
        unit.store(instruction.operand(0), to);
    }

    private void saturate(Instruction instruction, Type type) {
        if (instruction.has(Modifier.SAT)) {
            unit.callMath(type, "sat");
        }
    }

    private void toInteger(Instruction instruction, Type to, Type from) {
        Type source = pushSource(instruction, from);
        String rounding = rounding(instruction, "Rzi");
        if (rounding.equals("Rzi") && to == Type.S32 && source == Type.F32) {
            code.f2i();
        } else {
            convert(instruction, source.text() + "To" + Intrinsics.name(to) + rounding);
            if (to.bits() < 32) {
                unit.values.narrow(to);
            }
        }
        unit.store(instruction.operand(0), to);
    }

    /** Pushes the source, halves as f32, which holds them exactly; returns the type pushed. */
    private Type pushSource(Instruction instruction, Type from) {
        unit.push(instruction.operand(1), from);
        boolean flush = instruction.has(Modifier.FTZ);
        if (from == Type.F16 || from == Type.BF16) {
            convert(instruction, from.text() + "ToF32");
            return Type.F32;
        }
        new Arithmetic(unit).flush(from, flush && from == Type.F32);
        return from;
    }

    private void floats(Instruction instruction, Type to, Type from) {
        boolean flush = instruction.has(Modifier.FTZ);
        unit.push(instruction.operand(1), from);
        new Arithmetic(unit).flush(from, flush && from == Type.F32);
        String rounding = rounding(instruction, "");
        if (to == from) {
            if (!rounding.isEmpty()) {
                String integral = rounding.endsWith("i") ? rounding : rounding + "i";
                convert(instruction, from.text() + integral);
            }
        } else if (from == Type.F32 && to == Type.F64) {
            code.f2d();
        } else {
            String name = from.text() + "To" + Intrinsics.name(to);
            String mode = rounding.isEmpty() ? "Rn" : rounding;
            convert(instruction, name + mode, name);
        }
        new Arithmetic(unit).flush(to, flush && to == Type.F32);
        if (instruction.has(Modifier.RELU)) {
            unit.callMath(to, "relu");
        }
        satfinite(instruction, to);
        saturate(instruction, to);
        unit.store(instruction.operand(0), to);
    }

    private void satfinite(Instruction instruction, Type to) {
        if (instruction.has(Modifier.SATFINITE)) {
            unit.call(
                    Intrinsics.find(to, "satfinite")
                            .orElseThrow(() ->
                                    Unit.unsupported(
                                            instruction, ".satfinite is not supported here")));
        }
    }

    /** Two floats into one register, or f32 rounded to tf32. */
    private void packed(Instruction instruction, Type to, Type from) {
        String rounding = rounding(instruction, "Rn");
        unit.push(instruction.operand(1), from);
        if (to == Type.TF32) {
            convert(instruction, "f32ToTf32" + rounding);
            if (instruction.has(Modifier.RELU)) {
                convert(instruction, "tf32Relu");
            }
            if (instruction.has(Modifier.SATFINITE)) {
                convert(instruction, "tf32Satfinite");
            }
            unit.store(instruction.operand(0), Type.B32);
            return;
        }
        unit.push(instruction.operand(2), from);
        if (instruction.has(Modifier.RS)) {
            unit.push(instruction.operand(3), Type.B32);
        }
        convert(instruction, "f32To" + Intrinsics.name(to) + rounding);
        if (instruction.has(Modifier.RELU)) {
            unit.callMath(to, "relu");
        }
        satfinite(instruction, to);
        unit.store(instruction.operand(0), Type.B32);
    }
}
