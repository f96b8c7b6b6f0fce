package facet.jit.access;

/**
 * One access of a kernel.
 *
 * @param bits of an element
 * @param lanes elements
 * @param offset what is added to the base in the brackets
 * @param source of an asynchronous copy, which reads there what it writes here; else null
 */
record Access(
        Does does,
        Where where,
        int bits,
        int lanes,
        boolean strong,
        Base base,
        long offset,
        @org.jspecify.annotations.Nullable Access source) {

    /** What it does there. */
    enum Does {
        LOAD,
        STORE,
        /** Adds without asking for the old value. */
        REDUCE,
        /** Adds and asks for the old value. */
        ADD,
        EXCHANGE,
        /** The destination of an asynchronous copy, or its source. */
        COPY
    }

    /** What stands in the brackets before the offset. */
    sealed interface Base {
        /** A register of 64 bits. */
        record Wide(int register) implements Base {}

        /** A register of 32 bits, where addresses wrap at 32 bits. */
        record Narrow(int register) implements Base {}

        record Symbol(String name) implements Base {}

        record None() implements Base {}
    }

    int width() {
        return bits / 8 * lanes;
    }

    boolean hasResult() {
        return does == Does.LOAD || does == Does.ADD || does == Does.EXCHANGE;
    }

    /** The register that the address goes by, or -1. */
    int register() {
        return switch (base) {
            case Base.Wide wide -> wide.register();
            case Base.Narrow narrow -> narrow.register();
            case Base.Symbol _, Base.None _ -> -1;
        };
    }
}
