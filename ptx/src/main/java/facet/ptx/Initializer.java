package facet.ptx;

import java.util.List;

/** The value of one element of a variable, or a nested list of them (PTX ISA 5.4.4). */
public sealed interface Initializer {
    record IntegerValue(long value) implements Initializer {}

    /** Bits of the given type: F32 or F64. */
    record FloatValue(Type type, long bits) implements Initializer {}

    /**
     * {@code sym+8}, {@code generic(sym)+8}, {@code 0xFF0000(sym)}: the address of a symbol.
     *
     * @param generic whether it was wrapped in {@code generic()}
     * @param mask which byte of the address is stored ({@code 0xFF(sym)}), or 0 for the whole
     */
    record Address(String symbol, long offset, boolean generic, long mask) implements Initializer {
        public Address plus(long more) {
            return more == 0
                    ? this
                    : new Address(symbol, Extent.address(offset, more), generic, mask);
        }
    }

    record Nested(List<Initializer> elements) implements Initializer {}
}
