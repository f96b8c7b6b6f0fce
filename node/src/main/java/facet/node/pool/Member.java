package facet.node.pool;

import facet.log.Log;
import facet.os.ProcessThreads;
import facet.pool.identity.NodeIdentity;
import facet.pool.link.Calls;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkException;
import facet.pool.link.LinkTimes;
import facet.pool.link.LinkViolation;
import facet.pool.link.Receiver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Another node, as this one calls it. A thread of its own keeps a link to it, over which it tells
 * of itself and is asked for slices. Any thread may ask.
 */
public final class Member {
    private static final Duration ANSWERS = Duration.ofSeconds(10);
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    private final NodeIdentity identity;
    private final Watcher watcher;
    private final Log log;
    private final boolean seed;
    private final SessionLinks sessions = new SessionLinks();
    private final AtomicLong questions = new AtomicLong();
    private final Map<Long, CompletableFuture<Talk.Answer>> asked = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile PoolAddress address;
    private volatile String node;
    private volatile @Nullable Link link;
    private volatile @Nullable NodeNews news;
    private volatile String trouble = "";
    private volatile long heardNanos = System.nanoTime();

    /** Who wants to know what happens to members. */
    interface Watcher {
        /** What this node tells of itself. */
        NodeNews own();

        /** It was reached, and is that node; false: this node does not want it. */
        boolean reached(Member member, String name);

        /** It has told something. */
        void told(Member member, NodeNews news);

        /** A slice that it had for this node is there no more. */
        void gone(Member member, String slice, String why);

        /** Its link has ended. */
        void ended(Member member);
    }

    /**
     * @param node its name; empty: not known yet
     */
    Member(
            NodeIdentity identity,
            String node,
            PoolAddress address,
            boolean seed,
            Watcher watcher,
            Log log) {
        this.identity = identity;
        this.node = node;
        this.address = address;
        this.seed = seed;
        this.watcher = watcher;
        this.log = log;
    }

    void start() {
        ProcessThreads.named("facet-pool-" + address).start(this::run);
    }

    // ---- how it is

    public String node() {
        return node;
    }

    public PoolAddress address() {
        return address;
    }

    boolean isSeed() {
        return seed;
    }

    /** Whether words come through right now. */
    public boolean isConnected() {
        Link now = link;
        return now != null && news != null && !now.isEnded() && now.isConnected();
    }

    @Nullable Link link() {
        return link;
    }

    /** What it said last, if it ever did. */
    public Optional<NodeNews> news() {
        return Optional.ofNullable(news);
    }

    /** Why it is not connected; empty: nothing is known. */
    public String trouble() {
        return trouble;
    }

    /** The way there and back, in nanoseconds; 0: not measured yet. */
    public long roundTripNanos() {
        Link now = link;
        return now == null ? 0 : now.figures().roundTripNanos();
    }

    public SessionLinks sessions() {
        return sessions;
    }

    /** How long nobody has heard of it. */
    long silentNanos() {
        return isConnected() ? 0 : System.nanoTime() - heardNanos;
    }

    /** It is not called any more, and this is why. */
    void unwanted(String why) {
        trouble = why;
        log.say(Log.Level.WARNING, "pool", address + ": " + why);
    }

    /** It is said to listen elsewhere now. */
    void listensAt(PoolAddress other) {
        if (!isConnected()) {
            address = other;
        }
    }

    // ---- calling it

    private void run() {
        long pause = 100;
        while (closed.getCount() > 0) {
            try {
                CountDownLatch over = new CountDownLatch(1);
                Link opened =
                        Calls.open(identity, address.lookUp(), LinkTimes.USUAL, new Words(over));
                pause = 100;
                serve(opened, over);
            } catch (LinkException e) {
                trouble = String.valueOf(e.getMessage());
            } catch (IOException | RuntimeException e) {
                trouble = address + ": " + e.getMessage();
                log.say(Log.Level.DEBUG, "pool", trouble);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            try {
                if (closed.await(pause, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
        }
    }

    private void serve(Link opened, CountDownLatch over) throws IOException, InterruptedException {
        String name = opened.peer().node();
        if (!watcher.reached(this, name)) {
            String why = trouble;
            opened.close();
            close();
            trouble = why;
            return;
        }
        node = name;
        link = opened;
        Talk.send(opened, Talk.NEWS, watcher.own());
        over.await();
        Link ended = link;
        link = null;
        asked.values().forEach(each -> each.completeExceptionally(new IOException(lost())));
        asked.clear();
        if (ended != null) {
            watcher.ended(this);
        }
    }

    private String lost() {
        return "node " + node + " is lost: " + trouble;
    }

    /** What comes over one link. */
    private final class Words implements Receiver {
        private final CountDownLatch over;

        Words(CountDownLatch over) {
            this.over = over;
        }

        @Override
        public void receive(LaneKind lane, ByteBuffer message) throws IOException {
            heardNanos = System.nanoTime();
            switch (Talk.kind(message)) {
                case Talk.NEWS -> {
                    NodeNews told = Talk.read(message, NodeNews.class);
                    news = told;
                    trouble = "";
                    watcher.told(Member.this, told);
                }
                case Talk.ANSWER -> {
                    Talk.Answer answer = Talk.read(message, Talk.Answer.class);
                    CompletableFuture<Talk.Answer> waiting = asked.remove(answer.number());
                    if (waiting != null) {
                        waiting.complete(answer);
                    } else if (answer.number() == 0) {
                        watcher.gone(Member.this, answer.name(), answer.error());
                    }
                }
                default -> throw new LinkViolation("a message that no member sends");
            }
        }

        @Override
        public void changed(boolean connected) {
            heardNanos = System.nanoTime();
        }

        @Override
        public void ended(LinkEnd why, String text) {
            trouble = text;
            over.countDown();
        }
    }

    /** Tells how this node is, if that goes at once. */
    void tell(NodeNews own) {
        Link now = link;
        if (now != null && isConnected()) {
            try {
                Talk.send(now, Talk.NEWS, own);
            } catch (IOException e) {
                log.say(Log.Level.DEBUG, "pool", node + ": " + e.getMessage());
            }
        }
    }

    /**
     * Asks for something, and waits for the answer.
     *
     * @param over the link by which it is asked
     * @throws IOException with a text for people
     */
    Talk.Answer ask(Link over, Talk.Deed deed, String name, Map<String, String> settings)
            throws IOException {
        long number = questions.incrementAndGet();
        CompletableFuture<Talk.Answer> waiting = new CompletableFuture<>();
        asked.put(number, waiting);
        try {
            Talk.send(over, Talk.ASK, new Talk.Ask(number, deed, name, settings));
            Talk.Answer answer = waiting.get(ANSWERS.toSeconds(), TimeUnit.SECONDS);
            if (!answer.error().isEmpty()) {
                throw new IOException("node " + node + " refuses: " + answer.error());
            }
            return answer;
        } catch (TimeoutException e) {
            throw new IOException("node " + node + " does not answer", e);
        } catch (ExecutionException e) {
            throw new IOException(lost(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            asked.remove(number);
        }
    }

    /** No more calls. */
    void close() {
        closed.countDown();
        Link now = link;
        if (now != null) {
            now.close();
        }
    }
}
