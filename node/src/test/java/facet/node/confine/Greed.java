package facet.node.confine;

import static facet.node.confine.CallsUnsafe.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/** What a worker can have too much of. Each says how much it got before it was refused. */
@SuppressWarnings("ImmutableEnumChecker") // what each does is a function, and keeps nothing
enum Greed {
    THREADS(2_048, Greed::threads),
    DESCRIPTORS(8_192, Greed::descriptors),
    /** Never told: the kernel ends it first. */
    MEMORY(0, Greed::memory);

    final long most;
    private final LongSupplier action;

    Greed(long most, LongSupplier action) {
        this.most = most;
        this.action = action;
    }

    long run() {
        return action.getAsLong();
    }

    private static long threads() {
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        try {
            while (all.size() < 100_000) {
                Thread thread =
                        new Thread(
                                null,
                                () -> {
                                    try {
                                        end.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                },
                                "greedy",
                                64 << 10);
                thread.setDaemon(true);
                thread.start();
                all.add(thread);
            }
        } catch (OutOfMemoryError e) {
            // As it should be.
            return all.size();
        } finally {
            end.countDown();
        }
        return all.size();
    }

    private static long descriptors() {
        List<Long> all = new ArrayList<>();
        try {
            while (true) {
                long copy = call(32, 3);
                if (copy < 0) {
                    return all.size();
                }
                all.add(copy);
            }
        } finally {
            all.forEach(each -> call(3, each));
        }
    }

    /** 20 GiB, every page of it used. */
    private static long memory() {
        long bytes = 20L << 30;
        long address = call(9, 0, bytes, 3, 0x4022, -1, 0);
        if (address < 0) {
            return 0;
        }
        call(28, address, bytes, 23); // MADV_POPULATE_WRITE
        return bytes;
    }
}
