package facet.host.session;

import facet.host.residency.Later;
import facet.host.share.Storage;
import facet.os.StitchedUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An allocation of a context that other sessions of the slice may open. Any thread. */
final class AllocationStorage implements Storage {
    private final SessionContext context;
    private final long address;
    private final MemorySegment memory;

    AllocationStorage(SessionContext context, Allocations.Allocation allocation) {
        this.context = context;
        address = allocation.address();
        memory = context.bytes(address, allocation.bytes());
        context.memory().keep(context.offset(address), allocation.bytes());
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

    @Override
    public void drop() {
        context.allocations().close(address);
        context.memory().unkeep(context.offset(address));
    }
}
