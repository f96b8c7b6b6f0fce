package facet.jit.emit;

import facet.jit.runtime.RowMaskedUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;

/**
 * Loads and stores of lanes that have parted from others, where all lanes would be side by side in
 * memory: as vectors when all of the row lies in memory of the block or the context, and else lane
 * by lane. Loads take what other lanes would read, too; stores leave it alone.
 */
final class MaskedAccesses {
    private final VectorUnit unit;
    private final CodeBuilder code;
    private final Runnable pushMask;

    /**
     * @param pushMask pushes a bit for each lane that is here, at least one
     */
    MaskedAccesses(VectorUnit unit, Runnable pushMask) {
        this.unit = unit;
        this.code = unit.code;
        this.pushMask = pushMask;
    }

    /** Of accesses that are vectors where all lanes are there. */
    static boolean handles(Instruction instruction) {
        return instruction.opcode() != Opcode.ST
                || instruction.type().bits() >= 32
                        && !(instruction.operand(1) instanceof Operand.Vector)
                        && RowMaskedUnsafe.fit();
    }

    /**
     * @param byLane emits the access lane by lane
     */
    void emit(Instruction instruction, Runnable byLane) {
        boolean stores = instruction.opcode() == Opcode.ST;
        Label slow = code.newLabel();
        Label end = code.newLabel();
        int raw = code.allocateLocal(TypeKind.LONG);
        new Addresses(unit).pushRowOr(instruction, slow);
        code.lstore(raw);
        if (stores) {
            store(instruction, raw);
        } else {
            new RowAccesses(unit, Copies.NONE).load(instruction, raw);
        }
        code.goto_(end).labelBinding(slow);
        byLane.run();
        code.labelBinding(end);
    }

    private void store(Instruction instruction, int raw) {
        String kind = instruction.type().bits() == 64 ? "B64" : "B32";
        for (int part = 0; part < unit.registers.parts(kind); part++) {
            int each = part;
            code.lload(raw);
            if (part > 0) {
                int lanes = RowRegisters.lanes(kind);
                // bounded: a row is 256 bytes at most
                code.loadConstant((long) part * lanes * instruction.type().bytes()).ladd();
            }
            unit.rows.storeMasked(
                    kind,
                    () -> pushValue(instruction, kind, each),
                    () -> {
                        pushMask.run();
                        unit.registers.part(kind, each);
                    });
        }
    }

    private void pushValue(Instruction instruction, String kind, int part) {
        Operand value = instruction.operand(1);
        String own = unit.registers.kindOf(value, instruction.type());
        unit.registers.push(value, own, part);
        if (own.startsWith("F")) {
            unit.operate(kind.equals("B64") ? "asLongs" : "asInts");
        }
    }
}
