package facet.jit.emit;

import facet.jit.runtime.Lanes;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.IdentityHashMap;

/** Loads and stores of a row whose lanes are side by side in memory. */
final class RowAccesses {
    private static final int VECTOR_BYTES = Lanes.COUNT * Integer.BYTES;

    private final VectorUnit unit;
    private final CodeBuilder code;
    private final Copies copies;

    /** Locals with the addresses from which loads that are not done yet take what is copied. */
    private final IdentityHashMap<Instruction, Integer> copied = new IdentityHashMap<>();

    /**
     * @param copies what is only copied
     */
    RowAccesses(VectorUnit unit, Copies copies) {
        this.unit = unit;
        this.code = unit.code;
        this.copies = copies;
    }

    private int address(Instruction instruction, Operand operand) {
        unit.faulting(() -> new Addresses(unit).pushRow(instruction, operand));
        int raw = code.allocateLocal(TypeKind.LONG);
        code.lstore(raw);
        return raw;
    }

    private void pushPart(int raw, int part, String kind, Type type) {
        code.lload(raw);
        if (part > 0) {
            // bounded: a row is 256 lanes of 8 bytes at most
            code.loadConstant((long) part * RowRegisters.lanes(kind) * type.bytes()).ladd();
        }
    }

    /** Side by side in memory: B08 or B16; what is wider is there as in registers. */
    private static String narrow(Type type) {
        return type.bits() == 8 ? "B08" : "B16";
    }

    void load(Instruction instruction) {
        int raw = address(instruction, instruction.operand(1));
        if (isCopied(instruction, copies.isLoad(instruction))) {
            copied.put(instruction, raw);
        } else {
            load(instruction, raw);
        }
    }

    /** Whether a row of what is only copied fills vectors. */
    private boolean isCopied(Instruction instruction, boolean only) {
        return only && bytes(instruction) % VECTOR_BYTES == 0;
    }

    private int bytes(Instruction instruction) {
        int value = instruction.opcode() == Opcode.ST ? 1 : 0;
        int count = Addresses.elements(instruction.operand(value)).size();
        return unit.lanes() * instruction.type().bytes(count); // bounded: 256 lanes of 16 bytes
    }

    /** The bytes of a row, from where they were to be loaded. */
    private void copy(int from, int to, int bytes) {
        for (int at = 0; at < bytes; at += VECTOR_BYTES) {
            long offset = at;
            code.lload(to).loadConstant(offset).ladd();
            unit.rows.store(
                    "B32",
                    () -> {
                        code.lload(from).loadConstant(offset).ladd();
                        unit.rows.load("B32");
                    });
        }
    }

    /**
     * @param raw local with the checked address
     */
    void load(Instruction instruction, int raw) {
        Operand into = instruction.operand(0);
        Type type = instruction.type();
        if (into instanceof Operand.Vector) {
            new RowTuples(unit).load(instruction, raw);
            return;
        }
        String kind = type.bits() < 32 ? "B32" : unit.registers.kindOf(into, type);
        for (int part = 0; part < unit.registers.parts(kind); part++) {
            pushPart(raw, part, kind, type);
            if (type.bits() < 32) {
                loadNarrow(type, ((Register) into).type().bits());
            } else {
                unit.rows.load(kind);
            }
            unit.registers.store(into, kind, part);
        }
    }

    /** Extended as the type says to the width of the register, and with zeros to 32 bits. */
    private void loadNarrow(Type type, int width) {
        unit.rows.load(narrow(type));
        unit.operate("loaded" + (type.isSigned() ? "S" : "U") + narrow(type).substring(1));
        if (type.isSigned() && width == 16) {
            code.loadConstant(width);
            unit.operate("zeroExtended");
        }
    }

    void store(Instruction instruction) {
        Operand from = instruction.operand(1);
        Type type = instruction.type();
        int raw = address(instruction, instruction.operand(0));
        Instruction load = copies.loadOf(instruction);
        Integer source = load == null ? null : copied.get(load);
        if (source != null) {
            copy(source, raw, bytes(instruction));
            return;
        }
        if (from instanceof Operand.Vector) {
            new RowTuples(unit).store(instruction, raw);
            return;
        }
        boolean narrow = type.bits() < 32;
        String kind = narrow ? "B32" : unit.registers.kindOf(from, type);
        for (int part = 0; part < unit.registers.parts(kind); part++) {
            int each = part;
            pushPart(raw, part, kind, type);
            unit.rows.store(
                    narrow ? narrow(type) : kind,
                    () -> {
                        unit.registers.push(from, kind, each);
                        if (narrow) {
                            unit.operate("stored" + narrow(type));
                        }
                    });
        }
    }
}
