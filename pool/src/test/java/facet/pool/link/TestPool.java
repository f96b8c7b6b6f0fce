package facet.pool.link;

import facet.log.Log;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A node that listens, for tests. */
final class TestPool implements AutoCloseable {
    static final InetSocketAddress ANYWHERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    final PoolToken token = PoolToken.generate();
    final NodeIdentity caller = NodeIdentity.of(token, "caller");
    final LinkServer server;
    final LinkedBlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();

    /** A link as the side sees it that listens. */
    record Accepted(Link link, Inbox inbox) {}

    TestPool(LinkTimes times) throws IOException {
        this(times, Inbox::new);
    }

    /** Makes who receives. */
    interface Inboxes {
        Inbox make();
    }

    TestPool(LinkTimes times, Inboxes inboxes) throws IOException {
        server =
                LinkServer.listen(
                        NodeIdentity.of(token, "listener"),
                        ANYWHERE,
                        times,
                        link -> {
                            Accepted next = new Accepted(link, inboxes.make());
                            accepted.add(next);
                            return next.inbox;
                        },
                        new Log(System.err, Log.Level.WARNING));
    }

    Accepted next() throws InterruptedException {
        Accepted next = accepted.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no link came");
        }
        return next;
    }

    @Override
    public void close() {
        server.close();
    }
}
