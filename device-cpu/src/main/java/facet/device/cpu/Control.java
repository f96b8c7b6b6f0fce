package facet.device.cpu;

import facet.jit.runtime.KernelFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Pausing, going on and stopping of everything that runs in a context. */
final class Control {
    private final Workers workers;
    private final List<Runnable> held = new ArrayList<>();

    /** Read by running kernels; anything but zero makes them come here. */
    private volatile boolean attention;

    private boolean paused;
    private boolean stopped;
    private int running;

    /** Nanoseconds for which workers ran blocks, up to {@code since}. */
    private long busy;

    private long since = System.nanoTime();

    Control(Workers workers) {
        this.workers = workers;
    }

    /**
     * A worker begins to run blocks; false when it must not, and {@code retry} is kept for later.
     */
    boolean enter(Runnable retry) {
        synchronized (this) {
            if (paused && !stopped) {
                held.add(retry);
                return false;
            }
            change(1);
            return true;
        }
    }

    void leave() {
        synchronized (this) {
            change(-1);
            notifyAll();
        }
    }

    private void change(int by) {
        long now = System.nanoTime();
        busy += running * (now - since);
        since = now;
        running += by;
    }

    /** Time that workers have spent in this context, what runs now included, pauses not. */
    synchronized long busyNanos() {
        change(0);
        return busy;
    }

    boolean wantsAttention() {
        return attention;
    }

    /** From inside a kernel: waits while paused, throws when stopped. */
    void attend() {
        if (!attention) {
            return;
        }
        synchronized (this) {
            throwIfStopped();
            if (!paused) {
                return;
            }
            change(-1);
            notifyAll();
        }
        workers.hold(this::awaitResume);
        synchronized (this) {
            change(1);
            throwIfStopped();
        }
    }

    private void throwIfStopped() {
        if (stopped) {
            throw new KernelFault(KernelFault.Cause.STOPPED, "the kernel was stopped", 0);
        }
    }

    private synchronized void awaitResume() {
        waitWhile(() -> paused && !stopped);
    }

    /** An interrupt does not end the wait; whoever runs next on the thread gets it. */
    private synchronized void waitWhile(BooleanSupplier condition) {
        boolean interrupted = false;
        while (condition.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when nothing of the context runs any more. */
    synchronized void pause() {
        paused = true;
        attention = true;
        waitWhile(() -> running > 0 && !stopped);
    }

    void resume() {
        List<Runnable> go;
        synchronized (this) {
            paused = false;
            attention = stopped;
            go = List.copyOf(held);
            held.clear();
            notifyAll();
        }
        go.forEach(workers::submit);
    }

    void stop() {
        synchronized (this) {
            stopped = true;
            attention = true;
        }
        resume();
    }

    /** Returns when no worker is inside a kernel of this context. */
    synchronized void awaitQuiet() {
        waitWhile(() -> running > 0);
    }
}
