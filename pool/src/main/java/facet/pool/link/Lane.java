package facet.pool.link;

import facet.os.ProcessThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One direction and the other of a kind of messages, over one connection after the other. What is
 * sent stays in the log until the other side has received it; so the log is flow control, too.
 */
final class Lane {
    /** Of a message. */
    static final int MOST_MESSAGE = 1 << 20;

    private static final int LENGTH = Integer.BYTES;
    private static final long TAKE_OVER_SECONDS = 5;

    /** Small messages may stand for much: the other side waits until they are acknowledged. */
    private static final int ACKNOWLEDGED_MESSAGES = 8;

    private final LaneKind kind;
    private final LinkTimes times;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition left = lock.newCondition();
    private final SendLog log;
    private final Weights weights;
    private final int acknowledgeEvery;

    /** Up to where the present connection has the stream. */
    private long sent;

    /** Up to where messages of the other side were received; the reader writes. */
    private volatile long received;

    /** Of that, what the other side was told. */
    private long told;

    /** Messages since then; the reader writes. */
    private volatile int untold;

    private @Nullable Wire wire;
    private boolean attached;
    private long detachedAt = System.nanoTime();
    private long pong;
    private boolean pongDue;
    private boolean closing;
    private boolean closeWritten;
    private boolean peerClosed;
    private boolean over;

    // ---- figures
    private long resumes;
    private long sentAgain;
    private long mostSent;
    private long roundTripNanos;
    private final Rate rate = new Rate();

    Lane(LaneKind kind, LinkTimes times, String name) {
        this.kind = kind;
        this.times = times;
        this.name = name;
        this.log = new SendLog(kind.logBytes());
        this.weights = new Weights(kind.logBytes());
        this.acknowledgeEvery = kind.logBytes() / 8;
    }

    LaneKind kind() {
        return kind;
    }

    // ---- for those who send

