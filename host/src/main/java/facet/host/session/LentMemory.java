package facet.host.session;

import facet.device.AddressSpace;
import facet.host.ledger.Ledger;
import facet.host.residency.ContextHolding;
import facet.host.residency.Occupant;
import facet.host.residency.Residency;
import facet.os.ProcessorTimeUnsafe;
import facet.os.SharedMemoryUnsafe;
import facet.os.SystemCallException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a context: a file that the client maps too, of which the device has a part for its
 * own. Any thread.
 */
final class LentMemory implements AddressSpace.Owner {
    private final SharedMemoryUnsafe memory;
    private final long base;
    private final Ledger ledger;
    private final int slot;
    private final LongConsumer bill;
    private volatile long heap;
    private @Nullable ContextHolding holding;
    private boolean closed;

    /**
     * @param base device address of its first byte
     * @param ledger of the device, where the session has a slot
     * @param bill is told what giving pages back has cost, in nanoseconds of a processor
     */
    LentMemory(SharedMemoryUnsafe memory, long base, Ledger ledger, int slot, LongConsumer bill) {
        this.memory = memory;
        this.base = base;
        this.ledger = ledger;
        this.slot = slot;
        this.bill = bill;
    }

    /** From now on somebody knows which of it is on the device. Before the first launch. */
    ContextHolding hold(Residency residency, Occupant occupant) {
        ContextHolding made = residency.admit(occupant, memory);
        holding = made;
        return made;
    }

    /** Where an address is in it. */
    long offset(long address) {
        return address - base;
    }

    /** Ends the session when the bytes are not all in it. */
    void checkRange(long address, long bytes) {
        long offset = address - base;
        if (bytes < 0 || bytes > memory.bytes() || offset < 0 || offset > memory.bytes() - bytes) {
            throw new ProtocolViolation(
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are not in its context");
        }
    }

    /** The bytes at a device address; a client may change them at any time. */
    MemorySegment bytes(long address, long bytes) {
        checkRange(address, bytes);
        return memory.segment().asSlice(address - base, bytes);
    }

    @Override
    public boolean mayHaveHeap(long bytes) {
        if (!ledger.take(slot, bytes)) {
            return false;
        }
        heap = bytes;
        ContextHolding known = holding;
        if (known != null) {
            known.takeOwn(bytes);
        }
        return true;
    }

    @Override
    public boolean mayHaveBlockMemory(long bytes, boolean patient) {
        return patient ? ledger.take(slot, bytes) : ledger.takeNow(slot, bytes);
    }

    @Override
    public void giveBlockMemory(long bytes) {
        ledger.give(slot, bytes);
    }

    @Override
    public void clear(long offset, long bytes) {
        memory.punch(offset, bytes);
    }

    /** Bytes of the slice that the kernels' heap has. */
    long heap() {
        return heap;
    }

    /** Bytes of memory that it really takes. */
    synchronized long resident() {
        return closed ? 0 : memory.resident();
    }

    /** Bytes of the pages that a range has. */
    synchronized long resident(long offset, long bytes) {
        return closed ? 0 : memory.resident(offset, bytes);
    }

    /** Gives pages back to the system; nothing when all of them have gone. */
    void giveBack(long offset, long bytes) throws SystemCallException {
        long before = ProcessorTimeUnsafe.ofThisThread();
        try {
            synchronized (this) {
                if (!closed) {
                    memory.giveBack(offset, bytes);
                }
            }
        } finally {
            bill.accept(ProcessorTimeUnsafe.ofThisThread() - before);
        }
    }

    /** Its pages go, also where children of the client still have them mapped. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // For gigabytes that takes a second: nobody who asks for figures is to wait for it.
        long before = ProcessorTimeUnsafe.ofThisThread();
        memory.discard();
        bill.accept(ProcessorTimeUnsafe.ofThisThread() - before);
    }
}
