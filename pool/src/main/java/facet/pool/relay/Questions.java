package facet.pool.relay;

import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Asks for data that was named and is not here. Who notices that reads the link, and must not wait
 * for room to send: so another thread sends, one at a time.
 */
final class Questions {
    private final Link link;
    private final Executor others;
    private final Consumer<IOException> failed;
    private final ConcurrentLinkedQueue<ByteBuffer> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asking = new AtomicBoolean();

    Questions(Link link, Executor others, Consumer<IOException> failed) {
        this.link = link;
        this.others = others;
        this.failed = failed;
    }

    /**
     * @param number of the bulk message that named it
     */
    void ask(int context, long number, long offset, int length) {
        waiting.add(
                Messages.start(Messages.MISSING, context, 0, 3 * Long.BYTES)
                        .putLong(number)
                        .putLong(offset)
                        .putLong(length)
                        .position(0));
        if (asking.compareAndSet(false, true)) {
            others.execute(this::askAll);
        }
    }

    private void askAll() {
        try {
            do {
                for (ByteBuffer next = waiting.poll(); next != null; next = waiting.poll()) {
                    BulkLane.send(link, LaneKind.COMMANDS, next);
                }
                asking.set(false);
            } while (!waiting.isEmpty() && asking.compareAndSet(false, true));
        } catch (IOException e) {
            failed.accept(e);
        }
    }
}
