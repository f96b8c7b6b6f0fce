package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A mark in a stream: of the driver's from the moment that the stream has come to it. */
final class NvidiaEvent implements Event {
    private final NvidiaContext context;
    private volatile Recorded last;

    /**
     * One record of it.
     *
     * @param given what the driver has, when the stream has come to it; fails when it never will
     */
    record Recorded(CompletableFuture<Marks.Mark> given, boolean never) {}

    NvidiaEvent(NvidiaContext context) {
        this.context = context;
        last = new Recorded(new CompletableFuture<>(), true);
    }

    /** It is recorded anew. */
    Recorded begin() {
        Recorded made = new Recorded(new CompletableFuture<>(), false);
        last = made;
        return made;
    }

    Recorded last() {
        return last;
    }

    @Override
    public boolean isComplete() {
        Recorded now = last;
        if (now.never) {
            return true;
        }
        if (!now.given.isDone()) {
            return false;
        }
        if (now.given.isCompletedExceptionally() || context.isLost()) {
            return true;
        }
        context.use();
        return now.given.join().isReached();
    }

    @Override
    public void synchronize() {
        Recorded now = last;
        if (!now.never) {
            Marks.Mark mark = mark(now);
            context.use();
            int result = mark.await();
            if (result != 0) {
                throw context.failed("cuEventSynchronize", result);
            }
        }
    }

    @Override
    public long nanosSince(Event earlier) {
        Recorded start = ((NvidiaEvent) earlier).last;
        Recorded end = last;
        if (start.never || end.never || !start.given.isDone() || !end.given.isDone()) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "the event is not complete; synchronize on it first");
        }
        context.use();
        return mark(end).nanosSince(mark(start));
    }

    private static Marks.Mark mark(Recorded record) {
        try {
            return record.given.get();
        } catch (ExecutionException e) {
            throw new DeviceException(DeviceError.INVALID_VALUE, "the event was never reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException(DeviceError.DEINITIALIZED, "interrupted while waiting", e);
        }
    }
}
