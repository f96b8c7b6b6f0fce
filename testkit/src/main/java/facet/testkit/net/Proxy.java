package facet.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Passes connections on to an address, as a network of a given kind would. */
public final class Proxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Road road;
    private final ServerSocket socket;
    private final Random random;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Pace there;
    private final Pace back;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private volatile boolean closed;
    private boolean frozen;

    private Proxy(InetSocketAddress target, Road road, long seed) throws IOException {
        this.target = target;
        this.road = road;
        this.random = new Random(seed);
        this.there = new Pace(road.bytesPerSecond());
        this.back = new Pace(road.bytesPerSecond());
        this.socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /**
     * @param seed of what is lost and when connections are cut
     */
    public static Proxy to(InetSocketAddress target, Road road, long seed) throws IOException {
        Proxy proxy = new Proxy(target, road, seed);
        Thread.ofPlatform().daemon().name("proxy-accept").start(proxy::accept);
        return proxy;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** That it has passed on, both directions together. */
    public long bytes() {
        return bytes.get();
    }

    public long cuts() {
        return cuts.get();
    }

    /** All connections break, with what is under way. */
    public void cut() {
        for (Socket each : open) {
            cuts.incrementAndGet();
            reset(each);
        }
    }

    /** Cuts again and again, at random moments with this mean distance, until it is closed. */
    public void cutEvery(Duration mean) {
        Thread.ofPlatform()
                .daemon()
                .name("proxy-cuts")
                .start(() -> {
                    while (!closed) {
                        sleepNanos((long) (mean.toNanos() * 2 * draw()));
                        cut();
                    }
                });
    }

    /** Passes nothing on and breaks nothing, as a cable that was pulled; or goes on. */
    public synchronized void freeze(boolean wanted) {
        frozen = wanted;
        notifyAll();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket near = socket.accept();
                Thread.ofVirtual().start(() -> connect(near));
            } catch (IOException e) {
                if (!closed) {
                    throw new IllegalStateException("the proxy cannot accept", e);
                }
            }
        }
    }

    private void connect(Socket near) {
        Socket far = new Socket();
        try {
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            far.connect(target);
        } catch (IOException e) {
            reset(near); // nobody listens there: whoever called sees a cut
            reset(far);
            return;
        }
        open.add(near);
        open.add(far);
        Direction.start(this, near, far, there);
        Direction.start(this, far, near, back);
    }

    // ---- for its directions

    Road road() {
        return road;
    }

    double draw() {
        synchronized (random) {
            return random.nextDouble();
        }
    }

    void passed(int count) {
        bytes.addAndGet(count);
    }

    synchronized void awaitThaw() throws InterruptedException {
        while (frozen && !closed) {
            wait();
        }
    }

    void forget(Socket first, Socket second) {
        open.remove(first);
        open.remove(second);
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            assert socket.isClosed(); // somebody was quicker
        }
    }

    static void sleepNanos(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        socket.close();
        open.forEach(Proxy::reset);
    }
}
