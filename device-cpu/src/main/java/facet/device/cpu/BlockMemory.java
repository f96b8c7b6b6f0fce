package facet.device.cpu;

import facet.device.AddressSpace;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What blocks of a context have beside device memory: shared memory, local memory, registers that
 * do not fit where registers are. As on a GPU a launch that needs much of it takes it of the same
 * memory as allocations, and fails when there is none. It is given back when no launch waits or
 * runs that needs it.
 *
 * <p>As much is reserved as the largest of the launches needs, or more where there is room, so that
 * launches of several streams run at once. A launch that does not fit beside those that run waits
 * for them to end. Thread-safe.
 */
final class BlockMemory {
    /** A launch that needs no more than this has it of the device for nothing. */
    static final long FREE = 4L << 20;

    private final AddressSpace.@Nullable Owner owner;

    /** Where there is no owner. */
    private final long limit;

    private final int launchesAtOnce;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private long reserved;

    /** Of all launches that are queued or run, of the largest of them, and of those that run. */
    private long wanted;

    private long largest;
    private long used;
    private int launches;

    /**
     * @param limit bytes that there are when there is no owner to ask
     * @param launchesAtOnce for so many there should be room
     */
    BlockMemory(AddressSpace.@Nullable Owner owner, long limit, int launchesAtOnce) {
        this.owner = owner;
        this.limit = limit;
        this.launchesAtOnce = launchesAtOnce;
    }

    /**
     * Before a launch is queued; {@link #begin} or {@link #forget} follows.
     *
     * @param patient whether to wait a little for others who are about to give back
     * @return false when there is not so much
     */
    synchronized boolean reserve(long bytes, boolean patient) {
        if (bytes <= FREE) {
            return true;
        }
        long least = Math.max(largest, bytes);
        if (least > reserved && !take(least - reserved, patient)) {
            return false;
        }
        largest = least;
        wanted += bytes;
        launches++;
        // Each of them is no more than what was granted at once, so this is far from overflowing.
        long useful = Math.min(wanted, least * launchesAtOnce);
        if (useful > reserved) {
            boolean ignored = take(useful - reserved, false);
        }
        return true;
    }

    private boolean take(long bytes, boolean patient) {
        boolean granted =
                owner == null
                        ? bytes <= limit - reserved
                        : owner.mayHaveBlockMemory(bytes, patient);
        if (granted) {
            reserved += bytes;
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
        if (bytes <= FREE) {
            return true;
        }
        if (bytes > reserved - used) {
            waiting.add(retry);
            return false;
        }
        used += bytes;
        return true;
    }

    void end(long bytes) {
        if (bytes > FREE) {
            List<Runnable> retries;
            synchronized (this) {
                used -= bytes;
                forgetOne(bytes);
                retries = List.copyOf(waiting);
                waiting.clear();
            }
            retries.forEach(Runnable::run);
        }
    }

    /** A launch that was reserved for will not run. */
    synchronized void forget(long bytes) {
        if (bytes > FREE) {
            forgetOne(bytes);
        }
    }

    private void forgetOne(long bytes) {
        wanted -= bytes;
        launches--;
        if (launches == 0) {
            long given = reserved;
            reserved = 0;
            largest = 0;
            if (owner != null && given > 0) {
                owner.giveBlockMemory(given);
            }
        }
    }
}
