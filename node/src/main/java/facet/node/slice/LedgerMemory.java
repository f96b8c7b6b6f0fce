package facet.node.slice;

import facet.abi.Constants;
import facet.abi.LedgerHeaderLayout;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The page that all sessions of a slice share: a limit, and what each of them says to have taken.
 * Clients write to it as they like; nothing read here is more than a claim.
 *
 * <pre>
 *   LedgerHeader    limit, number of slots
 *   u64[1024]       bytes claimed, one for each session
 *   u32[1024]       process of each session, in its own numbering; for people
 * </pre>
 */
public final class LedgerMemory implements AutoCloseable {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long BYTES =
            LedgerHeaderLayout.BYTES + (long) Constants.LEDGER_SLOTS * (Long.BYTES + Integer.BYTES);

    private final SharedMemoryUnsafe memory;
    private volatile long limit;

    /** The highest limit so far: sessions may have claimed up to it before it was lowered. */
    private volatile long highest;

    private LedgerMemory(SharedMemoryUnsafe memory, long limit) {
        this.memory = memory;
        this.limit = limit;
        this.highest = limit;
    }

    public static LedgerMemory create(String slice, long limit) throws IOException {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("facet-ledger-" + slice, BYTES);
        MemorySegment header = memory.segment();
        header.set(ValueLayout.JAVA_LONG, LedgerHeaderLayout.LIMIT_OFFSET, limit);
        header.set(ValueLayout.JAVA_INT, LedgerHeaderLayout.SLOTS_OFFSET, Constants.LEDGER_SLOTS);
        header.set(ValueLayout.JAVA_LONG, LedgerHeaderLayout.BUSY_OFFSET, 1);
        return new LedgerMemory(memory, limit);
    }

    /** One that the daemon made; the descriptor is taken over. The limit is the daemon's word. */
    public static LedgerMemory attach(int descriptor, long limit) throws IOException {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.attach(descriptor);
        if (memory.bytes() < BYTES) {
            long bytes = memory.bytes();
            memory.close();
            throw new IOException("a ledger of " + bytes + " bytes, not " + BYTES);
        }
        return new LedgerMemory(memory, limit);
    }

    public int descriptor() {
        return memory.descriptor();
    }

    public long limit() {
        return limit;
    }

    /** Changes it for all sessions. What they have already stays theirs. One thread at a time. */
    public void limit(long bytes) {
        highest = Math.max(highest, bytes);
        limit = bytes;
        LONG.setVolatile(memory.segment(), (long) LedgerHeaderLayout.LIMIT_OFFSET, bytes);
    }

    private static long offset(int slot) {
        return LedgerHeaderLayout.BYTES
                + (long) java.util.Objects.checkIndex(slot, Constants.LEDGER_SLOTS) * Long.BYTES;
    }

    /** What a session says to have; nonsense counts as more than there is. */
    public long claimed(int slot) {
        long value = (long) LONG.getVolatile(memory.segment(), offset(slot));
        long most = highest;
        return value < 0 || value > most ? most + 1 : value;
    }

    void add(int slot, long bytes) {
        long ignored = (long) LONG.getAndAdd(memory.segment(), offset(slot), bytes);
    }

    public void clear(int slot) {
        LONG.setVolatile(memory.segment(), offset(slot), 0L);
        enter(slot, 0);
    }

    /** Says who has the slot. */
    public void enter(int slot, int process) {
        long offset =
                LedgerHeaderLayout.BYTES
                        + (long) Constants.LEDGER_SLOTS * Long.BYTES
                        + (long) java.util.Objects.checkIndex(slot, Constants.LEDGER_SLOTS)
                                * Integer.BYTES;
        memory.segment().set(ValueLayout.JAVA_INT, offset, process);
    }

    /** Device time of the slice; a second is one in which it used all that it may. */
    public void busy(long nanos) {
        LONG.setVolatile(memory.segment(), (long) LedgerHeaderLayout.BUSY_OFFSET, nanos + 1);
    }

    /** Sum of all claims; at most a little more than the highest limit. */
    public long taken() {
        long sum = 0;
        long most = highest;
        for (int slot = 0; slot < Constants.LEDGER_SLOTS && sum <= most; slot++) {
            sum += claimed(slot);
        }
        return sum;
    }

    @Override
    public void close() {
        memory.close();
    }
}
