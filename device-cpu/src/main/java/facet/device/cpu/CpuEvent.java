package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import java.util.ArrayList;
import java.util.List;

/** A mark in a stream with the time when it was reached. */
final class CpuEvent implements Event {
    /** A stream that waits. */
    private record Waiter(long ticket, Runnable action) {}

    private final List<Waiter> waiters = new ArrayList<>();
    private long recorded;
    private long completed;
    private long nanos;

    /** Called when the record is enqueued; the ticket identifies it. */
    synchronized long begin() {
        return ++recorded;
    }

    /** Called when the stream reaches the record. */
    void complete(long ticket) {
        List<Waiter> ready = new ArrayList<>();
        synchronized (this) {
            if (ticket > completed) {
                completed = ticket;
                nanos = System.nanoTime();
                notifyAll();
            }
            waiters.removeIf(waiter -> waiter.ticket <= completed && ready.add(waiter));
        }
        ready.forEach(waiter -> waiter.action.run());
    }

    /** Runs the action when the record is reached, at once when it was. */
    void whenComplete(long ticket, Runnable action) {
        synchronized (this) {
            if (completed < ticket) {
                waiters.add(new Waiter(ticket, action));
                return;
            }
        }
        action.run();
    }

    synchronized long ticket() {
        return recorded;
    }

    synchronized boolean isComplete(long ticket) {
        return completed >= ticket;
    }

    @Override
    public synchronized boolean isComplete() {
        return completed >= recorded;
    }

    @Override
    public synchronized void synchronize() {
        long ticket = recorded;
        try {
            while (completed < ticket) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException(DeviceError.DEINITIALIZED, "interrupted while waiting", e);
        }
    }

    @Override
    public long nanosSince(Event earlier) {
        CpuEvent other = (CpuEvent) earlier;
        return time() - other.time();
    }

    private synchronized long time() {
        if (recorded == 0 || completed < recorded) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "the event is not complete; synchronize on it first");
        }
        return nanos;
    }
}
