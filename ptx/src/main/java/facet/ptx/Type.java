package facet.ptx;

import static facet.ptx.Type.Kind.BITS;
import static facet.ptx.Type.Kind.FLOAT;
import static facet.ptx.Type.Kind.OPAQUE;
import static facet.ptx.Type.Kind.PREDICATE;
import static facet.ptx.Type.Kind.SIGNED;
import static facet.ptx.Type.Kind.UNSIGNED;

/** Fundamental, alternate and packed types (PTX ISA 5.2). */
public enum Type implements Suffix {
    PRED("pred", PREDICATE, 1),
    B1("b1", BITS, 1),
    B8("b8", BITS, 8),
    B16("b16", BITS, 16),
    B32("b32", BITS, 32),
    B64("b64", BITS, 64),
    B128("b128", BITS, 128),
    U8("u8", UNSIGNED, 8),
    U16("u16", UNSIGNED, 16),
    U32("u32", UNSIGNED, 32),
    U64("u64", UNSIGNED, 64),
    S8("s8", SIGNED, 8),
    S16("s16", SIGNED, 16),
    S32("s32", SIGNED, 32),
    S64("s64", SIGNED, 64),
    F16("f16", FLOAT, 16),
    BF16("bf16", FLOAT, 16),
    F32("f32", FLOAT, 32),
    F64("f64", FLOAT, 64),
    TF32("tf32", FLOAT, 32),
    F16X2("f16x2", FLOAT, 32),
    BF16X2("bf16x2", FLOAT, 32),
    F32X2("f32x2", FLOAT, 64),
    U16X2("u16x2", UNSIGNED, 32),
    S16X2("s16x2", SIGNED, 32),
    E4M3("e4m3", FLOAT, 8),
    E5M2("e5m2", FLOAT, 8),
    E4M3X2("e4m3x2", FLOAT, 16),
    E5M2X2("e5m2x2", FLOAT, 16),
    UE8M0X2("ue8m0x2", FLOAT, 16),
    E2M3X2("e2m3x2", FLOAT, 16),
    E3M2X2("e3m2x2", FLOAT, 16),
    E2M1X2("e2m1x2", FLOAT, 8),
    E4M3X4("e4m3x4", FLOAT, 32),
    E5M2X4("e5m2x4", FLOAT, 32),
    E2M3X4("e2m3x4", FLOAT, 32),
    E3M2X4("e3m2x4", FLOAT, 32),
    E2M1X4("e2m1x4", FLOAT, 16),
    E2M3("e2m3", FLOAT, 6),
    E3M2("e3m2", FLOAT, 6),
    E2M1("e2m1", FLOAT, 4),
    UE8M0("ue8m0", FLOAT, 8),
    UE4M3("ue4m3", FLOAT, 8),
    U4("u4", UNSIGNED, 4),
    S4("s4", SIGNED, 4),
    TEXREF("texref", OPAQUE, 64),
    SAMPLERREF("samplerref", OPAQUE, 64),
    SURFREF("surfref", OPAQUE, 64);

    /** How a value of the type is read. */
    public enum Kind {
        PREDICATE,
        BITS,
        UNSIGNED,
        SIGNED,
        FLOAT,
        OPAQUE
    }

    private final String text;
    private final Kind kind;
    private final int bits;

    Type(String text, Kind kind, int bits) {
        this.text = text;
        this.kind = kind;
        this.bits = bits;
    }

    @Override
    public String text() {
        return text;
    }

    public Kind kind() {
        return kind;
    }

    public int bits() {
        return bits;
    }

    /** The untyped type of a width; 32 bits for one that has none of its own. */
    public static Type ofBits(int width) {
        return switch (width) {
            case 8 -> B8;
            case 16 -> B16;
            case 64 -> B64;
            default -> B32;
        };
    }

    /** Size in memory of so many lanes, of which there are at most eight. */
    public int bytes(int lanes) {
        return Math.multiplyExact(bytes(), lanes);
    }

    /** Size in memory. */
    public int bytes() {
        return (bits + 7) / 8;
    }

    public boolean isFloat() {
        return kind == FLOAT;
    }

    public boolean isSigned() {
        return kind == SIGNED;
    }

    /** Two values of half the size in one register. */
    public boolean isPacked() {
        return text.endsWith("x2");
    }
}
