package facet.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** One direction of a connection. A cut ends both. */
final class Direction {
    private static final int PACKET = 1448;
    private static final int PIECE = 16 << 10;

    /** Under way at once beside what the rate and the delay make: what switches hold. */
    private static final int BUFFER = 256 << 10;

    /** What TCP takes at least to notice a loss. */
    private static final long LEAST_STALL_NANOS = 1_000_000;

    private final Proxy proxy;
    private final Socket from;
    private final Socket to;
    private final Pace pace;
    private final LinkedBlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
    private final Semaphore room;
    private long earliest = System.nanoTime();

    private record Piece(byte[] bytes, long due) {}

    private Direction(Proxy proxy, Socket from, Socket to, Pace pace) {
        this.proxy = proxy;
        this.from = from;
        this.to = to;
        this.pace = pace;
        Road road = proxy.road();
        double perNano = road.bytesPerSecond() == 0 ? 4.0 : road.bytesPerSecond() / 1e9;
        this.room =
                new Semaphore((int) Math.min(1 << 30, BUFFER + perNano * road.delay().toNanos()));
    }

    static void start(Proxy proxy, Socket from, Socket to, Pace pace) {
        Direction direction = new Direction(proxy, from, to, pace);
        if (proxy.road().isPlain()) {
            Thread.ofPlatform().daemon().start(() -> direction.run(direction::passOn));
        } else {
            Thread.ofPlatform().daemon().start(() -> direction.run(direction::take));
            Thread.ofPlatform().daemon().start(() -> direction.run(direction::deliver));
        }
    }

    private interface Part {
        void run() throws IOException, InterruptedException;
    }

    private void run(Part part) {
        try {
            part.run();
        } catch (SocketException e) {
            // Cut by one of its ends, or by the proxy: the other end sees the same.
            assert !e.toString().isEmpty();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the proxy cannot pass on", e);
        } finally {
            proxy.forget(from, to);
            Proxy.reset(from);
            Proxy.reset(to);
        }
    }

    private void passOn() throws IOException, InterruptedException {
        byte[] buffer = new byte[4 * PIECE];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            proxy.awaitThaw();
            out.write(buffer, 0, n);
            proxy.passed(n);
        }
    }

    private void take() throws IOException, InterruptedException {
        byte[] buffer = new byte[PIECE];
        InputStream in = from.getInputStream();
        Road road = proxy.road();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            room.acquire(n);
            long due = pace.passed(n) + road.delay().toNanos();
            if (road.loss() > 0 && isLost(n)) {
                due += Math.max(LEAST_STALL_NANOS, 2 * road.delay().toNanos());
            }
            earliest = Math.max(earliest, due);
            underWay.add(new Piece(Arrays.copyOf(buffer, n), earliest));
        }
        underWay.add(new Piece(new byte[0], earliest));
        // What is under way is still to arrive.
        while (!to.isClosed()) {
            Proxy.sleepNanos(LEAST_STALL_NANOS);
        }
    }

    private boolean isLost(int bytes) {
        double arrive = Math.pow(1 - proxy.road().loss(), Math.ceilDiv(bytes, PACKET));
        return proxy.draw() > arrive;
    }

    private void deliver() throws IOException, InterruptedException {
        OutputStream out = to.getOutputStream();
        for (Piece next = underWay.take(); next.bytes.length > 0; next = underWay.take()) {
            long wait = next.due - System.nanoTime();
            if (wait > 0) {
                Proxy.sleepNanos(wait);
            }
            proxy.awaitThaw();
            out.write(next.bytes);
            room.release(next.bytes.length);
            proxy.passed(next.bytes.length);
        }
    }
}
