package facet.jit.emit;

import facet.jit.runtime.Lanes;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Shape;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;

/**
 * Loads and stores of a row whose lanes are apart at equal distances. All lanes are checked at
 * once; where one may not do it, they go one by one, and it faults.
 *
 * @see facet.jit.runtime.GathersUnsafe
 */
final class RowGathers {
    private final VectorUnit unit;
    private final CodeBuilder code;

    RowGathers(VectorUnit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    /**
     * @param byLane emits the access lane by lane
     */
    void emit(Instruction instruction, Runnable byLane) {
        Label slow = code.newLabel();
        Label end = code.newLabel();
        boolean stores = instruction.opcode() == Opcode.ST;
        Operand.Address address = (Operand.Address) instruction.operand(stores ? 0 : 1);
        int width = instruction.type().bytes();
        int stride = (int) ((Shape.Affine) unit.shape(address)).stride();
        int raw = new Addresses(unit).strided(instruction, address, stride, slow);
        access(
                instruction,
                stores,
                part -> {
                    code.lload(raw);
                    if (part > 0) {
                        // bounded: a row is 256 lanes, a stride below 2^20
                        code.loadConstant((long) part * Lanes.COUNT * stride).ladd();
                    }
                    code.loadConstant(stride);
                    code.aload(values()).loadConstant(part * Lanes.COUNT);
                    unit.operate((stores ? "strew" : "strided" + sign(instruction)) + 8 * width);
                });
        code.goto_(end).labelBinding(slow);
        byLane.run();
        code.labelBinding(end);
    }

    private static String sign(Instruction instruction) {
        Type type = instruction.type();
        return type.isSigned() && type.bits() < 32 ? "S" : "U";
    }

    /** An array with an int for each lane. */
    private int values() {
        return unit.invariants.of(
                "gathered values",
                TypeKind.REFERENCE,
                () -> code.loadConstant(unit.lanes()).newarray(TypeKind.INT));
    }

    private interface Part {
        void emit(int part);
    }

    private void access(Instruction instruction, boolean stores, Part part) {
        Operand value = instruction.operand(stores ? 1 : 0);
        for (int i = 0; i < unit.registers.parts("B32"); i++) {
            if (stores) {
                push(value, instruction.type(), i);
                code.aload(values()).loadConstant(i * Lanes.COUNT);
                unit.operate("putB32");
            }
            part.emit(i);
            if (!stores) {
                code.aload(values()).loadConstant(i * Lanes.COUNT);
                unit.operate("getB32");
                if (sign(instruction).equals("S") && ((Register) value).type().bits() == 16) {
                    code.loadConstant(16);
                    unit.operate("zeroExtended");
                }
                unit.registers.store(value, "B32", i);
            }
        }
        // As often as single threads do: each access may wait for a page.
        unit.spend(Math.min(unit.lanes(), Lanes.WIDE));
    }

    private void push(Operand value, Type type, int part) {
        String kind = unit.registers.kindOf(value, type);
        unit.registers.push(value, kind, part);
        if (kind.startsWith("F")) {
            unit.operate("asInts");
        }
    }
}
