package facet.abi.generate;

import java.util.Locale;

/** The types that fields of records and commands have. */
enum WireType {
    U8(1, "uint8_t", "byte", "JAVA_BYTE"),
    U16(2, "uint16_t", "short", "JAVA_SHORT_UNALIGNED"),
    U32(4, "uint32_t", "int", "JAVA_INT_UNALIGNED"),
    I32(4, "int32_t", "int", "JAVA_INT_UNALIGNED"),
    U64(8, "uint64_t", "long", "JAVA_LONG_UNALIGNED"),
    I64(8, "int64_t", "long", "JAVA_LONG_UNALIGNED"),
    F32(4, "float", "float", "JAVA_FLOAT_UNALIGNED");

    final int bytes;
    final String c;
    final String java;
    final String valueLayout;

    WireType(int bytes, String c, String java, String valueLayout) {
        this.bytes = bytes;
        this.c = c;
        this.java = java;
        this.valueLayout = valueLayout;
    }

    static WireType of(Table.Line line, String name) {
        for (WireType type : values()) {
            if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                return type;
            }
        }
        throw line.error("unknown type " + name);
    }
}
