package facet.jit.matrix;

import facet.ptx.Type;

/** What the elements of a matrix are, and how they are read. */
public enum Element {
    F16(16, Group.FLOAT),
    BF16(16, Group.FLOAT),
    TF32(32, Group.FLOAT),
    E4M3(8, Group.FLOAT),
    E5M2(8, Group.FLOAT),
    F32(32, Group.FLOAT),
    F64(64, Group.DOUBLE),
    S8(8, Group.INTEGER),
    U8(8, Group.INTEGER),
    S4(4, Group.INTEGER),
    U4(4, Group.INTEGER),
    S32(32, Group.INTEGER),
    /** 32 bits at a time: PTX counts single ones. */
    B1(32, Group.BITS);

    /** In which arithmetic they are multiplied. */
    public enum Group {
        FLOAT,
        DOUBLE,
        INTEGER,
        BITS
    }

    private final int bits;
    private final Group group;

    Element(int bits, Group group) {
        this.bits = bits;
        this.group = group;
    }

    public static Element of(Type type) {
        return valueOf(type.name());
    }

    public int bits() {
        return bits;
    }

    public Group group() {
        return group;
    }

    /** How many of them a register holds. */
    public int perRegister() {
        return bits == 64 ? 1 : 32 / bits;
    }

    /** How many of PTX's elements are one of these. */
    public int width() {
        return this == B1 ? 32 : 1;
    }
}
