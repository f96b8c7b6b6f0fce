package facet.os;

/** File descriptors as numbers, for those that came over a socket or go over one. */
public final class Descriptors {
    private Descriptors() {}

    /**
     * Closes it. Linux has freed the number even when it reports an error, so there is no second
     * try.
     */
    public static void close(int descriptor) {
        DescriptorUnsafe.close(descriptor);
    }

    /** A second descriptor of the same file, closed on exec. */
    public static int duplicate(int descriptor) throws SystemCallException {
        int result = DescriptorUnsafe.duplicate(descriptor);
        if (result < 0) {
            throw new SystemCallException("cannot duplicate descriptor " + descriptor, -result);
        }
        return result;
    }

    public static boolean isOpen(int descriptor) {
        return DescriptorUnsafe.isOpen(descriptor);
    }
}
