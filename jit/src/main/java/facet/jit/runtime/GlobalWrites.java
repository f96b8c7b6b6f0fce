package facet.jit.runtime;

/**
 * The checks of {@link GlobalChecks} for addresses that are written, or read and written. Methods
 * of their own, so that generated code, which calls one for each access, hands over no flag.
 */
public final class GlobalWrites {
    private GlobalWrites() {}

    public static long check1(long address, long base, long size, Block block) {
        if (Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 1, 0, base, size, true, block);
        }
        return address;
    }

    public static long check1(long address, long base, long size, int span, Block block) {
        if (Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 1, span, base, size, true, block);
        }
        return address;
    }

    public static long check2(long address, long base, long size, Block block) {
        if ((address & 1) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 2, 0, base, size, true, block);
        }
        return address;
    }

    public static long check2(long address, long base, long size, int span, Block block) {
        if ((address & 1) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 2, span, base, size, true, block);
        }
        return address;
    }

    public static long check4(long address, long base, long size, Block block) {
        if ((address & 3) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 4, 0, base, size, true, block);
        }
        return address;
    }

    public static long check4(long address, long base, long size, int span, Block block) {
        if ((address & 3) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 4, span, base, size, true, block);
        }
        return address;
    }

    public static long check8(long address, long base, long size, Block block) {
        if ((address & 7) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 8, 0, base, size, true, block);
        }
        return address;
    }

    public static long check8(long address, long base, long size, int span, Block block) {
        if ((address & 7) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 8, span, base, size, true, block);
        }
        return address;
    }

    public static long check16(long address, long base, long size, Block block) {
        if ((address & 15) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 16, 0, base, size, true, block);
        }
        return address;
    }

    public static long check16(long address, long base, long size, int span, Block block) {
        if ((address & 15) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 16, span, base, size, true, block);
        }
        return address;
    }

    public static long check32(long address, long base, long size, Block block) {
        if ((address & 31) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 32, 0, base, size, true, block);
        }
        return address;
    }

    public static long check32(long address, long base, long size, int span, Block block) {
        if ((address & 31) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            return GlobalChecks.elsewhere(address, 32, span, base, size, true, block);
        }
        return address;
    }

    public static long checkRow(
            long address, long base, long size, int width, int lanes, int span, Block block) {
        return VectorsUnsafe.isRow(address, base, size, width, lanes)
                ? address
                : GlobalChecks.rowElsewhere(address, base, size, width, lanes, span, true, block);
    }
}
