package facet.pool.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Messages between two nodes: each is delivered once, in the order of its lane, also when
 * connections break. When a link stays cut for longer than {@link LinkTimes#resume} it ends, and
 * what was under way is lost on both sides. Any thread.
 */
public final class Link implements AutoCloseable {
    /** A side that takes nothing for so long is not waited for when the link is closed. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final LinkId id;
    private final Peer peer;
    private final LinkTimes times;
    private final Map<LaneKind, Lane> lanes = new EnumMap<>(LaneKind.class);
    private final LinkReduction reduction = new LinkReduction();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable LinkException reason;
    private Runnable atEnd = () -> {};

    Link(LinkId id, Peer peer, LinkTimes times) {
        this.id = id;
        this.peer = peer;
        this.times = times;
        for (LaneKind each : LaneKind.values()) {
            String name = "facet-link-" + peer.node() + "-" + each.name().toLowerCase(Locale.ROOT);
            lanes.put(each, new Lane(each, times, name));
        }
    }

    /** Before anything comes over it. */
    void receiver(Receiver to, Runnable afterwards) {
        receiver = to;
        atEnd = afterwards;
    }

    LinkId id() {
        return id;
    }

    LinkTimes times() {
        return times;
    }

    Lane lane(LaneKind kind) {
        Lane lane = lanes.get(kind);
        if (lane == null) {
            throw new IllegalStateException("there is no lane for " + kind);
        }
        return lane;
    }

    public Peer peer() {
        return peer;
    }

    /** The most bytes that a message has. */
    public static int mostBytes() {
        return Lane.MOST_MESSAGE;
    }

    /**
     * Sends a message; returns when it is in the log, and waits when that is full.
     *
     * @throws LinkException when the link has ended
     */
    public void send(LaneKind kind, ByteBuffer message) throws LinkException, InterruptedException {
        send(kind, message, 0);
    }

    /**
     * The same with a message that stands for more than it is.
     *
     * @param weight bytes that it stands for: no more of them are under way than of others
     */
    public void send(LaneKind kind, ByteBuffer message, long weight)
            throws LinkException, InterruptedException {
        if (message.remaining() > Lane.MOST_MESSAGE) {
            throw new IllegalArgumentException(
                    "a message of " + message.remaining() + " bytes is too long");
        }
        if (!lane(kind).send(message, weight)) {
            LinkException why = reason;
            throw why != null ? why : new LinkException(LinkEnd.CLOSED, "the link was closed");
        }
    }

    /** Whether all its lanes have a connection right now, as far as anybody has noticed. */
    public boolean isConnected() {
        return lanes.values().stream().allMatch(Lane::isAttached);
    }

    public boolean isEnded() {
        return ending.get();
    }

    /** All lanes added up; the round trip is that of commands. */
    public LinkFigures figures() {
        return figures(LaneKind.BULK).plus(figures(LaneKind.COMMANDS)).plus(reduction.figures());
    }

    /** Of one lane; what was left out is known of both together alone. */
    public LinkFigures figures(LaneKind kind) {
        return lane(kind).figures();
    }

    /** Bytes a second of a lane while there is something to send; 0: not known yet. */
    public double bytesPerSecond(LaneKind kind) {
        return lane(kind).bytesPerSecond();
    }

    /** For those who send less than they mean. */
    public LinkReduction reduction() {
        return reduction;
    }

    // ---- for its connections

    /** Reads a lane's connection until it breaks. */
    void serve(Lane lane, Wire wire, long peerHas) throws IOException {
        Receiver to = receiver;
        if (to == null) {
            throw new IllegalStateException("nobody receives");
        }
        try {
            lane.serve(
                    wire,
                    peerHas,
                    new Lane.Incoming() {
                        @Override
                        public void attached() {
                            to.changed(isConnected());
                        }

                        @Override
                        public void message(ByteBuffer message) throws IOException {
                            to.receive(lane.kind(), message);
                        }
                    });
        } catch (LinkViolation e) {
            end(LinkEnd.VIOLATION, peer.node() + " broke the protocol: " + e.getMessage());
        } finally {
            to.changed(false);
        }
        if (lanes.values().stream().allMatch(Lane::isPeerClosed)) {
            end(LinkEnd.CLOSED, peer.node() + " has closed the link");
        }
    }

    // ---- its end

    /** The first reason counts. */
    void end(LinkEnd why, String text) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        reason = new LinkException(why, text);
        lanes.values().forEach(Lane::end);
        ended.countDown();
        atEnd.run();
        Receiver to = receiver;
        if (to != null) {
            to.ended(why, text);
        }
    }

    /** What was sent before still arrives, as long as the other side goes on taking it. */
    @Override
    public void close() {
        lanes.values().forEach(Lane::closeOutput);
        long latest = System.nanoTime() + times.resume().toNanos();
        long deadline = System.nanoTime() + FAREWELL.toNanos();
        long taken = -1;
        try {
            while (!lanes.values().stream().allMatch(Lane::isFlushed)
                    && System.nanoTime() - deadline < 0
                    && System.nanoTime() - latest < 0
                    && !ended.await(2, TimeUnit.MILLISECONDS)) {
                long now = lanes.values().stream().mapToLong(Lane::taken).sum();
                if (now != taken) {
                    taken = now;
                    deadline = System.nanoTime() + FAREWELL.toNanos();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end(LinkEnd.CLOSED, "the link was closed");
    }
}
