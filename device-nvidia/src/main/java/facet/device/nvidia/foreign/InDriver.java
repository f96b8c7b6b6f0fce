package facet.device.nvidia.foreign;

import facet.device.Stall;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The calls that this process's threads are in, so that somebody can see one that does not end. */
public final class InDriver {
    /** More threads than that are hardly ever in the driver at once; others go unseen. */
    private static final int SLOTS = 256;

    private static final int NONE = -1;

    /** A driver compiles what it loads, and some modules are large: so many times as long. */
    private static final int COMPILING = 20;

    private static final AtomicReferenceArray<@Nullable Entry> ENTRIES =
            new AtomicReferenceArray<>(SLOTS);

    private record Entry(String call, long since) {}

    private InDriver() {}

    /** This thread goes into a call. Gives what {@link #leave} takes. */
    static int enter(String call) {
        Entry entry = new Entry(call, System.nanoTime());
        int first = (int) Thread.currentThread().threadId();
        for (int i = 0; i < SLOTS; i++) {
            int slot = (first + i) & (SLOTS - 1);
            if (ENTRIES.getPlain(slot) == null && ENTRIES.compareAndSet(slot, null, entry)) {
                return slot;
            }
        }
        return NONE;
    }

    static void leave(int slot) {
        if (slot != NONE) {
            ENTRIES.setRelease(slot, null);
        }
    }

    /**
     * The one that has lasted longest. Who waits for kernels may wait for as long as they like.
     *
     * @param patience with a call that neither waits nor compiles
     */
    public static Optional<Stall> longest(Duration patience) {
        Entry longest = null;
        for (int i = 0; i < SLOTS; i++) {
            Entry each = ENTRIES.get(i);
            if (each != null
                    && !each.call.contains("Synchronize")
                    && (longest == null || each.since - longest.since < 0)) {
                longest = each;
            }
        }
        if (longest == null) {
            return Optional.empty();
        }
        boolean compiles = longest.call.contains("ModuleLoad") || longest.call.contains("Link");
        return Optional.of(
                new Stall(
                        longest.call,
                        Duration.ofNanos(System.nanoTime() - longest.since),
                        compiles ? patience.multipliedBy(COMPILING) : patience));
    }
}
