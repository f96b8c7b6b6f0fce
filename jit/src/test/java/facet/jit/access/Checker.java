package facet.jit.access;

import facet.jit.access.Access.Base;
import facet.jit.access.Access.Does;
import facet.jit.access.Trial.World;
import facet.jit.runtime.Windows;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The slow judge: numbers without end, one thread after the other, one access after the other. It
 * shares no arithmetic with what it judges.
 */
final class Checker {
    /** What must come of a launch. */
    enum Verdict {
        ENDS,
        FAULTS,
        /**
         * It is allowed, but accesses that are checked together may go to memories of two contexts:
         * that is refused, or done as it must be.
         */
        MAY_FAULT,
        /** Threads would see each other's results, and nobody says in which order. */
        UNSURE
    }

    private static final BigInteger WIDE = BigInteger.ONE.shiftLeft(64);
    private static final BigInteger NARROW = BigInteger.ONE.shiftLeft(32);

    private final AccessKernel kernel;
    private final Trial trial;
    private final ByteBuffer memory;
    private long decided;
    private boolean unsure;
    private boolean own;
    private boolean peer;

    /**
     * @param memory as it is before the launch; afterwards as it must be when the launch ends
     */
    Checker(AccessKernel kernel, Trial trial, byte[] memory) {
        this.kernel = kernel;
        this.trial = trial;
        this.memory = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Accesses that it has said in or out of. */
    long decided() {
        return decided;
    }

    /** Whether memory of another context was reached. */
    boolean reachesPeer() {
        return peer;
    }

    /** Whether a thread that would fault does nothing. */
    boolean keepsAway() {
        int inside = new Checker(kernel, trial, new byte[0]).inside();
        for (int thread = 0; thread < kernel.threads(); thread++) {
            boolean outside = (inside >>> thread & 1) == 0;
            if (outside && kernel.parting().times(trial.mask(), thread) == 0) {
                return true;
            }
        }
        return false;
    }

    private static BigInteger unsigned(long value) {
        return BigInteger.valueOf(value).mod(WIDE);
    }

    /** Where dynamic shared memory and variables begin in their space. */
    private BigInteger symbol(String name) {
        return switch (name) {
            case "gv" -> unsigned(kernel.zone()).add(BigInteger.valueOf(World.ZONE_BYTES));
            case "cv" -> symbol("gv").add(BigInteger.valueOf(AccessKernel.VARIABLE));
            case "dyn" -> BigInteger.valueOf(AccessKernel.VARIABLE);
            case "blob" -> BigInteger.valueOf(AccessKernel.BLOB);
            case "sv", "lv" -> BigInteger.ZERO;
            default -> throw new IllegalArgumentException(name);
        };
    }

    BigInteger address(Access access, int thread) {
        BigInteger offset = BigInteger.valueOf(access.offset());
        return switch (access.base()) {
            case Base.Wide wide -> register(wide.register(), thread).add(offset).mod(WIDE);
            case Base.Narrow narrow -> register(narrow.register(), thread).add(offset).mod(NARROW);
            case Base.Symbol symbol -> symbol(symbol.name()).add(offset).mod(WIDE);
            case Base.None _ -> offset.mod(WIDE);
        };
    }

    private BigInteger register(int number, int thread) {
        BigInteger stride = BigInteger.valueOf(kernel.strides().get(number));
        return BigInteger.valueOf(trial.registers()[number])
                .add(stride.multiply(BigInteger.valueOf(thread)));
    }

    /** Index in the world of what a thread reaches at the address, or -1. */
    private int place(Access access, Where where, BigInteger address, int thread) {
        int width = access.width();
        return switch (where) {
            case GLOBAL, CONST -> {
                BigInteger start = unsigned(kernel.zone() - trial.low());
                long bytes = trial.low() + World.ZONE_BYTES + trial.high();
                int at = within(address.subtract(start), bytes, width);
                if (at >= 0) {
                    own = true;
                    yield World.ZONE_AT - (int) trial.low() + at;
                }
                BigInteger other = unsigned(trial.peer(kernel));
                // What a copy writes is shared memory.
                boolean reads = access.does() == Does.LOAD || access.does() == Does.COPY;
                long open = reads || trial.peerWrites() ? trial.peerBytes() : 0;
                at = within(address.subtract(other), open, width);
                peer |= at >= 0;
                yield shifted(at, World.PEER_AT);
            }
            case SHARED -> shifted(within(address, trial.sharedBytes(), width), World.SHARED_AT);
            case LOCAL ->
                    shifted(
                            within(address, trial.localBytes(), width),
                            World.LOCAL_AT + thread * trial.localBytes());
            case PARAM ->
                    shifted(within(address, AccessKernel.PARAMETERS, width), World.PARAMETERS_AT);
            case GENERIC -> generic(access, address, thread);
        };
    }

    private int generic(Access access, BigInteger address, int thread) {
        int at = place(access, Where.GLOBAL, address, thread);
        if (at < 0) {
            at = place(access, Where.SHARED, behind(address, Windows.SHARED), thread);
        }
        if (at < 0) {
            at = place(access, Where.LOCAL, behind(address, Windows.LOCAL), thread);
        }
        if (at < 0) {
            at = place(access, Where.PARAM, behind(address, Windows.PARAMETER), thread);
        }
        return at;
    }

    private static BigInteger behind(BigInteger address, long window) {
        return address.subtract(BigInteger.valueOf(window));
    }

    private static int shifted(int at, int start) {
        return at < 0 ? -1 : start + at;
    }

    private static int within(BigInteger offset, long bytes, int width) {
        boolean inside =
                offset.signum() >= 0
                        && offset.add(BigInteger.valueOf(width))
                                        .compareTo(BigInteger.valueOf(bytes))
                                <= 0;
        return inside ? offset.intValueExact() : -1;
    }

    /** Index in the world of an access that is allowed, or -1. */
    private int reach(Access access, int thread) {
        decided++;
        BigInteger address = address(access, thread);
        boolean constant = access.where() == Where.PARAM && access.base() instanceof Base.Symbol;
        boolean aligned = address.mod(BigInteger.valueOf(access.width())).signum() == 0 || constant;
        return aligned ? place(access, access.where(), address, thread) : -1;
    }

    private static boolean inZone(int at, int width) {
        return at + width > World.ZONE_AT && at < World.ZONE_AT + World.ZONE_BYTES;
    }

    /** Threads, a bit each, that may do all accesses. */
    int inside() {
        int inside = 0;
        for (int thread = 0; thread < kernel.threads(); thread++) {
            boolean all = true;
            for (Access access : kernel.accesses()) {
                Access source = access.source();
                all &= reach(access, thread) >= 0 && (source == null || reach(source, thread) >= 0);
            }
            inside |= all ? 1 << thread : 0;
        }
        return inside;
    }

    Verdict judge() {
        for (int thread = 0; thread < kernel.threads(); thread++) {
            long[] results = new long[kernel.slots()];
            int times = kernel.parting().times(trial.mask(), thread);
            for (int i = 0; i < times; i++) {
                Verdict verdict = accesses(thread, results);
                if (verdict != Verdict.ENDS) {
                    return verdict;
                }
            }
            keep(thread, results);
        }
        return unsure ? Verdict.UNSURE : own && peer ? Verdict.MAY_FAULT : Verdict.ENDS;
    }

    /** All accesses of a thread, once. */
    private Verdict accesses(int thread, long[] results) {
        int slot = 0;
        for (Access access : kernel.accesses()) {
            int at = reach(access, thread);
            if (at < 0) {
                return Verdict.FAULTS;
            }
            if (at < World.SHARED_AT && access.does() != Does.LOAD) {
                // By a generic address a kernel may change its own arguments: threads differ
                // in when they read those.
                return Verdict.UNSURE;
            }
            unsure |= inZone(at, access.width());
            if (access.does() == Does.COPY) {
                Access source = Objects.requireNonNull(access.source());
                int from = reach(source, thread);
                if (from < 0) {
                    return Verdict.FAULTS;
                }
                unsure |= inZone(from, access.width());
                byte[] copied = new byte[access.width()];
                memory.get(from, copied).put(at, copied);
                continue;
            }
            slot = perform(access, at, results, slot);
        }
        return Verdict.ENDS;
    }

    private int perform(Access access, int start, long[] results, int first) {
        int slot = first;
        for (int lane = 0; lane < access.lanes(); lane++) {
            int at = start + lane * access.bits() / 8;
            long old = get(at, access.bits());
            long value = kernel.pattern(access.bits());
            switch (access.does()) {
                case LOAD -> results[slot++] = old;
                case STORE -> put(at, access.bits(), value);
                case REDUCE -> put(at, access.bits(), old + value);
                case ADD -> {
                    results[slot++] = old;
                    put(at, access.bits(), old + value);
                }
                case EXCHANGE -> {
                    results[slot++] = old;
                    put(at, access.bits(), value);
                }
                case COPY -> throw new IllegalStateException("has no lanes");
            }
        }
        return slot;
    }

    private void keep(int thread, long[] results) {
        int slot = 0;
        for (Access access : kernel.accesses()) {
            for (int lane = 0; access.hasResult() && lane < access.lanes(); lane++, slot++) {
                int bits = access.bits() == 64 ? 64 : 32;
                int at = World.ZONE_AT + slot * AccessKernel.SLOT + thread * bits / 8;
                put(at, bits, results[slot]);
            }
        }
        // What the filling makes of one.
        int at = World.ZONE_AT + slot * AccessKernel.SLOT + thread * Float.BYTES;
        put(at, Float.SIZE, Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
    }

    private long get(int at, int bits) {
        return switch (bits) {
            case 8 -> memory.get(at) & 0xff;
            case 16 -> memory.getShort(at) & 0xffff;
            case 32 -> memory.getInt(at) & 0xffff_ffffL;
            default -> memory.getLong(at);
        };
    }

    private void put(int at, int bits, long value) {
        switch (bits) {
            case 8 -> memory.put(at, (byte) value);
            case 16 -> memory.putShort(at, (short) value);
            case 32 -> memory.putInt(at, (int) value);
            default -> memory.putLong(at, value);
        }
    }
}
