package facet.device.cpu;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that run kernels. An idle worker spins a while, then parks; a worker that is held up
 * inside a paused kernel is replaced by a new one for that time.
 */
final class Workers implements AutoCloseable {
    /** About 20 µs of spinning: what waking a parked thread costs. */
    private static final int SPINS = 2_000;

    /** Deep recursion in kernels is recursion in Java. */
    private static final long STACK = 64L << 20;

    private final ConcurrentLinkedQueue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedDeque<Thread> sleeping = new ConcurrentLinkedDeque<>();
    private final AtomicInteger surplus = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final String name;
    private final int count;
    private volatile boolean closed;

    Workers(String name, int count) {
        this.name = name;
        this.count = count;
        for (int i = 0; i < count; i++) {
            start();
        }
    }

    private void start() {
        Thread thread =
                new Thread(null, this::work, name + "-worker-" + numbers.incrementAndGet(), STACK);
        thread.setDaemon(true);
        thread.start();
    }

    int count() {
        return count;
    }

    void submit(Runnable work) {
        ready.add(work);
        Thread sleeper = sleeping.pollFirst();
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Waits inside a worker without keeping a core from others. */
    void hold(Runnable wait) {
        start();
        try {
            wait.run();
        } finally {
            surplus.incrementAndGet();
        }
    }

    private void work() {
        while (!closed) {
            Runnable work = next();
            if (work == null) {
                return;
            }
            work.run();
            if (surplus.get() > 0 && surplus.getAndUpdate(n -> n > 0 ? n - 1 : 0) > 0) {
                return;
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield between two looks, not a way to be in order
    private @org.jspecify.annotations.Nullable Runnable next() {
        while (!closed) {
            for (int i = 0; i < SPINS; i++) {
                Runnable work = ready.poll();
                if (work != null) {
                    return work;
                }
                Thread.onSpinWait();
                if (i % 64 == 63) {
                    Thread.yield();
                }
            }
            Thread self = Thread.currentThread();
            sleeping.addFirst(self);
            if (ready.isEmpty() && !closed) {
                LockSupport.park(this);
            }
            sleeping.remove(self);
        }
        return null;
    }

    @Override
    public void close() {
        closed = true;
        sleeping.forEach(LockSupport::unpark);
    }
}
