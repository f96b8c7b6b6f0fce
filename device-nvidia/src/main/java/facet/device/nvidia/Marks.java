package facet.device.nvidia;

import facet.device.nvidia.foreign.Driver;
import java.lang.ref.Cleaner;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Events of the vendor's driver: each is recorded once, and used again when nobody knows it any
 * more. Any thread.
 */
final class Marks {
    private static final Cleaner CLEANER = Cleaner.create();

    private final NvidiaContext context;
    private final Queue<Long> free = new ConcurrentLinkedQueue<>();

    Marks(NvidiaContext context) {
        this.context = context;
    }

    /** The context is the calling thread's. */
    Mark next() {
        Long known = free.poll();
        long handle = known == null ? context.driver().createEvent(true) : known;
        Mark mark = new Mark(context.driver(), handle);
        Queue<Long> back = free;
        CLEANER.register(mark, () -> back.add(handle));
        return mark;
    }

    /** For one that nobody else has seen. */
    static final class Mark {
        private final Driver driver;
        private final long handle;

        private Mark(Driver driver, long handle) {
            this.driver = driver;
            this.handle = handle;
        }

        void record(long stream) {
            driver.record(handle, stream);
        }

        void awaitIn(long stream) {
            driver.await(stream, handle);
        }

        /** Success, or what went wrong. */
        int await() {
            return driver.synchronizeEvent(handle);
        }

        boolean isReached() {
            return driver.queryEvent(handle) != Driver.NOT_READY;
        }

        /** Negative when this one was reached before. */
        long nanosSince(Mark earlier) {
            return driver.elapsed(earlier.handle, handle);
        }
    }
}
