package facet.node.pool;

import facet.host.ledger.LedgerMemory;
import facet.host.ledger.MachineMemory;
import facet.host.ledger.Tally;
import facet.host.session.PageAudit;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.node.server.HostPlace;
import facet.os.Connection;
import facet.pool.content.ContentScope;
import facet.pool.identity.NodeIdentity;
import facet.pool.link.Calls;
import facet.pool.link.Link;
import facet.pool.link.LinkTimes;
import facet.pool.relay.ImagePages;
import facet.pool.relay.NearSession;
import facet.ring.SessionMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Sessions of a slice that are executed on another node, each over a link of its own. */
public final class RelayPlace implements HostPlace {
    private final Far far;

    private final LedgerMemory ledger;
    private final Log log;
    private final Tally tally = new Tally();
    private final PageAudit audit;

    /** What the other node has of this slice's data, also when the program that sent it ended. */
    private final ContentScope scope = new ContentScope();

    private final Set<Relayed> sessions = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /** The slice on the other node. */
    public interface Far {
        /** Its name there; it is made where it is missing. May wait for the other node. */
        String ensure() throws IOException;

        /** This node, as the other one knows it. */
        NodeIdentity identity() throws IOException;

        InetSocketAddress address() throws IOException;

        void change(Slice other) throws IOException;

        /** What goes over the links of sessions. */
        SessionLinks links() throws IOException;

        /** Nobody needs it any more. */
        void close();
    }

    /**
     * @param ledger what programs read on this node
     */
    public RelayPlace(Far far, LedgerMemory ledger, Log log) {
        this.far = far;
        this.ledger = ledger;
        this.log = log.limited();
        this.audit =
                PageAudit.ofImages(
                        ledger, () -> sessions.stream().map(each -> each.watched).toList());
    }

    /** A program that comes while the other node is away is told so. */
    @Override
    public boolean prepare() throws IOException {
        settle();
        return true;
    }

    @Override
    public void settle() throws IOException {
        String _ = far.ensure();
    }

    @Override
    public HostedSession open(
            SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
            throws IOException {
        Relayed relayed = new Relayed(options, memory, connection, atEnd);
        String slice = far.ensure();
        SessionLinks links = far.links();
        Link link;
        try {
            link = Calls.open(far.identity(), far.address(), LinkTimes.USUAL, relayed.near);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        synchronized (sessions) {
            if (closed) {
                link.close();
                throw new IOException("its slice has ended");
            }
            sessions.add(relayed);
            relayed.leave = () -> links.remove(link);
            links.add(link, relayed.near);
        }
        try {
            relayed.near.start(link, scope, slice, options.program(), options.pid());
        } catch (IOException e) {
            sessions.remove(relayed);
            relayed.leave.run();
            link.close();
            throw e;
        }
        audit.wake();
        return relayed;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    /** The other node has terms and limit of its own for the slice, which change first. */
    @Override
    public void change(Slice other) throws IOException {
        far.change(other);
        ledger.limit(other.memory());
    }

    @Override
    public void close() {
        synchronized (sessions) {
            closed = true;
        }
        sessions.forEach(each -> each.end("its slice has ended"));
        for (Relayed each : sessions) {
            try {
                each.over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        audit.close();
        far.close();
    }

    /** Quota as programs of this node see it, and faults. */
    private final class Books implements NearSession.Books {
        private final SessionOptions options;

        Books(SessionOptions options) {
            this.options = options;
        }

        @Override
        public void add(int device, long bytes) {
            if (device >= 0 && device < ledger.devices()) {
                ledger.add(device, options.ledgerSlot(), bytes);
            }
        }

        @Override
        public void fault(int result) {
            String text = "error " + result + "; the log of the device's node says more";
            count(text);
            log.info(options.who(), text);
        }

        @Override
        public long mostPinned() {
            return MachineMemory.all();
        }

        @Override
        public void broke(String what) {
            count("broke the protocol: " + what);
            log.warning(options.who(), "ended, it broke the protocol: " + what);
        }

        private void count(String text) {
            tally.fault(options.id(), options.program() + " (" + options.pid() + "): " + text);
        }
    }

    /** A session as the audit sees it; one is the same one as long as it lives. */
    private record Watched(ImagePages image) implements PageAudit.Watched {
        @Override
        public long resident() {
            return image.resident();
        }

        @Override
        public long counted() {
            return image.counted();
        }

        @Override
        public long host() {
            return image.host();
        }

        @Override
        public long pages() {
            return image.pages();
        }

        @Override
        public long returning() {
            return image.returning();
        }

        @Override
        public boolean isDrained() {
            return image.isDrained();
        }

        @Override
        public void expel(String why) {
            image.expel(why);
        }
    }

    private final class Relayed implements HostedSession {
        private final SessionOptions options;
        private final NearSession near;
        private final Watched watched;
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile Runnable leave = () -> {};

        Relayed(
                SessionOptions options,
                SessionMemory memory,
                Connection connection,
                Runnable atEnd) {
            this.options = options;
            int slot = options.ledgerSlot();
            near =
                    new NearSession(
                            Integer.toString(options.id()),
                            memory,
                            connection,
                            new Books(options),
                            log,
                            () -> {
                                ledger.clear(slot);
                                sessions.remove(this);
                                leave.run();
                                over.countDown();
                                atEnd.run();
                            });
            watched = new Watched(near.pages());
        }

        @Override
        public SessionOptions options() {
            return options;
        }

        @Override
        public long launches() {
            return near.launches();
        }

        @Override
        public long deviceNanos() {
            return near.deviceNanos();
        }

        /** What is measured is that of all devices that it uses there. */
        @Override
        public long deviceNanos(int device) {
            return device == 0 ? near.deviceNanos() : 0;
        }

        @Override
        public long memoryUsed() {
            long sum = 0;
            for (int i = 0; i < ledger.devices(); i++) {
                sum += memoryUsed(i);
            }
            return sum;
        }

        @Override
        public long memoryUsed(int device) {
            return ledger.claimed(device, options.ledgerSlot());
        }

        @Override
        public void end(String why) {
            near.end(why);
        }
    }
}
