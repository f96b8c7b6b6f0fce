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
        if (unit.ways().isArray(register) && unit.kinds.of(register).isWide()) {
            if (first) {
                registers.pushArray(register);
                unit.operate("zeroB64");
            } else {
                unit.pushSlots(true);
                unit.pushIndex(unit.slots.of(register, 0));
                registers.pushArray(register);
                unit.operate("reloadB64");
            }
            return;
        }
        if (first) {
            unit.operate("zero" + registers.suffix(register));
        } else {
            unit.pushSlots(false);
            unit.pushIndex(unit.slots.of(register, 0));
            unit.operate("reload" + registers.suffix(register));
        }
        if (unit.ways().isArray(register)) {
            registers.pushArray(register);
            unit.operate("putB32");
        } else {
            unit.code.astore(registers.vector(register));
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
            unit.pushSlots(kind.isWide());
            unit.pushIndex(slot);
            if (kind.isWide()) {
                unit.code.loadConstant(registers.stride(register));
                unit.operate("isLongRamp");
            } else {
                unit.code.loadConstant((int) registers.stride(register));
                unit.operate("isRamp");
            }
            unit.code.ifeq(restart);
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
            unit.pushSlots(kind.isWide());
            unit.pushIndex(unit.slots.of(register, 0));
            if (registers.isVarying(register)) {
                saveVarying(register);
                continue;
            }
            unit.pushRaw(register, 0);
            switch (kind) {
                case FLOAT -> unit.values.bitsOfFloat();
                case DOUBLE -> unit.values.bitsOfDouble();
                case INT, LONG -> {}
            }
            if (kind.isWide()) {
                unit.code.loadConstant(registers.stride(register));
                unit.operate("saveLongRamp");
            } else {
                unit.code.loadConstant((int) registers.stride(register));
                unit.operate("saveRamp");
            }
        }
    }

    private void saveVarying(Register register) {
        if (!unit.ways().isArray(register)) {
            registers.push(register, registers.suffix(register));
            unit.operate("save" + registers.suffix(register));
        } else if (unit.kinds.of(register).isWide()) {
            registers.pushArray(register);
            unit.operate("saveB64");
        } else {
            registers.pushArray(register);
            unit.operate("getB32");
            unit.operate("saveB32");
        }
    }

    void save(int slot, Operand operand, Type type) {
        boolean wide = Kind.of(type) == Kind.LONG;
        unit.pushSlots(wide);
        unit.pushIndex(slot);
        if (!wide) {
            registers.push(operand, type == Type.PRED ? "Pred" : "B32");
            unit.operate(type == Type.PRED ? "savePred" : "saveB32");
        } else if (operand instanceof Register register && registers.isVarying(register)) {
            registers.pushArray(register);
            unit.operate("saveB64");
        } else {
            unit.push(operand, type);
            unit.code.loadConstant(registers.stride(operand));
            unit.operate("saveLongRamp");
        }
    }
}
