package facet.jit.runtime;

/** Where the spaces that are not global lie in the generic address space. */
public final class Windows {
    /** Each window is 4 GiB, so that a 32-bit offset cannot leave it. */
    public static final long SIZE = 1L << 32;

    public static final long SHARED = 0x6000_0000_0000L;
    public static final long LOCAL = 0x6100_0000_0000L;
    public static final long PARAMETER = 0x6200_0000_0000L;

    /** Function pointers are {@code CODE + 16 * index}: never null, never a data address. */
    public static final long CODE = 0x6300_0000_0000L;

    private Windows() {}

    public static boolean contains(long window, long address) {
        return Long.compareUnsigned(address - window, SIZE) < 0;
    }
}
