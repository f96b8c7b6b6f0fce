package facet.jit.emit;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.Label;
import java.util.BitSet;

/** Between the registers of a row and the slots of its threads in the block. */
final class RowTransfer {
    private final VectorUnit unit;
    private final RowRegisters registers;
    private final boolean[] rigid;
    private final Label restart;

    /**
     * @param rigid by register: whether it cannot but be uniform or affine
     * @param restart where a row goes whose lanes do not agree
     */
    RowTransfer(VectorUnit unit, boolean[] rigid, Label restart) {
        this.unit = unit;
        this.registers = unit.registers;
        this.rigid = rigid;
        this.restart = restart;
    }

    void reload(boolean first, BitSet live) {
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = unit.body.registers().get(id);
            if (registers.isVarying(register)) {
                reloadVarying(register, first);
            } else {
                reloadOnce(register, first);
            }
        }
    }

    private void reloadVarying(Register register, boolean first) {
        if (first) {
            zero(register);
            return;
        }
        String suffix = registers.suffix(register);
        for (int part = 0; part < vectors(suffix); part++) {
            pushSlot(unit.slots.of(register, 0), suffix, part);
            unit.operate((isWide(suffix) ? "get" : "reload") + suffix);
            keep(register, suffix, part);
        }
    }

    /** Stores what is on the stack, lanes of a vector; a predicate gathers the bits of all. */
    private void keep(Register register, String suffix, int part) {
        if (!suffix.equals("Pred")) {
            registers.storeLocal(register, part);
            return;
        }
        registers.join(suffix, part);
        if (part == vectors(suffix) - 1) {
            registers.storeLocal(register, 0);
        }
    }

    private static boolean isWide(String suffix) {
        return suffix.endsWith("64");
    }

    /** Vectors that it takes in memory, where a predicate takes as much as a number. */
    private int vectors(String suffix) {
        return unit.lanes() / RowRegisters.lanes(suffix);
    }

    private void pushSlot(int slot, String suffix, int part) {
        unit.pushSlots(isWide(suffix));
        unit.pushIndex(slot);
        if (part > 0) {
            unit.code.loadConstant(part * RowRegisters.lanes(suffix)).iadd();
        }
    }

    private void pushVector(Register register, String suffix, int part) {
        if (suffix.equals("Pred")) {
            registers.pushLocal(register, 0);
            registers.part(suffix, part);
        } else {
            registers.pushLocal(register, part);
        }
    }

    void zero(Register register) {
        if (!registers.isVarying(register)) {
            unit.values.pushZero(unit.kinds.of(register));
            unit.storeRaw(register, 0);
            return;
        }
        for (int part = 0; part < registers.parts(register); part++) {
            unit.operate("zero" + registers.suffix(register));
            registers.storeLocal(register, part);
        }
    }

    /** To the array in which lanes are reached one by one. */
    void toArray(Register register) {
        String suffix = registers.suffix(register);
        for (int part = 0; part < vectors(suffix); part++) {
            pushVector(register, suffix, part);
            registers.pushArray(register);
            unit.code.loadConstant(part * RowRegisters.lanes(suffix));
            unit.operate("put" + suffix);
        }
    }

    void fromArray(Register register) {
        String suffix = registers.suffix(register);
        for (int part = 0; part < vectors(suffix); part++) {
            registers.pushArray(register);
            unit.code.loadConstant(part * RowRegisters.lanes(suffix));
            unit.operate("get" + suffix);
            keep(register, suffix, part);
        }
    }

    /** One value for all lanes: looks whether that is so, unless nothing else is possible. */
    private void reloadOnce(Register register, boolean first) {
        Kind kind = unit.kinds.of(register);
        if (first) {
            unit.values.pushZero(kind);
            unit.storeRaw(register, 0);
            return;
        }
        int slot = unit.slots.of(register, 0);
        if (!rigid[register.id()]) {
            Label agree = unit.code.newLabel();
            unit.code.iload(unit.mixedSlot()).ifeq(agree);
            unit.pushSlots(kind.isWide());
            unit.pushIndex(slot);
            if (kind.isWide()) {
                unit.code.loadConstant(registers.stride(register)).loadConstant(unit.lanes());
                unit.operate("isLongRamp");
            } else {
                unit.code.loadConstant((int) registers.stride(register)).loadConstant(unit.lanes());
                unit.operate("isRamp");
            }
            unit.code.ifeq(restart).labelBinding(agree);
        }
        unit.pushSlots(kind.isWide());
        unit.pushIndex(slot);
        if (kind.isWide()) {
            unit.code.laload();
            if (kind == Kind.DOUBLE) {
                unit.values.doubleOfBits();
            }
        } else {
            unit.code.iaload();
            if (kind == Kind.FLOAT) {
                unit.values.floatOfBits();
            }
        }
        unit.storeRaw(register, 0);
    }

    /** Registers that are read where the row goes next. */
    void save(BitSet live) {
        for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
            Register register = unit.body.registers().get(id);
            Kind kind = unit.kinds.of(register);
            if (registers.isVarying(register)) {
                saveVarying(register);
                continue;
            }
            unit.pushSlots(kind.isWide());
            unit.pushIndex(unit.slots.of(register, 0));
            unit.pushRaw(register, 0);
            switch (kind) {
                case FLOAT -> unit.values.bitsOfFloat();
                case DOUBLE -> unit.values.bitsOfDouble();
                case INT, LONG -> {}
            }
            if (kind.isWide()) {
                unit.code.loadConstant(registers.stride(register)).loadConstant(unit.lanes());
                unit.operate("saveLongRamp");
            } else {
                unit.code.loadConstant((int) registers.stride(register)).loadConstant(unit.lanes());
                unit.operate("saveRamp");
            }
        }
    }

    private void saveVarying(Register register) {
        String suffix = registers.suffix(register);
        for (int part = 0; part < vectors(suffix); part++) {
            pushSlot(unit.slots.of(register, 0), suffix, part);
            pushVector(register, suffix, part);
            unit.operate("save" + suffix);
        }
    }

    void save(int slot, Operand operand, Type type) {
        String suffix = Kind.of(type) == Kind.LONG ? "B64" : type == Type.PRED ? "Pred" : "B32";
        for (int part = 0; part < vectors(suffix); part++) {
            pushSlot(slot, suffix, part);
            registers.push(operand, suffix, part);
            if (suffix.equals("Pred")) {
                registers.part(suffix, part);
            }
            unit.operate("save" + suffix);
        }
    }
}
