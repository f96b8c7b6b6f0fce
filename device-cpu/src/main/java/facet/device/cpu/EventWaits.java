package facet.device.cpu;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Streams of a context that stand at events. Those may be other contexts', which go on for as long
 * as they like, or lie behind the very stream that stands: a context that ends waits for none of
 * them. Any thread.
 */
final class EventWaits {
    private final Set<Wait> standing = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** Goes on once: when the event is reached, or the context ends. */
    private final class Wait implements Runnable {
        private final CpuEvent event;
        private final Runnable goOn;
        private final AtomicBoolean gone = new AtomicBoolean();

        Wait(CpuEvent event, Runnable goOn) {
            this.event = event;
            this.goOn = goOn;
        }

        @Override
        public void run() {
            if (gone.compareAndSet(false, true)) {
                standing.remove(this);
                goOn.run();
            }
        }
    }

    /** Goes on when the record of an event is reached. */
    void stand(CpuEvent event, long ticket, Runnable goOn) {
        Wait wait = new Wait(event, goOn);
        standing.add(wait);
        event.whenComplete(ticket, wait);
        if (over) {
            leave(wait);
        }
    }

    /** The context ends: nothing stands any more. */
    void end() {
        over = true;
        List.copyOf(standing).forEach(EventWaits::leave);
    }

    private static void leave(Wait wait) {
        wait.event.forget(wait);
        wait.run();
    }
}
