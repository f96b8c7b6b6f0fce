package facet.host.session;

import facet.abi.Constants;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.LoadedModule;
import facet.device.Memory;
import facet.device.PhysicalMemory;
import facet.host.ledger.Ledger;
import facet.host.ledger.Tally;
import facet.host.mirror.Mirror;
import facet.host.mirror.MirroredContext;
import facet.host.residency.ContextHolding;
import facet.host.residency.Occupant;
import facet.host.residency.Residency;
import facet.os.ProcessorTimeUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a context, of which the device has a part for its own, and what the client sees of
 * it: the same memory where it can be mapped, else a mirror. Any thread.
 */
final class LentMemory implements AddressSpace.Owner {
    /** Of a mirror, and of the device for what is mirrored. */
    private static final int MIRROR_FILES = 3;

    private static final long PAGE = 4096;

    private final Memory memory;
    private final @Nullable Mirror mirror;
    private final Memory.Mapping seen;
    private final Terms terms;
    private final int files;
    private volatile long heap;

    /** What a launch could not have now. Both with the gate of the holding. */
    private long lacking;

    private boolean lastTry;
    private @Nullable ContextHolding holding;
    private boolean closed;

    /** What other sessions have open: offset to length. */
    private final TreeMap<Long, Long> kept = new TreeMap<>();

    private boolean discarded;

    /**
     * Where it is, and whose.
     *
     * @param base device address of its first byte
     * @param ledger of the device, where the session has a slot
     * @param bill is told what giving pages back has cost, in nanoseconds of a processor
     */
    record Terms(long base, Ledger ledger, int slot, Tally tally, LongConsumer bill) {}

    private LentMemory(
            Memory memory, @Nullable Mirror mirror, Memory.Mapping seen, Terms terms, int files) {
        this.memory = memory;
        this.mirror = mirror;
        this.seen = seen;
        this.terms = terms;
        this.files = files;
    }

    /**
     * Takes over memory of a device, and closes it when this fails.
     *
     * @param name for people who look at /proc/PID/maps
     */
    static LentMemory of(Memory memory, String name, Terms terms) throws IOException {
        Optional<Memory.Mapping> mapping = memory.mapping();
        int files = mapping.isPresent() ? 1 : MIRROR_FILES;
        if (!terms.tally.takeDescriptors(files)) {
            memory.close();
            throw new IOException("its slice has too many files open in the daemon");
        }
        if (mapping.isPresent()) {
            return new LentMemory(memory, null, mapping.get(), terms, files);
        }
        try {
            Mirror mirror = Mirror.of(memory, name, terms.bill);
            Memory.Mapping image = new Memory.Mapping(mirror.descriptor(), mirror.segment());
            return new LentMemory(memory, mirror, image, terms, files);
        } catch (IOException e) {
            terms.tally.giveDescriptors(files);
            memory.close();
            throw e;
        }
    }

    /** Whether the client has the device's memory itself. */
    boolean isMapped() {
        return mirror == null;
    }

    /** Some of it, as the device maps it elsewhere; empty where others have windows to it. */
    Optional<PhysicalMemory> part(long offset, long bytes) {
        return memory.part(offset, bytes);
    }

    /** Of what the client maps. */
    int descriptor() {
        return seen.descriptor();
    }

    long bytes() {
        return memory.bytes();
    }

    /** As the device is to use it. */
    AddressSpace space(long own) {
        return new AddressSpace(terms.base, own, memory, this);
    }

    /** The context on it, as the session is to use it. */
    Context context(Context device) {
        return mirror == null ? device : new MirroredContext(device, mirror, terms.base);
    }

    /** From now on somebody knows which of it is on the device. Before the first launch. */
    ContextHolding hold(Residency residency, Occupant occupant) {
        ContextHolding made = residency.admit(occupant, memory);
        holding = made;
        return made;
    }

    /** Where an address is in it. */
    long offset(long address) {
        return address - terms.base;
    }

    /** Whether the bytes are all at addresses of it. */
    boolean contains(long address, long bytes) {
        long offset = address - terms.base;
        return bytes >= 0
                && bytes <= memory.bytes()
                && offset >= 0
                && offset <= memory.bytes() - bytes;
    }

