package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Arithmetic, logic and bit instructions. What the JVM has as one bytecode is emitted as such; all
 * else is a call of the method in {@code facet.jit.math} whose name is the opcode with its
 * modifiers.
 */
final class Arithmetic {
    /**
     * Modifiers that are not part of a method's name: they wrap the operation, or change nothing.
     */
    private static final Set<Modifier> OUTSIDE = Set.of(Modifier.FTZ, Modifier.CC);

    /** Modifiers that stand first in a method's name; the others follow in their own order. */
    private static final Set<Modifier> LEADING =
            Set.of(Modifier.LO, Modifier.HI, Modifier.WIDE, Modifier.L, Modifier.R);

    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

    private final Unit unit;
    private final CodeBuilder code;

    Arithmetic(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    void emit(Instruction instruction) {
        Type type = instruction.type();
        if (type == Type.F32X2) {
            pairs(instruction);
            return;
        }
        if (MixedPrecision.handles(instruction)) {
            new MixedPrecision(unit).emit(instruction);
            return;
        }
        if (!plain(instruction, type)) {
            call(instruction, type);
        }
    }

    /** Emits the instruction when it is a bytecode or two; false when it is not. */
    private boolean plain(Instruction instruction, Type type) {
        Kind kind = Kind.of(type);
        boolean number = kind == Kind.FLOAT || kind == Kind.DOUBLE;
        if (type.isPacked() || type.isFloat() && !number) {
            return false;
        }
        if (number ? rounds(instruction) : instruction.has(Modifier.SAT)) {
            return false;
        }
        int operands = instruction.operands().size() - 1;
        Runnable operation =
                switch (instruction.opcode()) {
                    case ADD -> () -> add(kind);
                    case SUB -> () -> subtract(kind);
                    case MUL ->
                            number
                                            || instruction.has(Modifier.LO) && kind != Kind.INT
                                            || instruction.has(Modifier.LO) && type.bits() == 32
                                    ? () -> multiply(kind)
                                    : null;
                    case MAD ->
                            !number && instruction.has(Modifier.LO) && type.bits() >= 32
                                    ? () -> {}
                                    : number ? () -> fma(kind) : null;
                    case FMA -> number ? () -> fma(kind) : null;
                    case AND -> () -> both(kind, CodeBuilder::iand, CodeBuilder::land);
                    case OR -> () -> both(kind, CodeBuilder::ior, CodeBuilder::lor);
                    case XOR -> () -> both(kind, CodeBuilder::ixor, CodeBuilder::lxor);
                    case NEG ->
                            number ? null : () -> both(kind, CodeBuilder::ineg, CodeBuilder::lneg);
                    case NOT -> () -> not(type);
                    default -> null;
                };
        if (operation == null) {
            return false;
        }
        boolean flush = instruction.has(Modifier.FTZ);
        if (instruction.opcode() == Opcode.MAD && !number) {
            unit.push(instruction.operand(1), type);
            unit.push(instruction.operand(2), type);
            multiply(kind);
            unit.push(instruction.operand(3), type);
            add(kind);
        } else {
            for (int i = 1; i <= operands; i++) {
                unit.push(instruction.operand(i), type);
                flush(type, flush);
            }
            operation.run();
            flush(type, flush);
            if (number && instruction.has(Modifier.SAT)) {
                unit.callMath(type, "sat");
            }
        }
        unit.store(instruction.operand(0), type);
        return true;
    }

    private static boolean rounds(Instruction instruction) {
        return instruction.has(Modifier.RZ)
                || instruction.has(Modifier.RM)
                || instruction.has(Modifier.RP);
    }

    /** Emits {@code F32.ftz} and the like on what is on the stack. */
    void flush(Type type, boolean wanted) {
        if (wanted) {
            Intrinsics.find(type, "ftz").ifPresent(unit::call);
        }
    }

    private void both(
            Kind kind,
            java.util.function.Consumer<CodeBuilder> narrow,
            java.util.function.Consumer<CodeBuilder> wide) {
        (kind == Kind.INT ? narrow : wide).accept(code);
    }

    private void add(Kind kind) {
        switch (kind) {
            case INT -> code.iadd();
            case LONG -> code.ladd();
            case FLOAT -> code.fadd();
            case DOUBLE -> code.dadd();
        }
    }

    private void subtract(Kind kind) {
        switch (kind) {
            case INT -> code.isub();
            case LONG -> code.lsub();
            case FLOAT -> code.fsub();
            case DOUBLE -> code.dsub();
        }
    }

    private void multiply(Kind kind) {
        switch (kind) {
            case INT -> code.imul();
            case LONG -> code.lmul();
            case FLOAT -> code.fmul();
            case DOUBLE -> code.dmul();
        }
    }

    private void fma(Kind kind) {
        ClassDesc value = kind == Kind.FLOAT ? CD_float : CD_double;
        code.invokestatic(MATH, "fma", MethodTypeDesc.of(value, value, value, value));
    }

    private void not(Type type) {
        if (type == Type.PRED) {
            code.iconst_1().ixor();
        } else if (Kind.of(type) == Kind.LONG) {
            code.loadConstant(-1L).lxor();
        } else {
            code.iconst_m1().ixor();
        }
    }

    /** In the order of method names; PTX leaves the order free. */
    private static List<Modifier> modifiers(Instruction instruction) {
        return instruction.suffixes().stream()
                .filter(Modifier.class::isInstance)
                .map(Modifier.class::cast)
                .sorted(
                        Comparator.comparing((Modifier each) -> !LEADING.contains(each))
                                .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private void call(Instruction instruction, Type type) {
        StringBuilder name = new StringBuilder(instruction.opcode().text());
        StringBuilder types = new StringBuilder();
        boolean saturate = type.isFloat() && instruction.has(Modifier.SAT);
        boolean relu = false;
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Type each) {
                types.append(Intrinsics.name(each));
            }
        }
        for (Modifier modifier : modifiers(instruction)) {
            if (modifier == Modifier.PROPAGATE_NAN) {
                name.append("Nan");
            } else if (!OUTSIDE.contains(modifier) && !(saturate && modifier == Modifier.SAT)) {
                name.append(Intrinsics.capital(modifier.text()));
            }
        }
        String plain = name.toString().replace("Rn", "");
        String first = Intrinsics.name(type);
        String folded = plain.replace("Sat", "");
        Method method =
                Intrinsics.find(
                                type,
                                instruction.has(Modifier.FTZ) ? name + "Ftz" : name.toString(),
                                name + types.toString(),
                                name + first,
                                name.toString(),
                                plain + types,
                                plain + first,
                                plain,
                                plain + "B" + type.bits())
                        .orElse(null);
        if (method == null && plain.endsWith("Relu")) {
            String base = plain.substring(0, plain.length() - 4);
            method = Intrinsics.find(type, base + first, base).orElse(null);
            relu = true;
        }
        if (method == null && instruction.has(Modifier.SAT)) {
            method = Intrinsics.find(type, folded + "Sat" + first, folded + "Sat").orElse(null);
        }
        if (method == null) {
            throw Unit.unsupported(instruction, "this form is not supported");
        }
        boolean flush = instruction.has(Modifier.FTZ);
        Class<?>[] parameters = method.getParameterTypes();
        int given = instruction.operands().size() - 1;
        for (int i = 0; i < parameters.length; i++) {
            if (type.bits() == 16 && isWord(instruction, i)) {
                unit.push(instruction.operand(1 + i), Type.B32);
            } else {
                push(instruction.operand(1 + i), parameters[i], type, flush);
            }
        }
        unit.call(method);
        // Three-input min and max are the two-input ones twice.
        for (int i = parameters.length; i < given; i++) {
            push(instruction.operand(1 + i), parameters[1], type, flush);
            unit.call(method);
        }
        Type result = result(method.getReturnType(), type);
        if (relu) {
            unit.callMath(type, "relu");
        }
        flush(result, flush);
        if (saturate) {
            unit.callMath(type, "sat");
        }
        unit.store(instruction.operand(0), result);
    }

    private void push(Operand operand, Class<?> parameter, Type type, boolean flush) {
        if (parameter == int.class && Kind.of(type) != Kind.INT) {
            unit.push(operand, Type.U32);
        } else if (parameter == float.class && type != Type.F32) {
            unit.push(operand, Type.F32);
            flush(Type.F32, flush);
        } else if (parameter == long.class && Kind.of(type) == Kind.INT) {
            unit.push(operand, type.isSigned() ? Type.S64 : Type.U64);
        } else if (parameter == int.class && type.bits() == 16) {
            unit.push(operand, Type.B16);
            flush(type, flush);
        } else {
            unit.push(operand, type);
            flush(type, flush);
        }
    }

    /**
     * Whether the input of a 16-bit instruction has 32 bits: shift amounts, addends of mad.wide.
     */
    private static boolean isWord(Instruction instruction, int input) {
        return switch (instruction.opcode()) {
            case SHL, SHR -> input == 1;
            case MAD -> input == 2 && instruction.has(Modifier.WIDE);
            default -> false;
        };
    }

    /** Type of what the method left on the stack, for storing. */
    private static Type result(Class<?> returned, Type type) {
        if (returned == boolean.class) {
            return Type.PRED;
        }
        if (returned == int.class) {
            return type.bits() <= 32 && !(type == Type.F32) ? widest(type) : Type.U32;
        }
        if (returned == long.class) {
            return type.isSigned() ? Type.S64 : Type.U64;
        }
        return returned == float.class ? Type.F32 : Type.F64;
    }

    /**
     * A 16-bit operation may give 32 bits (mul.wide), so that only the register cuts the result.
     */
    private static Type widest(Type type) {
        return type.isPacked() || type.isFloat() ? type : type.isSigned() ? Type.S32 : Type.U32;
    }

    /** {@code add.f32x2}: the same on both halves of a 64-bit register. */
    private void pairs(Instruction instruction) {
        int operands = instruction.operands().size() - 1;
        for (int half = 1; half >= 0; half--) {
            for (int i = 1; i <= operands; i++) {
                unit.push(instruction.operand(i), Type.B64);
                if (half == 1) {
                    code.loadConstant(32).lushr();
                }
                code.l2i();
                unit.values.floatOfBits();
                flush(Type.F32, instruction.has(Modifier.FTZ));
            }
            float32(instruction);
            flush(Type.F32, instruction.has(Modifier.FTZ));
            unit.values.bitsOfFloat();
            unit.values.widen(false);
            if (half == 1) {
                code.loadConstant(32).lshl();
            }
        }
        code.lor();
        unit.store(instruction.operand(0), Type.B64);
    }

    private void float32(Instruction instruction) {
        if (rounds(instruction) || instruction.opcode() == Opcode.FMA) {
            String rounding =
                    instruction.has(Modifier.RZ)
                            ? "Rz"
                            : instruction.has(Modifier.RM)
                                    ? "Rm"
                                    : instruction.has(Modifier.RP) ? "Rp" : "Rn";
            unit.callMath(Type.F32, instruction.opcode().text() + rounding);
            return;
        }
        switch (instruction.opcode()) {
            case ADD -> code.fadd();
            case SUB -> code.fsub();
            case MUL -> code.fmul();
            default -> throw Unit.unsupported(instruction, "this form is not supported");
        }
    }
}
