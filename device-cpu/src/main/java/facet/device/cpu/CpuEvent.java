package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A mark in a stream with the time when it was reached. */
final class CpuEvent implements Event {
    /** Streams that wait, each for a record. */
    private final Map<Runnable, Long> waiters = new LinkedHashMap<>();

    private long recorded;
    private long completed;
    private long nanos;

    /** Called when the record is enqueued; the ticket identifies it. */
    synchronized long begin() {
        return ++recorded;
    }

    /** Called when the stream reaches the record. */
    void complete(long ticket) {
        List<Runnable> ready = new ArrayList<>();
        synchronized (this) {
            if (ticket > completed) {
                completed = ticket;
                nanos = System.nanoTime();
                notifyAll();
            }
            waiters.entrySet()
                    .removeIf(each -> each.getValue() <= completed && ready.add(each.getKey()));
        }
        ready.forEach(Runnable::run);
    }

    /** Runs the action when the record is reached, at once when it was. */
    void whenComplete(long ticket, Runnable action) {
        synchronized (this) {
            if (completed < ticket) {
                waiters.put(action, ticket);
                return;
            }
        }
        action.run();
    }

    /** Who waited does so no more. */
    synchronized void forget(Runnable action) {
        waiters.remove(action);
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
