package facet.pool.link;

import facet.os.ProcessThreads;
import facet.pool.identity.NodeIdentity;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The side of a link that makes its connections, again and again when they break. */
public final class Calls {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final NodeIdentity identity;
    private final InetSocketAddress address;
    private final LinkTimes times;

    private Calls(NodeIdentity identity, InetSocketAddress address, LinkTimes times) {
        this.identity = identity;
        this.address = address;
        this.times = times;
    }

    /**
     * Opens a link to a node that listens.
     *
     * @throws LinkException when nobody is there, or no member of this pool
     */
    public static Link open(
            NodeIdentity identity, InetSocketAddress address, LinkTimes times, Receiver to)
            throws LinkException, InterruptedException {
        return new Calls(identity, address, times).open(to);
    }

    private Link open(Receiver to) throws LinkException, InterruptedException {
        LinkId id = LinkId.random();
        CompletableFuture<Link> made = new CompletableFuture<>();
        // The other side's name comes with its certificate, so the first lane makes the link.
        Caller first = new Caller(id, LaneKind.COMMANDS, made, to);
        first.start();
        Link link = get(made);
        CompletableFuture<Link> second = new CompletableFuture<>();
        new Caller(id, LaneKind.BULK, second, to).join(link);
        try {
            return get(second);
        } catch (LinkException | InterruptedException e) {
            link.end(LinkEnd.UNREACHABLE, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static Link get(CompletableFuture<Link> made)
            throws LinkException, InterruptedException {
        try {
            return made.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LinkException why) {
                throw why;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Keeps one lane connected. */
    private final class Caller implements Runnable {
        private final LinkId id;
        private final LaneKind kind;
        private final CompletableFuture<Link> made;
        private final Receiver to;
        private @Nullable Link link;
        private boolean isNew = true;

        Caller(LinkId id, LaneKind kind, CompletableFuture<Link> made, Receiver to) {
            this.id = id;
            this.kind = kind;
            this.made = made;
            this.to = to;
        }

        void start() {
            ProcessThreads.named("facet-link-" + address.getPort() + "-" + kind.name()).start(this);
        }

        void join(Link with) {
            link = with;
            start();
        }

        @Override
        public void run() {
            long cut = System.nanoTime();
            Duration pause = FIRST_PAUSE;
            while (!isOver()) {
                try {
                    if (connect()) {
                        cut = System.nanoTime();
                        pause = FIRST_PAUSE;
                        continue;
                    }
                    return;
                } catch (LinkException e) {
                    fail(e);
                    return;
                } catch (IOException e) {
                    if (isServed) {
                        isServed = false;
                        cut = System.nanoTime();
                        pause = FIRST_PAUSE;
                    }
                    // Somebody who is there and is cut off is waited for longer than nobody.
                    boolean nobody = isNew && e instanceof ConnectException;
                    Duration patience = nobody ? times.handshake() : times.resume();
                    if (System.nanoTime() - cut > patience.toNanos()) {
                        fail(gone(e));
                        return;
                    }
                }
                pause = pause(pause);
            }
        }

        /** The last connection was one over which something could come. */
        private boolean isServed;

        private boolean isOver() {
            Link known = link;
            return known != null && (known.isEnded() || known.lane(kind).isPeerClosed());
        }

        private LinkException gone(IOException why) {
            return isNew
                    ? new LinkException(
                            LinkEnd.UNREACHABLE,
                            "no node answers at "
                                    + address
                                    + " ("
                                    + why.getMessage()
                                    + "): is its daemon running, and is the port open?",
                            why)
                    : new LinkException(
                            LinkEnd.LOST,
                            address
                                    + " did not come back within "
                                    + times.resume().toSeconds()
                                    + " s ("
                                    + why.getMessage()
                                    + ")",
                            why);
        }

        private void fail(LinkException why) {
            Link known = link;
            if (known != null) {
                known.end(why.end(), String.valueOf(why.getMessage()));
            }
            made.completeExceptionally(why);
        }

        /** One connection after the other comes at random moments, or all would come at once. */
        private Duration pause(Duration pause) {
            long nanos = pause.toNanos();
            try {
                TimeUnit.NANOSECONDS.sleep(
                        nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Duration twice = pause.multipliedBy(2);
            return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }

        /** One connection, from its beginning to its end; false when there is to be none. */
        private boolean connect() throws IOException {
            try (Socket plain = new Socket()) {
                int patience = (int) times.silence().toMillis();
                plain.connect(address, patience);
                plain.setSoTimeout(patience);
                Wire wire = greetable(plain);
                Link known = link;
                if (known == null) {
                    known = new Link(id, wire.peer(), times);
                    known.receiver(to, () -> {});
                    link = known;
                }
                if (!known.peer().equals(wire.peer())) {
                    throw forgotten(known);
                }
                Lane lane = known.lane(kind);
                long received = lane.claim(wire);
                try {
                    Hello hello = new Hello(kind, isNew, id, received);
                    wire.write(hello.bytes(), Hello.BYTES);
                    long peerHas = welcome(answer(wire), known);
                    isNew = false;
                    isServed = true;
                    made.complete(known);
                    known.serve(lane, wire, peerHas);
                    return !isOver();
                } finally {
                    lane.leave(wire);
                }
            }
        }

        private Wire greetable(Socket plain) throws IOException {
            try {
                return Wire.call(identity.context(), plain);
            } catch (SSLException e) {
                throw refusal(e);
            }
        }

        private Hello.Answer answer(Wire wire) throws IOException {
            try {
                byte[] answer = wire.in().readNBytes(Hello.ANSWER_BYTES);
                if (answer.length < Hello.ANSWER_BYTES) {
                    // Where very many come at once, the oldest of those that wait is cut off.
                    throw new EOFException("the other side ended the connection");
                }
                return Hello.Answer.of(answer);
            } catch (SSLException e) {
                throw refusal(e);
            } catch (LinkViolation e) {
                throw new LinkException(LinkEnd.VIOLATION, String.valueOf(e.getMessage()), e);
            }
        }

        /** A cut looks like many things to TLS; only a word about certificates is a refusal. */
        private IOException refusal(SSLException e) {
            String text = String.valueOf(e.getMessage());
            boolean ours = false;
            for (Throwable each = e; each != null; each = each.getCause()) {
                ours |= each instanceof CertificateException;
            }
            return ours || text.contains("certificate")
                    ? new LinkException(
                            LinkEnd.REFUSED,
                            address + " is in another pool: does it have the same pool token?",
                            e)
                    : e;
        }

        private long welcome(Hello.Answer answer, Link known) throws IOException {
            return switch (answer.status()) {
                case WELCOME -> answer.received();
                case BUSY -> throw new IOException("the other side is busy");
                case UNKNOWN -> throw forgotten(known);
                case OTHER_VERSION ->
                        throw new LinkException(
                                LinkEnd.REFUSED,
                                address
                                        + " has another version of Facet: all nodes of a pool need"
                                        + " the same");
            };
        }

        private LinkException forgotten(Link known) {
            return new LinkException(
                    LinkEnd.FORGOTTEN,
                    known.peer().node() + " was started anew and does not know the link any more");
        }
    }
}
