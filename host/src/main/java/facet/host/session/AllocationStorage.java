package facet.host.session;

import facet.device.PhysicalMemory;
import facet.host.residency.Later;
import facet.host.share.Storage;
import facet.os.StitchedUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** An allocation of a context that other sessions of the slice may open. Any thread. */
final class AllocationStorage implements Storage {
    private final SessionContext context;
    private final long address;
    private final MemorySegment memory;
    private final long bytes;
    private final Optional<PhysicalMemory> physical;
    private final AtomicBoolean dropped = new AtomicBoolean();

    AllocationStorage(SessionContext context, Allocations.Allocation allocation) {
        this.context = context;
        address = allocation.address();
        bytes = allocation.bytes();
        memory = context.bytes(address, bytes);
        physical = context.memory().part(context.offset(address), bytes);
        context.memory().keep(context.offset(address), bytes);
        context.holding().keep(bytes);
    }

    @Override
    public Optional<PhysicalMemory> physical() {
        return physical;
    }

    @Override
    public MemorySegment memory(long offset, long bytes) {
        return memory.asSlice(offset, bytes);
    }

    /** It was made to stay before. */
    @Override
    public void whenThere(Later told) {
        told.again(true);
    }

    /** Its pages are others' too. */
    @Override
    public Optional<StitchedUnsafe.Piece> piece(long offset, long bytes) {
        return Optional.empty();
    }

    /** Once: who releases it and the end of its context may both find that nobody has it. */
    @Override
    public void drop() {
        if (!dropped.compareAndSet(false, true)) {
            return;
        }
        context.allocations().close(address);
        context.memory().unkeep(context.offset(address));
        context.holding().unkeep(bytes);
    }
}
