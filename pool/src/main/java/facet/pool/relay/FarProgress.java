package facet.pool.relay;

import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.ring.ContextStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Tells the program how far its contexts are, what kernels printed and what they wrote in memory
 * that both share. Who calls {@link #settle} and sends something behind it has the lock of this
 * object for both.
 */
final class FarProgress {
    private static final int STATUS_BYTES = 48;

    private final Link link;
    private final BulkLane bulk;
    private final AtomicReferenceArray<@Nullable FarContext> contexts;
    private long versions;

    /** Something may have been written in memory that both share since that was last looked at. */
    private volatile boolean touched;

    FarProgress(Link link, BulkLane bulk, AtomicReferenceArray<@Nullable FarContext> contexts) {
        this.link = link;
        this.bulk = bulk;
        this.contexts = contexts;
    }

    /** A command was passed on, or has ended, that may write. Any thread. */
    void touch() {
        touched = true;
    }

    /**
     * Tells what has changed: first what contexts say of themselves is read, then what they had
     * written before is told, then what was read. Says whether what follows must wait for that.
     *
     * @param more whether a message follows at once
     */
    boolean settle(SliceClient from, boolean more) throws IOException {
        boolean shared = false;
        boolean looks = touched;
        touched = false;
        long[][] seen = new long[contexts.length()][];
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            if (each != null && each.memory() != null) {
                ContextStatus status = from.side().contextStatus(i);
                long retired = status.retired();
                seen[i] = new long[] {status.fault(), retired, status.used(), status.returned()};
                if (each.isBusy(retired)) {
                    touched = true; // it goes on writing
                    looks = true;
                }
            }
        }
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            SharedRanges memory = each == null ? null : each.memory();
            if (memory != null && !memory.isEmpty()) {
                shared = true;
                if (looks) {
                    memory.tell(i, bulk::send);
                }
            }
        }
        byte[] text = from.side().output().read();
        if (text.length > 0) {
            sendText(text);
        }
        long busy = from.busyNanos();
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            if (each != null && seen[i] != null) {
                status(i, each, seen[i], shared ? bulk.sent() : 0, busy, more);
            }
        }
        return shared;
    }

    private void sendText(byte[] text) throws IOException {
        for (int at = 0; at < text.length; at += Messages.PIECE) {
            int count = Math.min(Messages.PIECE, text.length - at);
            BulkLane.send(
                    link,
                    LaneKind.COMMANDS,
                    Messages.start(Messages.TEXT, 0, 0, count).put(text, at, count).position(0));
        }
    }

    private void status(
            int id, FarContext context, long[] seen, long needs, long busy, boolean more)
            throws IOException {
        if (context.fault == (int) seen[0]
                && context.retired == seen[1]
                && context.used == seen[2]
                && context.returned == seen[3]
                && context.busy == busy) {
            return;
        }
        context.fault = (int) seen[0];
        context.retired = seen[1];
        context.used = seen[2];
        context.returned = seen[3];
        context.busy = busy;
        versions++;
        ByteBuffer message =
                Messages.start(Messages.STATUS, id, needs, STATUS_BYTES)
                        .putLong(versions)
                        .putInt(context.fault)
                        .putInt(0)
                        .putLong(context.retired)
                        .putLong(context.used)
                        .putLong(context.returned)
                        .putLong(busy)
                        .position(0);
        if (more) {
            BulkLane.gather(link, LaneKind.COMMANDS, message);
        } else {
            BulkLane.send(link, LaneKind.COMMANDS, message);
        }
    }
}
