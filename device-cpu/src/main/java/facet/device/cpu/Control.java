package facet.device.cpu;

import facet.device.Arbiter;
import facet.jit.runtime.KernelFault;
import facet.os.Uninterrupted;
import java.util.ArrayList;
import java.util.List;

/** Pausing, going on and stopping of everything that runs in a context. */
final class Control implements Seated {
    private final Seats seats;
    private final Arbiter.Share share;

    /** What came while nothing may run. */
    private final List<Runnable> held = new ArrayList<>();

    /** Threads that are inside a kernel and have left their seats. */
    private final List<Sitter> away = new ArrayList<>();

    /** Read by running kernels; anything but zero makes them come here. */
    private volatile boolean attention;

    private boolean paused;
    private volatile boolean stopped;
    private int running;

    /** Nanoseconds for which workers ran blocks, up to {@code since}. */
    private long busy;

    private long since = System.nanoTime();

    Control(Seats seats, Arbiter.Share share) {
        this.seats = seats;
        this.share = share;
    }

    Arbiter.Share share() {
        return share;
    }

    /** Whether all that is left is to end. */
    boolean isStopped() {
        return stopped;
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

    synchronized boolean isPaused() {
        return paused && !stopped;
    }

    boolean wantsAttention() {
        return attention;
    }

    /** From inside a kernel: waits while paused, throws when stopped. */
    void attend() {
        if (!attention) {
            return;
        }
        while (isHeldBack()) {
            seats.leave();
            synchronized (this) {
                change(1);
            }
        }
    }

    /** Whether the thread, which now counts as not running, is to wait. */
    private synchronized boolean isHeldBack() {
        throwIfStopped();
        if (!paused) {
            return false;
        }
        change(-1);
        away.add(seats.self());
        notifyAll();
        return true;
    }

    /** From inside a kernel: lets others have the seat when it is their turn. */
    void giveWay() {
        seats.giveWay(this, this);
    }

    /** A thread waits for a seat in the middle of a kernel: that is no device time. */
    @Override
    public synchronized void suspended() {
        change(-1);
        notifyAll();
    }

    @Override
    public synchronized void resumed() {
        change(1);
    }

    void throwIfStopped() {
        if (stopped) {
            throw new KernelFault(KernelFault.Cause.STOPPED, "the kernel was stopped", 0);
        }
    }

    /** Returns when nothing of the context runs any more. */
    synchronized void pause() {
        paused = true;
        attention = true;
        Uninterrupted.waitWhile(this, () -> running > 0 && !stopped);
    }

    void resume() {
        List<Runnable> go;
        List<Sitter> back;
        synchronized (this) {
            paused = false;
            attention = stopped;
            go = List.copyOf(held);
            held.clear();
            back = List.copyOf(away);
            away.clear();
            notifyAll();
        }
        back.forEach(each -> seats.submit(this, each));
        go.forEach(each -> seats.submit(this, each));
    }

    void stop() {
        synchronized (this) {
            stopped = true;
            attention = true;
        }
        resume();
        seats.hurry(this);
    }

    /** Returns when no worker is inside a kernel of this context. */
    synchronized void awaitQuiet() {
        Uninterrupted.waitWhile(this, () -> running > 0);
    }
}
