package facet.ptx;

import java.util.Locale;

/** Predefined registers (PTX ISA 10), with their type and number of components. */
public enum SpecialRegister {
    TID(Type.U32, 3),
    NTID(Type.U32, 3),
    LANEID(Type.U32, 1),
    WARPID(Type.U32, 1),
    NWARPID(Type.U32, 1),
    CTAID(Type.U32, 3),
    NCTAID(Type.U32, 3),
    SMID(Type.U32, 1),
    NSMID(Type.U32, 1),
    GRIDID(Type.U64, 1),
    IS_EXPLICIT_CLUSTER(Type.PRED, 1),
    CLUSTERID(Type.U32, 3),
    NCLUSTERID(Type.U32, 3),
    CLUSTER_CTAID(Type.U32, 3),
    CLUSTER_NCTAID(Type.U32, 3),
    CLUSTER_CTARANK(Type.U32, 1),
    CLUSTER_NCTARANK(Type.U32, 1),
    LANEMASK_EQ(Type.U32, 1),
    LANEMASK_LE(Type.U32, 1),
    LANEMASK_LT(Type.U32, 1),
    LANEMASK_GE(Type.U32, 1),
    LANEMASK_GT(Type.U32, 1),
    CLOCK(Type.U32, 1),
    CLOCK_HI(Type.U32, 1),
    CLOCK64(Type.U64, 1),
    PM(Type.U32, 8),
    PM64(Type.U64, 8),
    ENVREG(Type.B32, 32),
    GLOBALTIMER(Type.U64, 1),
    GLOBALTIMER_LO(Type.U32, 1),
    GLOBALTIMER_HI(Type.U32, 1),
    RESERVED_SMEM_OFFSET_BEGIN(Type.B32, 1),
    RESERVED_SMEM_OFFSET_END(Type.B32, 1),
    RESERVED_SMEM_OFFSET_CAP(Type.B32, 1),
    RESERVED_SMEM_OFFSET(Type.B32, 2),
    TOTAL_SMEM_SIZE(Type.U32, 1),
    AGGR_SMEM_SIZE(Type.U32, 1),
    DYNAMIC_SMEM_SIZE(Type.U32, 1),
    CURRENT_GRAPH_EXEC(Type.U64, 1);

    private final Type type;
    private final int components;

    SpecialRegister(Type type, int components) {
        this.type = type;
        this.components = components;
    }

    /** {@code %tid}; the components are written {@code .x}, or as a number: {@code %envreg2}. */
    public String text() {
        return "%" + name().toLowerCase(Locale.ROOT);
    }

    public Type type() {
        return type;
    }

    public int components() {
        return components;
    }

    /** Whether components are spelled {@code .x .y .z .w} rather than as a number in the name. */
    public boolean isVector() {
        return components == 3;
    }

    /**
     * The spelling of a component: {@code %tid.x}, {@code %envreg2}, {@code %pm3_64}; {@link
     * Operand.Special#WHOLE} gives the whole vector.
     */
    public String text(int lane) {
        if (isVector()) {
            return lane < 0 ? text() : text() + "." + "xyzw".charAt(lane);
        }
        return switch (this) {
            case PM64 -> "%pm" + lane + "_64";
            case RESERVED_SMEM_OFFSET -> text() + "_" + lane;
            default -> components == 1 ? text() : text() + lane;
        };
    }
}
