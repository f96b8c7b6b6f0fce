package facet.ptx;

/**
 * How large a text may be that is made into code. The limits are far above what compilers write;
 * docs/limits.md has them as a table. What is above one is refused when it is loaded, with a
 * message that names the limit.
 */
public final class Limits {
    /** Characters of one text. */
    public static final int TEXT = 64 << 20;

    /** Functions of a module, kernels included. */
    public static final int FUNCTIONS = 100_000;

    /** Variables of a module outside of functions. */
    public static final int VARIABLES = 200_000;

    /** Instructions of a function as it stands in the text. */
    public static final int INSTRUCTIONS = 500_000;

    /** Instructions of a kernel together with the functions that become part of it. */
    public static final int INLINED_INSTRUCTIONS = 500_000;

    /** Calls in a kernel that are replaced by what they call. */
    public static final int INLINED_CALLS = 10_000;

    /** Registers of a function, and of a kernel with what becomes part of it. */
    public static final int REGISTERS = 1_000_000;

    /** Labels of a function. */
    public static final int LABELS = 100_000;

    /** Where the branches of a function may go: a list of targets counts for each branch by it. */
    public static final int BRANCH_TARGETS = 500_000;

    /** Registers times places where control flow meets, in units of 64: what liveness keeps. */
    public static final long LIVENESS_WORDS = 1L << 23;

    /** Characters of a name. */
    public static final int NAME = 16 << 10;

    /** Steps of {@link Work} for loading a module, or for compiling one kernel of it. */
    public static final long STEPS = 2_000_000_000L;

    private Limits() {}

    /** Registers that a text may declare in all: each that is used takes some characters. */
    static long registers(int characters) {
        return 100_000L + characters / 4;
    }

    /**
     * @param what in the plural
     * @throws PtxException when it is more
     */
    public static void check(Position position, String what, long count, long most) {
        if (count > most) {
            throw new PtxException(
                    PtxException.Kind.UNSUPPORTED,
                    position,
                    count + " " + what + "; this device takes at most " + most);
        }
    }
}
