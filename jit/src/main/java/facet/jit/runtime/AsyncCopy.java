package facet.jit.runtime;

/** The copy that {@code cp.async} asks for. Addresses were checked for {@code size} bytes. */
public final class AsyncCopy {
    private AsyncCopy() {}

    /** A source size above the size of the copy is undefined in PTX; here it is cut. */
    public static int limit(int bytes, int size) {
        return Integer.compareUnsigned(bytes, size) < 0 ? bytes : size;
    }

    /** Clears what the source does not fill. */
    public static void zero(long into, int bytes, int size) {
        for (int i = bytes; i < size; i++) {
            AccessUnsafe.putB8(into + i, 0);
        }
    }

    public static void copy(long from, long into, int bytes, int size) {
        if (bytes == size) {
            for (int i = 0; i < size; i += 4) {
                AccessUnsafe.putB32(into + i, AccessUnsafe.getB32(from + i));
            }
        } else {
            AccessUnsafe.copy(from, into, bytes);
        }
    }
}
