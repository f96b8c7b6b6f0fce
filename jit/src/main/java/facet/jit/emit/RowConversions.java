package facet.jit.emit;

import facet.jit.runtime.Lanes;
import facet.jit.runtime.WideVectors;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * Rows of integers that change their width: {@code cvt}, and {@code mul} and {@code mad} with a
 * product twice as wide.
 */
final class RowConversions {
    private final VectorUnit unit;
    private final CodeBuilder code;

    RowConversions(VectorUnit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    /** Whether it is one that is done here; its result is a vector. */
    boolean handles(Instruction instruction) {
        return isConversion(instruction) || isWideProduct(instruction);
    }

    private static boolean isInteger(Type type) {
        return !type.isFloat() && !type.isPacked() && type != Type.PRED && type.bits() <= 64;
    }

    static boolean isConversion(Instruction instruction) {
        Type from = instruction.typeAt(1);
        if (instruction.opcode() != Opcode.CVT
                || from == null
                || instruction.has(Modifier.SAT)
                || !(instruction.operand(0) instanceof Register into)
                || into.lanes() != 1) {
            return false;
        }
        Type to = instruction.type();
        boolean wideInto = into.type().bits() == 64;
        return isInteger(to)
                && isInteger(from)
                && into.type().bits() <= 64
                && wideInto == (to.bits() == 64)
                && isSource(instruction.operand(1));
    }

    private static boolean isSource(Operand operand) {
        return operand instanceof Register register
                && register.lanes() == 1
                && register.type() != Type.PRED
                && register.type().bits() <= 64;
    }

    static boolean isWideProduct(Instruction instruction) {
        boolean product = instruction.opcode() == Opcode.MUL || instruction.opcode() == Opcode.MAD;
        return product
                && instruction.has(Modifier.WIDE)
                && instruction.type().bits() == 32
                && !instruction.has(Modifier.CC)
                && !instruction.has(Modifier.SAT)
                && instruction.operand(0) instanceof Register into
                && into.lanes() == 1
                && into.type().bits() == 64;
    }

    void emit(Instruction instruction) {
        if (isWideProduct(instruction)) {
            product(instruction);
        } else {
            convert(instruction);
        }
    }

    private void product(Instruction instruction) {
        boolean signed = instruction.type().isSigned();
        int a = spill(part -> unit.registers.push(instruction.operand(1), "B32", part), 0);
        int b = spill(part -> unit.registers.push(instruction.operand(2), "B32", part), 1);
        for (int part = 0; part < unit.registers.parts("B64"); part++) {
            int half = part;
            Runnable multiply =
                    () ->
                            unit.rows.operate(
                                    "mulB64",
                                    () -> widen(a, half, signed),
                                    () -> widen(b, half, signed));
            if (instruction.opcode() == Opcode.MAD) {
                unit.rows.operate(
                        "addB64",
                        multiply,
                        () -> unit.registers.push(instruction.operand(3), "B64", half));
            } else {
                multiply.run();
            }
            unit.registers.store(instruction.operand(0), "B64", part);
        }
    }

    /** The local of an array with the lanes of what the action pushes, a row of 32 bits. */
    private int spill(IntConsumer push, int number) {
        int array = ints(number);
        for (int part = 0; part < unit.registers.parts("B32"); part++) {
            push.accept(part);
            code.aload(array).loadConstant(part * Lanes.COUNT);
            unit.operate("putB32");
        }
        return array;
    }

    private int ints(int number) {
        return unit.invariants.of(
                "row of ints " + number,
                TypeKind.REFERENCE,
                () -> code.loadConstant(unit.lanes()).newarray(TypeKind.INT));
    }

    private void widen(int array, int part, boolean signed) {
        code.aload(array).loadConstant(part * WideVectors.HALF);
        unit.operate(signed ? "signedB64" : "unsignedB64");
    }

    private void convert(Instruction instruction) {
        Type to = instruction.type();
        Type from = Objects.requireNonNull(instruction.typeAt(1));
        Register source = (Register) instruction.operand(1);
        Register into = (Register) instruction.operand(0);
        if (to.bits() == 64 && from.bits() == 64) {
            for (int part = 0; part < unit.registers.parts("B64"); part++) {
                unit.registers.push(source, "B64", part);
                unit.registers.store(into, "B64", part);
            }
            return;
        }
        if (to.bits() == 64) {
            int array = spill(part -> pushExtended(source, from, part), 0);
            for (int part = 0; part < unit.registers.parts("B64"); part++) {
                widen(array, part, from.isSigned());
                unit.registers.store(into, "B64", part);
            }
            return;
        }
        for (int part = 0; part < unit.registers.parts("B32"); part++) {
            pushExtended(source, from, part);
            if (to.bits() < 32) {
                extend(to);
                if (into.type().bits() == 16 && to.isSigned()) {
                    code.loadConstant(16);
                    unit.operate("zeroExtended");
                }
            }
            unit.registers.store(into, "B32", part);
        }
    }

    /** Pushes the lowest bits of the register, as many as the type has, as a row of 32 bits. */
    private void pushExtended(Register source, Type type, int part) {
        if (source.type().bits() == 64) {
            int array = ints(2);
            for (int half = 0; half < 2; half++) {
                unit.registers.push(source, "B64", 2 * part + half);
                code.aload(array).loadConstant(half * WideVectors.HALF);
                unit.operate("narrowB64");
            }
            code.aload(array).iconst_0();
            unit.operate("getB32");
        } else {
            unit.registers.push(source, "B32", part);
        }
        if (type.bits() < 32) {
            extend(type);
        }
    }

    private void extend(Type type) {
        code.loadConstant(type.bits());
        unit.operate(type.isSigned() ? "signExtended" : "zeroExtended");
    }
}
