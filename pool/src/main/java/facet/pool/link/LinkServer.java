package facet.pool.link;

import facet.log.Log;
import facet.os.ProcessThreads;
import facet.pool.identity.NodeIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The side of links that listens. Who comes is nobody until the handshake of TLS has shown a
 * certificate of the pool; {@link Strangers} bounds what that costs.
 */
public final class LinkServer implements AutoCloseable {
    private static final String PART = "pool";
    private static final int BACKLOG = 256;

    /** Members are no enemies, but may have defects. */
    private static final int MOST_LINKS = 4096;

    private static final long LOOK_NANOS = 250_000_000L;

    private final NodeIdentity identity;
    private final LinkTimes times;
    private final Acceptor acceptor;
    private final Log log;
    private final ServerSocket socket;
    private final Strangers strangers;
    private final Map<LinkId, Link> links = new HashMap<>();
    private volatile boolean closed;

    /** Who is told of new links. */
    public interface Acceptor {
        /**
         * A member has opened a link.
         *
         * @return who receives what comes over it
         */
        Receiver accepted(Link link);
    }

    private LinkServer(
            NodeIdentity identity,
            LinkTimes times,
            Acceptor acceptor,
            Log log,
            ServerSocket socket) {
        this.identity = identity;
        this.times = times;
        this.acceptor = acceptor;
        this.log = log.limited();
        this.socket = socket;
        this.strangers = new Strangers(times.handshake().toNanos());
    }

    /**
     * @param address port 0: any that is free
     */
    public static LinkServer listen(
            NodeIdentity identity,
            InetSocketAddress address,
            LinkTimes times,
            Acceptor acceptor,
            Log log)
            throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        LinkServer server = new LinkServer(identity, times, acceptor, log, socket);
        ProcessThreads.named("facet-pool-accept").start(server::accept);
        ProcessThreads.named("facet-pool-times").start(server::keepTime);
        return server;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Those that have not ended. */
    public List<Link> links() {
        synchronized (links) {
            return List.copyOf(links.values());
        }
    }

    /** Connections of which nobody knows yet whose they are. */
    public int strangers() {
        return strangers.count();
    }

    /** Connections that were not heard to the end. */
    public long turnedAway() {
        return strangers.turnedAway();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket next = socket.accept();
                if (strangers.admit(next, System.nanoTime())) {
                    Thread.ofVirtual().name("facet-pool-handshake").start(() -> greet(next));
                }
            } catch (IOException e) {
                if (!closed) {
                    // No descriptors, for one: others give theirs back before long.
                    log.say(Log.Level.WARNING, PART, "cannot accept: " + e.getMessage());
                    LockSupport.parkNanos(this, LOOK_NANOS);
                }
            }
        }
    }

    /** Looks now and then who has been silent or away for too long. */
    private void keepTime() {
        while (!closed) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            long now = System.nanoTime();
            strangers.expire(now);
            for (Link each : links()) {
                for (LaneKind kind : LaneKind.values()) {
                    if (each.lane(kind).detachedNanos(now) > times.resume().toNanos()) {
                        each.end(
                                LinkEnd.LOST,
                                each.peer().node()
                                        + " did not come back within "
                                        + times.resume().toSeconds()
                                        + " s");
                    }
                }
            }
        }
    }

    private void greet(Socket plain) {
        try {
            Wire wire = Wire.answer(identity.context(), plain);
            byte[] first = wire.in().readNBytes(Hello.BYTES);
            if (first.length < Hello.BYTES) {
                throw new IOException("it has said nothing");
            }
            Peer peer = wire.peer();
            strangers.known(plain);
            ProcessThreads.named("facet-link-" + peer.node()).start(() -> serve(wire, first, peer));
        } catch (IOException | RuntimeException e) {
            strangers.failed(plain, System.nanoTime());
            log.say(
                    Log.Level.DEBUG,
                    PART,
                    "a connection from "
                            + plain.getInetAddress()
                            + " is none of the pool's: "
                            + e.getMessage());
        }
    }

    private void serve(Wire wire, byte[] first, Peer peer) {
        try (wire) {
            if (Hello.isOtherVersion(first)) {
                answer(wire, Hello.Status.OTHER_VERSION, 0);
                return;
            }
            Hello hello = Hello.of(first);
            Link link = find(hello, peer);
            if (link == null) {
                answer(wire, Hello.Status.UNKNOWN, 0);
                return;
            }
            Lane lane = link.lane(hello.lane());
            long received;
            try {
                received = lane.claim(wire);
            } catch (IOException e) {
                boolean over = lane.isOver();
                answer(wire, over ? Hello.Status.UNKNOWN : Hello.Status.BUSY, 0);
                return;
            }
            try {
                answer(wire, Hello.Status.WELCOME, received);
                link.serve(lane, wire, hello.received());
            } finally {
                lane.leave(wire);
            }
        } catch (IOException e) {
            // The connection broke, as connections do; the other side makes another one.
            log.say(Log.Level.DEBUG, PART, peer.node() + ": " + e.getMessage());
        }
    }

    private static void answer(Wire wire, Hello.Status status, long received) throws IOException {
        wire.write(new Hello.Answer(status, received).bytes(), Hello.ANSWER_BYTES);
    }

    /** Another member's link is none that it knows. */
    private @Nullable Link find(Hello hello, Peer peer) {
        Link made;
        synchronized (links) {
            Link known = links.get(hello.link());
            if (known != null) {
                return known.peer().equals(peer) ? known : null;
            }
            if (!hello.isNew() || hello.received() != 0 || closed || links.size() >= MOST_LINKS) {
                return null;
            }
            made = new Link(hello.link(), peer, times);
            Link link = made;
            made.receiver(
                    acceptor.accepted(made),
                    () -> {
                        synchronized (links) {
                            links.remove(link.id());
                        }
                    });
            links.put(hello.link(), made);
        }
        return made;
    }

    /** Ends all links. */
    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            log.say(Log.Level.WARNING, PART, "cannot stop listening: " + e.getMessage());
        }
        strangers.closeAll();
        List<Link> all = links();
        List<Thread> closing =
                all.stream().map(each -> Thread.ofVirtual().start(each::close)).toList();
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