    /**
     * False when the lane is over. Waits for room.
     *
     * @param weight what the message stands for: of that, too, only so much is under way
     */
    boolean send(ByteBuffer message, long weight) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!over
                    && !closing
                    && !(log.hasRoom(LENGTH + message.remaining()) && weights.hasRoom(weight))) {
                room.await();
            }
            return append(message, weight);
        } finally {
            lock.unlock();
        }
    }

    private boolean append(ByteBuffer message, long weight) {
        if (over || closing) {
            return false;
        }
        weights.add(log.end() + LENGTH + message.remaining(), weight);
        ByteBuffer length = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        log.append(length.putInt(0, message.remaining()));
        log.append(message);
        work.signal();
        return true;
    }

    // ---- its connections

    /**
     * From now on the lane is on this connection, when the one before has been left: nobody
     * receives any more what came over it.
     *
     * @return up to where the other side's stream was received
     * @throws IOException when the one before is not left in time, or the lane is over
     */
    long claim(Wire next) throws IOException {
        lock.lock();
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TAKE_OVER_SECONDS);
            while (wire != null && !over) {
                wire.close();
                long rest = deadline - System.nanoTime();
                if (rest <= 0) {
                    throw new IOException("what came over the last connection is still in work");
                }
                left.awaitNanos(rest);
            }
            if (over) {
                throw new IOException("the link has ended");
            }
            wire = next;
            return received;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Who has claimed it leaves it. */
    void leave(Wire mine) {
        mine.close();
        lock.lock();
        try {
            if (wire == mine) {
                wire = null;
                if (attached) {
                    attached = false;
                    detachedAt = System.nanoTime();
                }
                left.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads and writes until the connection breaks. After {@link #claim}, before {@link #leave}.
     *
     * @param peerHas up to where the other side has this side's stream
     * @param to is told each message
     */
    void serve(Wire mine, long peerHas, Incoming to) throws IOException {
        begin(peerHas);
        to.attached();
        mine.patience(times.silence());
        Thread writer = ProcessThreads.named(name + "-writer").start(() -> write(mine));
        try {
            new LaneReader(mine.in(), this, to).run();
        } finally {
            mine.close();
            lock.lock();
            try {
                attached = false;
                detachedAt = System.nanoTime();
                work.signalAll();
            } finally {
                lock.unlock();
            }
            join(writer);
        }
    }

    /** Takes what was received. */
    interface Incoming {
        /** The lane has a connection. */
        void attached();

        void message(ByteBuffer message) throws IOException;
    }

    private static void join(Thread writer) {
        boolean interrupted = false;
        while (true) {
            try {
                writer.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(long peerHas) throws LinkViolation {
        lock.lock();
        try {
            if (peerHas < log.start() || peerHas > mostSent) {
                throw new LinkViolation("it says it has what it cannot have: " + peerHas);
            }
            release(peerHas);
            if (mostSent > 0 || received > 0) {
                resumes++;
            }
            sentAgain += mostSent - peerHas;
            sent = peerHas;
            told = received;
            closeWritten = false;
            pongDue = false;
            attached = true;
        } finally {
            lock.unlock();
        }
    }

    private void release(long position) {
        log.release(position);
        weights.release(position);
        room.signalAll();
    }

    // ---- the writer

    private void write(Wire mine) {
        byte[] buffer = new byte[Chunks.MOST_DATA + 8 * (Chunks.HEAD + Chunks.WORD)];
        ByteBuffer out = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
        long beat = System.nanoTime();
        try {
            while (true) {
                out.clear();
                lock.lock();
                try {
                    long wait = beat - System.nanoTime();
                    while (attached && !isWorkDue() && wait > 0) {
                        wait = work.awaitNanos(wait);
                    }
                    if (!attached) {
                        return;
                    }
                    if (beat - System.nanoTime() <= 0) {
                        beat = System.nanoTime() + times.heartbeat().toNanos();
                        word(out, Chunks.PING, System.nanoTime());
                    }
                    fill(out);
                } finally {
                    lock.unlock();
                }
                mine.write(buffer, out.position());
            }
        } catch (IOException e) {
            mine.close(); // the reader notices, and says why
        } catch (InterruptedException e) {
            mine.close();
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWorkDue() {
        return sent < log.end() || pongDue || isAcknowledgementDue() || closing && !closeWritten;
    }

    private boolean isAcknowledgementDue() {
        return received - told >= acknowledgeEvery || untold >= ACKNOWLEDGED_MESSAGES;
    }

    private void fill(ByteBuffer out) {
        if (pongDue) {
            pongDue = false;
            word(out, Chunks.PONG, pong);
        }
        if (received != told) {
            untold = 0;
            told = received;
            word(out, Chunks.ACK, told);
        }
        if (sent < log.end()) {
            int head = out.position();
            int place = out.arrayOffset() + head + Chunks.HEAD;
            int count = log.copy(sent, out.array(), place, Chunks.MOST_DATA);
            out.put(Chunks.DATA).putInt(count).position(head + Chunks.HEAD + count);
            sent += count;
            mostSent = Math.max(mostSent, sent);
        }
        if (closing && sent == log.end() && !closeWritten) {
            closeWritten = true;
            out.put(Chunks.CLOSE).putInt(0);
        }
    }

    private static void word(ByteBuffer out, byte kind, long value) {
        out.put(kind).putInt(Chunks.WORD).putLong(value);
    }

    // ---- for the reader

    /** A message and all before it were received. */
    void delivered(long bytes) {
        long now = received + bytes; // a stream of 2^63 bytes does not end
        received = now;
        // The writer begins anew meanwhile: when one is lost, the next one counts.
        int more = untold + 1;
        untold = more;
        if (isAcknowledgementDue()) {
            lock.lock();
            try {
                work.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    void acknowledged(long position) throws LinkViolation {
        lock.lock();
        try {
            if (position < log.start() || position > sent) {
                throw new LinkViolation("it acknowledges what was never sent: " + position);
            }
            rate.passed(position - log.start(), log.end() == position, System.nanoTime());
            release(position);
        } finally {
            lock.unlock();
        }
    }

    void pinged(long stamp) {
        lock.lock();
        try {
            pong = stamp;
            pongDue = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    void ponged(long stamp) {
        long took = System.nanoTime() - stamp;
        lock.lock();
        try {
            if (took > 0) {
                roundTripNanos =
                        roundTripNanos == 0 ? took : roundTripNanos - roundTripNanos / 4 + took / 4;
            }
        } finally {
            lock.unlock();
        }
    }

    void peerHasClosed() {
        lock.lock();
        try {
            peerClosed = true;
        } finally {
            lock.unlock();
        }
    }

    // ---- its end

    boolean isPeerClosed() {
        lock.lock();
        try {
            return peerClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the other side has all, and was told that nothing follows. */
    boolean isFlushed() {
        lock.lock();
        try {
            return closeWritten && !attached || over;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of the stream that the other side says to have taken. */
    long taken() {
        lock.lock();
        try {
            return log.start();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is sent; what was sent before is. */
    void closeOutput() {
        lock.lock();
        try {
            closing = true;
            work.signalAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** At once. */
    void end() {
        lock.lock();
        try {
            over = true;
            if (wire != null) {
                wire.close();
            }
            work.signalAll();
            room.signalAll();
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    boolean isAttached() {
        lock.lock();
        try {
            return attached;
        } finally {
            lock.unlock();
        }
    }

    /** Since when it has no connection; 0 when it has one. */
    long detachedNanos(long now) {
        lock.lock();
        try {
            return attached ? 0 : now - detachedAt;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes a second that get through while there is something to send; 0: not known yet. */
    double bytesPerSecond() {
        return rate.bytesPerSecond();
    }

    LinkFigures figures() {
        lock.lock();
        try {
            return new LinkFigures(
                    log.end(),
                    received,
                    log.end(),
                    received,
                    0,
                    resumes,
                    sentAgain,
                    roundTripNanos);
        } finally {
            lock.unlock();
        }
    }
}
