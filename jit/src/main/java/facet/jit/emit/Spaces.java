package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.runtime.Clusters;
import facet.jit.runtime.Generic;
import facet.jit.runtime.GlobalChecks;
import facet.jit.runtime.GlobalWrites;
import facet.jit.runtime.VectorsUnsafe;
import facet.jit.runtime.Windows;
import facet.ptx.Space;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/** State spaces: where each begins and ends, in its own addresses and in those of this process. */
final class Spaces {
    private static final ClassDesc ROW = ClassDesc.of(VectorsUnsafe.class.getName());
    private static final ClassDesc GLOBAL = ClassDesc.of(GlobalChecks.class.getName());
    private static final ClassDesc WRITES = ClassDesc.of(GlobalWrites.class.getName());
    private static final ClassDesc GENERIC = ClassDesc.of(Generic.class.getName());
    private static final ClassDesc CLUSTERS = ClassDesc.of(Clusters.class.getName());

    private final Unit unit;

    Spaces(Unit unit) {
        this.unit = unit;
    }

    /**
     * Replaces the address on the stack by that in this process, after a look whether it is inside.
     *
     * @param row whether it is a whole row that is accessed there
     * @param span to the other end of a group that is checked as one; 0: there is none
     * @param writes whether it is written, or one of its group is
     */
    void check(@Nullable Space space, boolean row, int width, int span, boolean writes) {
        if (space == null) {
            generic(width, writes);
            return;
        }
        if (space == Space.GLOBAL || space == Space.CONST) {
            global(row, width, span, writes);
            return;
        }
        if (space == Space.SHARED_CLUSTER) {
            if (row || span != 0) {
                throw new IllegalArgumentException("one access of one thread at a time");
            }
            unit.code.aload(Unit.BLOCK_SLOT).loadConstant(width);
            unit.code.invokestatic(
                    CLUSTERS, "resolve", MethodTypeDesc.of(CD_long, CD_long, Unit.BLOCK, CD_int));
            return;
        }
        switch (space) {
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> {
                unit.code.lconst_0();
                if (unit.isKernel()) {
                    unit.invariants.pushGridLong("parameterBytes");
                } else {
                    pushLocalBytes();
                }
            }
            case LOCAL -> {
                unit.code.lconst_0();
                pushLocalBytes();
            }
            case SHARED, SHARED_CTA -> pushShared();
            case SHARED_CLUSTER, GLOBAL, CONST, REG, SREG, TEX ->
                    throw new IllegalArgumentException("no memory of a block: " + space);
        }
        MethodTypeDesc type = MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long);
        if (row) {
            unit.code.loadConstant(width).loadConstant(unit.lanes());
            unit.code.invokestatic(ROW, "checkRow", with(type, CD_int, CD_int));
        } else {
            unit.code.invokestatic(Addresses.ACCESS, "check" + width, type);
        }
        pushDelta(space);
        unit.code.ladd();
    }

    private void global(boolean row, int width, int span, boolean writes) {
        unit.invariants.pushGridLong("memoryBase");
        unit.invariants.pushGridLong("memorySize");
        MethodTypeDesc type = MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long);
        if (row) {
            unit.code.loadConstant(width).loadConstant(unit.lanes()).loadConstant(span);
            type = with(type, CD_int, CD_int, CD_int);
        } else if (span != 0) {
            unit.code.loadConstant(span);
            type = with(type, CD_int);
        }
        unit.code.aload(Unit.BLOCK_SLOT);
        unit.code.invokestatic(
                writes ? WRITES : GLOBAL,
                row ? "checkRow" : "check" + width,
                with(type, Unit.BLOCK));
        unit.invariants.pushGridLong("memoryDelta");
        unit.code.ladd();
    }

    /** Pushes where the block's shared memory begins and how long it is. */
    private void pushShared() {
        pushSharedBase();
        pushSharedSize();
    }

    private void pushSharedSize() {
        unit.code.lload(
                unit.invariants.of(
                        "shared size",
                        TypeKind.LONG,
                        () -> {
                            unit.invariants.pushGrid();
                            unit.code
                                    .invokevirtual(
                                            Unit.GRID, "sharedBytes", MethodTypeDesc.of(CD_int))
                                    .i2l();
                        }));
    }

    /**
     * Replaces the address on the stack by whether a row lies in the context's or block's memory.
     */
    void isRow(Space space, int width) {
        pushOwn(space);
        unit.code.loadConstant(width).loadConstant(unit.lanes());
        unit.code.invokestatic(
                ROW,
                "isRow",
                MethodTypeDesc.of(CD_boolean, CD_long, CD_long, CD_long, CD_int, CD_int));
    }

    /** The same of lanes that are so far from each other. */
    void isStrided(Space space, int width, int stride) {
        pushOwn(space);
        unit.code.loadConstant(width).loadConstant(stride).loadConstant(unit.lanes());
        unit.call(RowMethods.of("isStrided"));
    }

    /** Pushes where the context's or the block's memory begins and how long it is. */
    private void pushOwn(Space space) {
        if (space == Space.GLOBAL || space == Space.CONST) {
            unit.invariants.pushGridLong("memoryBase");
            unit.invariants.pushGridLong("memorySize");
        } else {
            pushShared();
        }
    }

    private static MethodTypeDesc with(MethodTypeDesc type, ClassDesc... more) {
        return type.insertParameterTypes(type.parameterCount(), more);
    }

    private void pushLocalBytes() {
        unit.code.lload(
                unit.invariants.of(
                        "local size",
                        TypeKind.LONG,
                        () -> {
                            unit.invariants.pushGrid();
                            unit.code
                                    .invokevirtual(
                                            Unit.GRID, "localBytes", MethodTypeDesc.of(CD_int))
                                    .i2l();
                        }));
    }

    /** Pushes what turns an address of the space into one of this process. */
    void pushDelta(Space space) {
        switch (space) {
            case GLOBAL, CONST -> unit.invariants.pushGridLong("memoryDelta");
            case LOCAL -> pushLocalBase();
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> {
                if (unit.isKernel()) {
                    unit.invariants.pushGridLong("parameters");
                } else {
                    pushLocalBase();
                }
            }
            case SHARED, SHARED_CTA, SHARED_CLUSTER ->
                    unit.invariants.pushBlockLong(
                            unit.program.knowsClusters() ? "sharedDelta" : "shared");
            case REG, SREG, TEX -> throw new IllegalArgumentException("no memory: " + space);
        }
    }

    /** Pushes the first address of the block's shared memory; see {@link Clusters}. */
    void pushSharedBase() {
        if (unit.program.knowsClusters()) {
            unit.invariants.pushBlockLong("sharedBase");
        } else {
            unit.code.lconst_0();
        }
    }

    /** Pushes the address in this process where the thread's local memory starts. */
    void pushLocalBase() {
        unit.invariants.pushBlockLong("local");
        unit.code.iload(unit.threadSlot()).i2l();
        pushLocalBytes();
        unit.code.lmul().ladd();
    }

    private void generic(int width, boolean writes) {
        int address = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(address);
        unit.code
                .aload(Unit.BLOCK_SLOT)
                .iload(unit.threadSlot())
                .lload(address)
                .loadConstant(width);
        unit.code.invokestatic(
                GENERIC,
                writes ? "resolveToWrite" : "resolve",
                MethodTypeDesc.of(CD_long, Unit.BLOCK, CD_int, CD_long, CD_int));
    }

    static long window(@Nullable Space space) {
        if (space == null) {
            return 0;
        }
        return switch (space) {
            case SHARED, SHARED_CTA, SHARED_CLUSTER -> Windows.SHARED;
            case LOCAL -> Windows.LOCAL;
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> Windows.PARAMETER;
            case REG, SREG, CONST, GLOBAL, TEX -> 0;
        };
    }
}
