package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.runtime.Clusters;
import facet.jit.runtime.Generic;
import facet.jit.runtime.Windows;
import facet.ptx.Instruction;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * {@code isspacep} (PTX ISA 9.7.9.19): whether a generic address lies in the space. Parameters of
 * kernels are in the window of global memory, too; constant variables, which have no window of
 * their own here, are not.
 */
final class SpaceTest {
    private static final ClassDesc GENERIC = ClassDesc.of(Generic.class.getName());

    private final Unit unit;

    SpaceTest(Unit unit) {
        this.unit = unit;
    }

    void emit(Instruction instruction) {
        Space space = instruction.space();
        int address = unit.code.allocateLocal(TypeKind.LONG);
        unit.push(instruction.operand(1), Type.U64);
        unit.code.lstore(address);
        if (space == Space.CONST) {
            constant(address);
        } else if (space == Space.GLOBAL) {
            unit.code.lload(address);
            unit.invariants.pushGridLong("memoryBase");
            unit.invariants.pushGridLong("memorySize");
            isInside();
            constant(address);
            unit.code.iconst_1().ixor().iand();
            window(address, Windows.PARAMETER);
            unit.code.ior();
        } else if (space != null
                && space != Space.SHARED_CLUSTER
                && space.isShared()
                && unit.program.knowsClusters()) {
            ownShared(address);
        } else {
            window(address, Spaces.window(space));
        }
        unit.store(instruction.operand(0), Type.PRED);
    }

    private void isInside() {
        unit.code.invokestatic(
                GENERIC, "isInside", MethodTypeDesc.of(CD_boolean, CD_long, CD_long, CD_long));
    }

    private void window(int address, long window) {
        unit.code.lload(address).loadConstant(window).loadConstant(Windows.SIZE);
        isInside();
    }

    /** The block's part of its cluster's window. */
    private void ownShared(int address) {
        unit.code.lload(address);
        unit.invariants.pushBlockLong("sharedBase");
        unit.code.loadConstant(Windows.SHARED).ladd().loadConstant(Clusters.BLOCK_WINDOW);
        isInside();
    }

    private void constant(int address) {
        Symbols symbols = new Symbols(unit);
        unit.code.iconst_0();
        for (Variable each : unit.program.constants()) {
            unit.code.lload(address);
            symbols.pushGlobal(unit.program.symbol(each.name()));
            unit.code.loadConstant(each.bytes());
            isInside();
            unit.code.ior();
        }
    }
}