    /** Ends the session when the bytes are not all in it. */
    void checkRange(long address, long bytes) {
        if (!contains(address, bytes)) {
            throw new ProtocolViolation(
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are not in its context");
        }
    }

    /** The bytes at a device address as the client sees them, which may change them at any time. */
    MemorySegment bytes(long address, long bytes) {
        checkRange(address, bytes);
        return seen.segment().asSlice(address - terms.base, bytes);
    }

    // ---- what the client accesses itself

    /** The client has taken memory. */
    void taken(Allocations.Allocation allocation) {
        if (mirror == null) {
            return;
        }
        long offset = offset(allocation.address());
        if (allocation.kind() == Constants.MEMORY_STAGING) {
            mirror.stage(offset, allocation.bytes());
        } else if (allocation.kind() != Constants.MEMORY_DEVICE) {
            mirror.share(offset, allocation.bytes());
        }
    }

    /** The client has given back what begins here. */
    void given(long address) {
        if (mirror != null) {
            mirror.forget(offset(address));
        }
    }

    /** A module has a variable that the client accesses. */
    void show(LoadedModule.Variable variable) {
        if (mirror != null) {
            try {
                mirror.show(offset(variable.address()), variable.bytes());
            } catch (IOException e) {
                throw new DeviceException(
                        DeviceError.OUT_OF_MEMORY, String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** The module is about to go. */
    void hide(LoadedModule.Variable variable) {
        if (mirror != null) {
            mirror.hide(offset(variable.address()), variable.bytes());
        }
    }

    // ---- what the device may have

    @Override
    public boolean mayHaveHeap(long bytes) {
        if (!terms.ledger.takeNow(terms.slot, bytes)) {
            if (!lastTry) {
                lacking = bytes;
                throw new DeviceException(
                        DeviceError.OUT_OF_MEMORY, "there is no room for the kernels' heap yet");
            }
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
    public boolean mayHaveBlockMemory(long bytes, boolean needed) {
        boolean granted = terms.ledger.takeNow(terms.slot, bytes);
        if (!granted && needed) {
            lacking = bytes;
        }
        return granted;
    }

    /** Whether a launch that lacks room now does not come again. With the gate of the holding. */
    void lastTry(boolean last) {
        lastTry = last;
    }

    /** Bytes of the slice that the launch lacked which was just refused, or 0. With the gate. */
    long takeLacking() {
        long bytes = lacking;
        lacking = 0;
        return bytes;
    }

    @Override
    public void giveBlockMemory(long bytes) {
        terms.ledger.give(terms.slot, bytes);
    }

    /** Bytes of the slice that the kernels' heap has. */
    long heap() {
        return heap;
    }

    // ---- pages

    /**
     * Bytes of memory that it really takes: on the device, or as the client sees it when that is
     * more.
     */
    synchronized long resident() {
        if (closed) {
            return 0;
        }
        long there = memory.resident();
        return mirror == null ? there : Math.max(there, mirror.resident());
    }

    /** Bytes of the pages that a range has. */
    synchronized long resident(long offset, long bytes) {
        if (closed) {
            return 0;
        }
        long there = memory.resident(offset, bytes);
        return mirror == null ? there : Math.max(there, mirror.resident(offset, bytes));
    }

    /** Gives pages back to the system; nothing when all of them have gone. */
    void giveBack(long offset, long bytes) {
        long before = ProcessorTimeUnsafe.ofThisThread();
        try {
            synchronized (this) {
                if (!closed) {
                    memory.clear(offset, bytes);
                    if (mirror != null) {
                        mirror.clear(offset, bytes);
                    }
                }
            }
        } finally {
            terms.bill.accept(ProcessorTimeUnsafe.ofThisThread() - before);
        }
    }

    // ---- what others have open

    /** Some of it is another session's too: it stays, whatever becomes of the rest. */
    synchronized void keep(long offset, long bytes) {
        kept.put(offset, bytes);
    }

    /** Nobody else has what begins there any more. */
    void unkeep(long offset) {
        synchronized (this) {
            kept.remove(offset);
            if (!closed || discarded || !kept.isEmpty()) {
                return;
            }
            discarded = true;
        }
        discard();
    }

    /** Gives back the pages on which nothing lies that is kept. */
    private void clearBesideKept() {
        long at = 0;
        for (Map.Entry<Long, Long> each : kept.entrySet()) {
            clearPages(at, each.getKey());
            at = each.getKey() + each.getValue();
        }
        clearPages(at, memory.bytes());
    }

    private void clearPages(long from, long to) {
        long first = (from + PAGE - 1) / PAGE * PAGE;
        long end = to / PAGE * PAGE;
        if (first < end) {
            memory.clear(first, end - first);
        }
    }

    /**
     * Its pages go, also where children of the client still have them mapped. What others have open
     * goes when they close it.
     */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (!kept.isEmpty()) {
                clearBesideKept();
                return;
            }
            discarded = true;
        }
        discard();
    }

    private void discard() {
        // For gigabytes that takes a second: nobody who asks for figures is to wait for it.
        long before = ProcessorTimeUnsafe.ofThisThread();
        if (mirror != null) {
            mirror.close();
        }
        memory.close();
        terms.bill.accept(ProcessorTimeUnsafe.ofThisThread() - before);
        terms.tally.giveDescriptors(files);
    }
}
