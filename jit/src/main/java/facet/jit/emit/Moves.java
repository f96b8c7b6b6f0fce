package facet.jit.emit;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.List;

/** {@code mov}, with packing and unpacking of vectors (PTX ISA 9.7.9.1, 9.7.9.2). */
final class Moves {
    private final Unit unit;
    private final CodeBuilder code;

    Moves(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    void emit(Instruction instruction) {
        Type type = instruction.type();
        Operand into = instruction.operand(0);
        Operand from = instruction.operand(1);
        if (instruction.has(Modifier.V2) || instruction.has(Modifier.V4)) {
            vectors(Addresses.elements(into), from, type);
        } else if (type == Type.B128) {
            wide(into, from);
        } else if (into instanceof Operand.Vector vector) {
            unpack(vector.elements(), from, type);
        } else if (from instanceof Operand.Vector vector) {
            pack(vector.elements(), type);
            unit.store(into, Type.ofBits(type.bits()));
        } else {
            move(into, from, type);
        }
    }

    private void move(Operand into, Operand from, Type type) {
        if (from instanceof Register source
                && into instanceof Register target
                && unit.kinds.of(source) == unit.kinds.of(target)
                && source.type().bits() == target.type().bits()) {
            unit.pushRaw(source, 0);
            unit.storeRaw(target, 0);
            return;
        }
        unit.push(from, type);
        unit.store(into, type);
    }

    /** Reads all before it writes, since a register may stand on both sides. */
    private void vectors(List<Operand> into, Operand from, Type type) {
        List<Operand> elements = Addresses.elements(from);
        for (int lane = 0; lane < into.size(); lane++) {
            if (from instanceof Operand.Special special) {
                unit.push(new Operand.Special(special.register(), lane), type);
            } else {
                unit.push(elements.get(lane), type);
            }
        }
        for (int lane = into.size() - 1; lane >= 0; lane--) {
            unit.store(into.get(lane), type);
        }
    }

    private void pack(List<Operand> elements, Type type) {
        int width = type.bits() / elements.size();
        boolean wide = type.bits() == 64;
        for (int i = 0; i < elements.size(); i++) {
            unit.push(elements.get(i), Type.ofBits(width));
            if (wide) {
                unit.values.widen(false);
                shift(i * width, true);
                if (i > 0) {
                    code.lor();
                }
            } else {
                shift(i * width, false);
                if (i > 0) {
                    code.ior();
                }
            }
        }
    }

    private void shift(int amount, boolean wide) {
        if (amount > 0) {
            code.loadConstant(amount);
            if (wide) {
                code.lshl();
            } else {
                code.ishl();
            }
        }
    }

    private void unpack(List<Operand> elements, Operand from, Type type) {
        int width = type.bits() / elements.size();
        boolean wide = type.bits() == 64;
        unit.push(from, Type.ofBits(type.bits()));
        int whole = code.allocateLocal(wide ? TypeKind.LONG : TypeKind.INT);
        code.storeLocal(wide ? TypeKind.LONG : TypeKind.INT, whole);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Operand.Sink) {
                continue;
            }
            code.loadLocal(wide ? TypeKind.LONG : TypeKind.INT, whole);
            if (i > 0) {
                code.loadConstant(i * width);
                if (wide) {
                    code.lushr();
                } else {
                    code.iushr();
                }
            }
            if (wide) {
                code.l2i();
            }
            unit.values.narrow(Type.ofBits(width));
            unit.store(elements.get(i), Type.ofBits(width));
        }
    }

    private void wide(Operand into, Operand from) {
        if (into instanceof Operand.Vector vector) {
            for (int i = 0; i < 2; i++) {
                unit.pushRegister((Register) from, i, Type.B64);
                unit.store(vector.elements().get(i), Type.B64);
            }
            return;
        }
        Register target = (Register) into;
        for (int i = 0; i < 2; i++) {
            if (from instanceof Operand.Vector vector) {
                unit.push(vector.elements().get(i), Type.B64);
            } else {
                unit.pushRegister((Register) from, i, Type.B64);
            }
        }
        unit.storeRegister(target, 1, Type.B64);
        unit.storeRegister(target, 0, Type.B64);
    }
}
