package facet.pool.link;

import facet.os.ProcessThreads;
import facet.pool.identity.NodeIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A link to a node that is there before somebody wants it: to open one takes three round trips,
 * which a program would wait for when it starts. Any thread.
 */
public final class Spare implements AutoCloseable {
    private final NodeIdentity identity;
    private final InetSocketAddress address;
    private final LinkTimes times;
    private @Nullable Ready ready;
    private boolean opening;
    private boolean closed;

    private record Ready(Link link, Handed handed) {}

    public Spare(NodeIdentity identity, InetSocketAddress address, LinkTimes times) {
        this.identity = identity;
        this.address = address;
        this.times = times;
    }

    public InetSocketAddress address() {
        return address;
    }

    /**
     * A link for somebody, and then the next one is made.
     *
     * @throws LinkException when nobody is there, or no member of this pool
     */
    public Link take(Receiver to) throws LinkException, InterruptedException {
        Ready next;
        synchronized (this) {
            next = ready;
            ready = null;
        }
        if (next != null && next.link.isConnected() && next.handed.hand(to)) {
            prepare();
            return next.link;
        }
        if (next != null) {
            next.link.end(LinkEnd.CLOSED, "it was not connected when it was wanted");
        }
        Link link = Calls.open(identity, address, times, to);
        prepare();
        return link;
    }

    /** Makes one, when there is none; nobody waits. Where that fails, who takes one is told. */
    public synchronized void prepare() {
        if (ready != null || opening || closed) {
            return;
        }
        opening = true;
        ProcessThreads.named("facet-link-spare").start(this::open);
    }

    synchronized boolean isReady() {
        return ready != null;
    }

    private void open() {
        Handed handed = new Handed();
        Link made = null;
        try {
            made = Calls.open(identity, address, times, handed);
        } catch (LinkException e) {
            handed.ended(e.end(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            opening = false;
            if (made != null && !closed) {
                ready = new Ready(made, handed);
                made = null;
            }
        }
        if (made != null) {
            made.close();
        }
    }

    @Override
    public void close() {
        Ready last;
        synchronized (this) {
            closed = true;
            last = ready;
            ready = null;
        }
        if (last != null) {
            last.link.close();
        }
    }

    /** Whoever has the link at the moment. */
    private static final class Handed implements Receiver {
        private @Nullable Receiver to;
        private boolean over;

        synchronized boolean hand(Receiver next) {
            if (over) {
                return false;
            }
            to = next;
            return true;
        }

        private synchronized @Nullable Receiver now() {
            return to;
        }

        @Override
        public void receive(LaneKind lane, ByteBuffer message) throws IOException {
            Receiver now = now();
            if (now == null) {
                throw new LinkViolation("a message to nobody");
            }
            now.receive(lane, message);
        }

        @Override
        public void changed(boolean connected) {
            Receiver now = now();
            if (now != null) {
                now.changed(connected);
            }
        }

        @Override
        public void ended(LinkEnd why, String text) {
            Receiver now;
            synchronized (this) {
                over = true;
                now = to;
            }
            if (now != null) {
                now.ended(why, text);
            }
        }
    }
}
