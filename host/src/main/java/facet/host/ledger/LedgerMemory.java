package facet.host.ledger;

import facet.abi.Constants;
import facet.abi.LedgerHeaderLayout;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * The page that all sessions of a slice share: a limit, and what each of them says to have taken of
 * each device. Clients write to it as they like; nothing read here is more than a claim.
 *
 * <pre>
 *   LedgerHeader    limit of each device, number of slots and devices
 *   u64[n][1024]    bytes claimed, by device and session
 *   u64[n][1024]    how busy each session was when it last was, by device; for people
 *   u32[1024]       process of each session, in its own numbering; for people
 *   u32[n][1024]    contexts of each session, by device; for people
 * </pre>
 */
public final class LedgerMemory implements AutoCloseable {
    /** One more rule of the word: native/common/ledger.c has it too. Older clients pass it over. */
    private static final long RULE_ON_DEVICE = 2;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final SharedMemoryUnsafe memory;
    private volatile long limit;

    /** The highest limit so far: sessions may have claimed up to it before it was lowered. */
    private volatile long highest;

    private final int devices;

    /** What each device has: no slice has more of it, whatever its limit. */
    private final long[] sizes;

    private LedgerMemory(SharedMemoryUnsafe memory, long limit, long[] sizes) {
        this.memory = memory;
        this.limit = limit;
        this.highest = limit;
        this.devices = sizes.length;
        this.sizes = sizes.clone();
    }

    private static long bytes(int devices) {
        return contexts(devices) + (long) devices * Constants.LEDGER_SLOTS * Integer.BYTES;
    }

    private static long samples(int devices) {
        return LedgerHeaderLayout.BYTES + (long) devices * Constants.LEDGER_SLOTS * Long.BYTES;
    }

    private static long processes(int devices) {
        return samples(devices) + (long) devices * Constants.LEDGER_SLOTS * Long.BYTES;
    }

    private static long contexts(int devices) {
        return processes(devices) + (long) Constants.LEDGER_SLOTS * Integer.BYTES;
    }

    /** On devices that have at least the limit. */
    public static LedgerMemory create(String slice, long limit, int devices) throws IOException {
        long[] sizes = new long[devices];
        Arrays.fill(sizes, Long.MAX_VALUE);
        return create(slice, limit, sizes);
    }

    /**
     * @param limit bytes of each device
     * @param sizes bytes that each device has
     */
    public static LedgerMemory create(String slice, long limit, long[] sizes) throws IOException {
        int devices = sizes.length;
        SharedMemoryUnsafe memory =
                SharedMemoryUnsafe.create("facet-ledger-" + slice, bytes(devices));
        MemorySegment header = memory.segment();
        header.set(ValueLayout.JAVA_LONG, LedgerHeaderLayout.LIMIT_OFFSET, limit);
        header.set(ValueLayout.JAVA_INT, LedgerHeaderLayout.SLOTS_OFFSET, Constants.LEDGER_SLOTS);
        header.set(ValueLayout.JAVA_INT, LedgerHeaderLayout.DEVICES_OFFSET, devices);
        header.set(ValueLayout.JAVA_LONG, LedgerHeaderLayout.BUSY_OFFSET, 1);
        return new LedgerMemory(memory, limit, sizes);
    }

    /** One that the daemon made; the descriptor is taken over. The limit is the daemon's word. */
    public static LedgerMemory attach(int descriptor, long limit, long[] sizes) throws IOException {
        int devices = sizes.length;
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.attach(descriptor);
        if (memory.bytes() < bytes(devices)) {
            long bytes = memory.bytes();
            memory.close();
            throw new IOException("a ledger of " + bytes + " bytes, not " + bytes(devices));
        }
        return new LedgerMemory(memory, limit, sizes);
    }

    public int descriptor() {
        return memory.descriptor();
    }

    /** Of a device. */
    public long limit(int device) {
        return Math.min(limit, sizes[device]);
    }

    /** What of a limit a device has. */
    long atMost(int device, long bytes) {
        return Math.min(bytes, sizes[device]);
    }

    /** Of all devices together. */
    public long limitOfAll() {
        return sum(limit);
    }

    private long sum(long most) {
        long sum = 0;
        for (long size : sizes) {
            sum += Math.min(most, size);
        }
        return sum;
    }

