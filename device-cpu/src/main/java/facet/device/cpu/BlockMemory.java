package facet.device.cpu;

import facet.device.AddressSpace;
import facet.ptx.Extent;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What blocks of a context have beside device memory: shared memory, local memory, registers that
 * do not fit where registers are. As on a GPU launches that need much of it take it of the same
 * memory as allocations, and fail when there is none. It is given back when no launch waits or runs
 * that needs it.
 *
 * <p>What the largest launch needs is reserved when it is queued, so each can run alone. One that
 * does not fit beside those that run takes more where there is some, or waits for them to end.
 * Thread-safe.
 */
final class BlockMemory {
    /** A launch that needs no more than this is not counted. */
    static final long SMALL = 64L << 10;

    /** So much there is for every context without asking. */
    static final long FREE = 4L << 20;

    private final AddressSpace.@Nullable Owner owner;

    /** Where there is no owner. */
    private final long limit;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    /** Taken of the owner. */
    private long taken;

    /** Of the largest of the launches that are queued or run, and of those that run. */
    private long largest;

    private long used;
    private int launches;

    /**
     * @param limit bytes that there are when there is no owner to ask
     */
    BlockMemory(AddressSpace.@Nullable Owner owner, long limit) {
        this.owner = owner;
        this.limit = limit;
    }

    /**
     * Before a launch is queued; {@link #begin} or {@link #forget} follows.
     *
     * @param needed whether the launch is refused without it
     * @return false when there is not so much
     */
    synchronized boolean reserve(long bytes, boolean needed) {
        if (bytes <= SMALL) {
            return true;
        }
        if (bytes > FREE + taken && !take(bytes - FREE - taken, needed)) {
            return false;
        }
        largest = Math.max(largest, bytes);
        launches++;
        return true;
    }

    private boolean take(long bytes, boolean needed) {
        boolean granted =
                owner == null ? bytes <= limit - taken : owner.mayHaveBlockMemory(bytes, needed);
        if (granted) {
            taken += bytes;
        }
        return granted;
    }

    /**
     * A launch is about to run; {@link #end} follows.
     *
     * @param retry called when others have ended, where it must wait for them
     * @return false when it must
     */
    synchronized boolean begin(long bytes, Runnable retry) {
        if (bytes <= SMALL) {
            return true;
        }
        long missing = Extent.sum(used, bytes) - FREE - taken;
        if (missing > 0 && !take(missing, false)) {
            waiting.add(retry);
            return false;
        }
        used += bytes;
        return true;
    }

    /**
     * The same for a launch that others, which have memory, wait for: it cannot wait for theirs.
     */
    synchronized boolean beginNow(long bytes) {
        long missing = Extent.sum(used, bytes) - FREE - taken;
        if (bytes > SMALL) {
            if (missing > 0 && !take(missing, false)) {
                return false;
            }
            used += bytes;
        }
        return true;
    }

    void end(long bytes) {
        if (bytes > SMALL) {
            List<Runnable> retries;
            synchronized (this) {
                used -= bytes;
                forgetOne();
                retries = List.copyOf(waiting);
                waiting.clear();
            }
            retries.forEach(Runnable::run);
        }
    }

    /** A launch that was reserved for will not run. */
    synchronized void forget(long bytes) {
        if (bytes > SMALL) {
            forgetOne();
        }
    }

    /** What is taken stays at least what the largest needs, so that something always runs. */
    private void forgetOne() {
        launches--;
        if (launches == 0) {
            largest = 0;
        }
        long needed = Math.max(0, Math.max(used, largest) - FREE);
        if (owner != null && taken > needed) {
            owner.giveBlockMemory(taken - needed);
        }
        taken = Math.min(taken, needed);
    }
}
