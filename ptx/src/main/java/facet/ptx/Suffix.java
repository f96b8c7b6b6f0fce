package facet.ptx;

/** One dotted part behind an opcode: {@code ld.global.nc.f32} has three. */
public sealed interface Suffix permits Type, Space, Modifier {
    /** The spelling without the dot. */
    String text();
}