    /** Changes it for all sessions. What they have already stays theirs. One thread at a time. */
    public void limit(long bytes) {
        highest = Math.max(highest, bytes);
        limit = bytes;
        LONG.setVolatile(memory.segment(), (long) LedgerHeaderLayout.LIMIT_OFFSET, bytes);
    }

    /**
     * What programs with the vendor's driver in them may do. Any thread.
     *
     * @param strict whether calls without a rule are refused
     * @param first whether the slice's memory has its place before that of others, where the device
     *     has too little for all
     */
    public void rules(boolean strict, boolean first) {
        LONG.setVolatile(
                memory.segment(),
                (long) LedgerHeaderLayout.RULES_OFFSET,
                (strict ? (long) Constants.RULE_STRICT : 0L) | (first ? RULE_ON_DEVICE : 0L));
    }

    /** The highest one that sessions may have seen. */
    public long highestLimitOfAll() {
        return sum(highest);
    }

    public int devices() {
        return devices;
    }

    private long index(int device, int slot) {
        return (long) Objects.checkIndex(device, devices) * Constants.LEDGER_SLOTS
                + Objects.checkIndex(slot, Constants.LEDGER_SLOTS);
    }

    private long offset(int device, int slot) {
        return LedgerHeaderLayout.BYTES + index(device, slot) * Long.BYTES;
    }

    /** What a session says to have; nonsense counts as more than there is. */
    public long claimed(int device, int slot) {
        long value = (long) LONG.getVolatile(memory.segment(), offset(device, slot));
        long most = highest;
        return value < 0 || value > most ? most + 1 : value;
    }

    /** What a session claims is so much more: by itself, or because it is hosted elsewhere. */
    public void add(int device, int slot, long bytes) {
        long ignored = (long) LONG.getAndAdd(memory.segment(), offset(device, slot), bytes);
    }

    void clear(int device, int slot) {
        LONG.setVolatile(memory.segment(), offset(device, slot), 0L);
    }

    /** The session of a slot is gone, and what it claimed with it. */
    public void clear(int slot) {
        for (int device = 0; device < devices; device++) {
            clear(device, slot);
            sample(device, slot, 0, 0);
            memory.segment()
                    .set(
                            ValueLayout.JAVA_INT,
                            contexts(devices) + index(device, slot) * Integer.BYTES,
                            0);
        }
        enter(slot, 0);
    }

    /**
     * How much of its slice's part of a device a session has used for a while.
     *
     * @param microseconds since 1970, when that was
     * @param percent at most 100
     */
    public void sample(int device, int slot, long microseconds, int percent) {
        long offset = samples(devices) + index(device, slot) * Long.BYTES;
        LONG.setVolatile(memory.segment(), offset, microseconds << 7 | percent);
    }

    /** As it was written, the percentage in the lowest seven bits; 0 when there is none. */
    public long sample(int device, int slot) {
        return (long)
                LONG.getVolatile(
                        memory.segment(), samples(devices) + index(device, slot) * Long.BYTES);
    }

    /** Says who has the slot. */
    public void enter(int slot, int process) {
        long offset =
                processes(devices)
                        + (long) Objects.checkIndex(slot, Constants.LEDGER_SLOTS) * Integer.BYTES;
        memory.segment().set(ValueLayout.JAVA_INT, offset, process);
    }

    /** Device time of the slice; a second is one in which it used all that it may. */
    public void busy(long nanos) {
        LONG.setVolatile(memory.segment(), (long) LedgerHeaderLayout.BUSY_OFFSET, nanos + 1);
    }

    /** So many bytes of freed memory more, or fewer, are on their way back to the system. */
    void returning(long change) {
        long ignored =
                (long)
                        LONG.getAndAdd(
                                memory.segment(),
                                (long) LedgerHeaderLayout.RETURNING_OFFSET,
                                change);
    }

    /** Sum of all claims on a device; at most a little more than the highest limit. */
    public long taken(int device) {
        long sum = 0;
        long most = highest;
        for (int slot = 0; slot < Constants.LEDGER_SLOTS && sum <= most; slot++) {
            sum += claimed(device, slot);
        }
        return sum;
    }

    @Override
    public void close() {
        memory.close();
    }
}
