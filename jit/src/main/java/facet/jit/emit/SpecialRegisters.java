package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.Clusters;
import facet.jit.runtime.Shape;
import facet.jit.runtime.Special;
import facet.ptx.Operand;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Predefined registers (PTX ISA 10). */
final class SpecialRegisters {
    private static final ClassDesc SHAPE = ClassDesc.of(Shape.class.getName());
    private static final ClassDesc CLUSTERS = ClassDesc.of(Clusters.class.getName());
    private static final ClassDesc SPECIAL = ClassDesc.of(Special.class.getName());
    private static final String[] AXES = {"X", "Y", "Z"};

    private final Unit unit;

    SpecialRegisters(Unit unit) {
        this.unit = unit;
    }

    void push(Operand.Special special, Type type) {
        int lane = special.lane();
        switch (special.register()) {
            case TID -> {
                if (lane == 3) {
                    unit.code.iconst_0();
                } else {
                    thread("thread" + AXES[lane]);
                }
            }
            case NTID -> shape(lane);
            case CTAID -> component("block", lane);
            case NCTAID -> {
                if (lane == 3) {
                    unit.code.iconst_0();
                } else {
                    unit.invariants.pushGridInt("blocks" + AXES[lane]);
                }
            }
            case CLUSTERID -> cluster("cluster", lane);
            case NCLUSTERID -> cluster("clusters", lane);
            case CLUSTER_CTAID -> cluster("place", lane);
            case CLUSTER_NCTAID -> cluster("size", lane);
            case CLUSTER_CTARANK -> unit.invariants.pushBlockInt("rank");
            case CLUSTER_NCTARANK -> ofCluster("blocks", CD_int);
            case IS_EXPLICIT_CLUSTER -> ofCluster("isExplicit", CD_boolean);
            case LANEID -> unit.code.iload(unit.threadSlot()).loadConstant(31).iand();
            case WARPID -> unit.code.iload(unit.threadSlot()).iconst_5().iushr();
            case NWARPID -> {
                unit.invariants.pushBlockInt("threads");
                unit.code.loadConstant(31).iadd().iconst_5().iushr();
            }
            case LANEMASK_EQ -> mask("equal");
            case LANEMASK_LE -> mask("lessOrEqual");
            case LANEMASK_LT -> mask("less");
            case LANEMASK_GE -> mask("greaterOrEqual");
            case LANEMASK_GT -> mask("greater");
            case SMID -> unit.invariants.pushBlockInt("multiprocessor");
            case NSMID -> unit.invariants.pushGridInt("multiprocessors");
            case GRIDID -> unit.invariants.pushGridLong("id");
            case CLOCK -> clock("clock", CD_int);
            case CLOCK_HI -> clock("clockHigh", CD_int);
            case CLOCK64 -> clock("clock64", CD_long);
            case GLOBALTIMER -> clock("globalTimer", CD_long);
            case GLOBALTIMER_LO -> clock("globalTimerLow", CD_int);
            case GLOBALTIMER_HI -> clock("globalTimerHigh", CD_int);
            case PM -> unit.code.iconst_0();
            case PM64, CURRENT_GRAPH_EXEC -> unit.code.lconst_0();
            case ENVREG -> environment(lane);
            case TOTAL_SMEM_SIZE, AGGR_SMEM_SIZE -> unit.invariants.pushGridInt("sharedBytes");
            case DYNAMIC_SMEM_SIZE -> unit.invariants.pushGridInt("dynamicShared");
            case RESERVED_SMEM_OFFSET -> reserved(lane * Program.RESERVED_BYTES / 2);
            case RESERVED_SMEM_OFFSET_BEGIN -> reserved(0);
            case RESERVED_SMEM_OFFSET_END -> reserved(Program.RESERVED_BYTES);
            case RESERVED_SMEM_OFFSET_CAP -> unit.code.loadConstant(Program.RESERVED_BYTES);
        }
        convert(Kind.of(special.register().type()), type);
    }

    private void convert(Kind have, Type type) {
        Kind want = Kind.of(type);
        if (have == Kind.LONG && want == Kind.INT) {
            unit.code.l2i();
        } else if (have == Kind.INT && want == Kind.LONG) {
            unit.values.widen(false);
        } else if (have == Kind.INT && want == Kind.FLOAT) {
            unit.values.floatOfBits();
        }
        if (want == Kind.INT && type.bits() == 16) {
            unit.values.narrow(type);
        }
    }

    /** Nobody has said how the two users of the reserved memory divide it; here it is by halves. */
    private void reserved(int offset) {
        unit.code.loadConstant((long) Math.addExact(unit.program.reserved(), offset));
        new Spaces(unit).pushSharedBase();
        unit.code.ladd().l2i();
    }

    private void shapeObject() {
        unit.invariants.pushGrid();
        unit.code.invokevirtual(Unit.GRID, "shape", MethodTypeDesc.of(SHAPE));
    }

    private void thread(String field) {
        unit.code.aload(
                unit.invariants.of(
                        field,
                        TypeKind.REFERENCE,
                        () -> {
                            shapeObject();
                            unit.code.getfield(SHAPE, field, CD_short.arrayType());
                        }));
        unit.code.iload(unit.threadSlot()).saload();
    }

    private void shape(int lane) {
        if (lane == 3) {
            unit.code.iconst_0();
            return;
        }
        String field = AXES[lane].toLowerCase(java.util.Locale.ROOT);
        unit.code.iload(
                unit.invariants.of(
                        "shape." + field,
                        TypeKind.INT,
                        () -> {
                            shapeObject();
                            unit.code.getfield(SHAPE, field, CD_int);
                        }));
    }

    private void component(String prefix, int lane) {
        if (lane == 3) {
            unit.code.iconst_0();
        } else {
            unit.invariants.pushBlockInt(prefix + AXES[lane]);
        }
    }

    private void cluster(String name, int axis) {
        if (axis == 3) {
            unit.code.iconst_0();
            return;
        }
        unit.code.aload(Unit.BLOCK_SLOT).loadConstant(axis);
        unit.code.invokestatic(CLUSTERS, name, MethodTypeDesc.of(CD_int, Unit.BLOCK, CD_int));
    }

    private void ofCluster(String name, ClassDesc result) {
        unit.code.aload(Unit.BLOCK_SLOT);
        unit.code.invokestatic(CLUSTERS, name, MethodTypeDesc.of(result, Unit.BLOCK));
    }

    private void mask(String name) {
        unit.code.iload(unit.threadSlot());
        unit.code.invokestatic(SPECIAL, name, MethodTypeDesc.of(CD_int, CD_int));
    }

    private void clock(String name, ClassDesc result) {
        unit.code.invokestatic(SPECIAL, name, MethodTypeDesc.of(result));
    }

    /** Registers 1 and 2 hold the address of the grid's barrier, high half first. */
    private void environment(int number) {
        switch (number) {
            case 1 -> {
                unit.invariants.pushGridLong("environment");
                unit.code.loadConstant(32).lushr().l2i();
            }
            case 2 -> {
                unit.invariants.pushGridLong("environment");
                unit.code.l2i();
            }
            default -> unit.code.iconst_0();
        }
    }
}
