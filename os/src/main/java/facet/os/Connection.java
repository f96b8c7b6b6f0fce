package facet.os;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One end of a connected Unix socket. Any thread may send, receive or close; {@link #close} and
 * {@link #shutdown} wake those that block.
 */
public final class Connection implements AutoCloseable {
    private static final int[] NONE = {};

    private final DescriptorOwner owner;
    private final SocketKind kind;

    Connection(int descriptor, SocketKind kind) {
        owner = new DescriptorOwner(descriptor);
        this.kind = kind;
    }

    public static Connection connect(Path path, SocketKind kind) throws IOException {
        return connect(SocketPath.bytes(path), path, kind);
    }

    /**
     * @param name as the system has it; an abstract one begins with 0
     * @param path what to call it
     */
    static Connection connect(byte[] name, Path path, SocketKind kind) throws IOException {
        int descriptor = SocketUnsafe.open(kind);
        if (descriptor < 0) {
            throw new SystemCallException("cannot open a socket", -descriptor);
        }
        int result;
        do {
            result = SocketUnsafe.connect(descriptor, name);
        } while (result == -ErrnoUnsafe.EINTR);
        if (result < 0) {
            DescriptorUnsafe.close(descriptor);
            throw SocketPath.refused(path, -result);
        }
        return new Connection(descriptor, kind);
    }

    /** Two ends of one connection. */
    public record Pair(Connection first, Connection second) {}

    public static Pair pair(SocketKind kind) throws IOException {
        int[] ends = new int[2];
        int result = SocketUnsafe.pair(kind, ends);
        if (result < 0) {
            throw new SystemCallException("cannot open a pair of sockets", -result);
        }
        return new Pair(new Connection(ends[0], kind), new Connection(ends[1], kind));
    }

    /** A connection whose descriptor was inherited or received; it is taken over. */
    public static Connection of(int descriptor, SocketKind kind) {
        return new Connection(descriptor, kind);
    }

    /** A second descriptor of it, to be sent to another process; the caller closes it. */
    public int duplicate() throws IOException {
        int descriptor = owner.acquire();
        try {
            return Descriptors.duplicate(descriptor);
        } finally {
            owner.release();
        }
    }

    public Peer peer() throws IOException {
        int[] credentials = new int[3];
        int descriptor = owner.acquire();
        try {
            int result = SocketUnsafe.peer(descriptor, credentials);
            if (result < 0) {
                throw new SystemCallException("cannot ask who the peer is", -result);
            }
        } finally {
            owner.release();
        }
        return new Peer(credentials[0], credentials[1], credentials[2]);
    }

    /** A send that blocks longer than this fails: its peer does not read. */
    public void limitSends(Duration limit) throws IOException {
        int descriptor = owner.acquire();
        try {
            int result = SocketUnsafe.sendTimeout(descriptor, Math.max(1, limit.toNanos() / 1000));
            if (result < 0) {
                throw new SystemCallException("cannot limit the time of sends", -result);
            }
        } finally {
            owner.release();
        }
    }

    /**
     * Sends all bytes. The descriptors stay ours; the peer gets its own ones of the same files.
     * With packets one send is one message, and there is none without bytes.
     */
    public void send(byte[] bytes, int... descriptors) throws IOException {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("a message without bytes looks like the end");
        }
        int descriptor = owner.acquire();
        try {
            int sent = 0;
            while (sent < bytes.length) {
                long result =
                        MessageUnsafe.send(
                                descriptor, bytes, sent, sent == 0 ? descriptors : NONE, true);
                if (result >= 0) {
                    sent += (int) result;
                } else if (result == -ErrnoUnsafe.EAGAIN) {
                    throw new SystemCallException(
                            "cannot send", ErrnoUnsafe.EAGAIN, "; the peer does not read");
                } else if (result != -ErrnoUnsafe.EINTR) {
                    throw new SystemCallException("cannot send", (int) -result);
                }
            }
        } finally {
            owner.release();
        }
    }

    /**
     * Sends a packet unless that would block.
     *
     * @return false when the peer does not read
     */
    public boolean trySend(byte[] packet) throws IOException {
        if (kind != SocketKind.PACKETS) {
            throw new IllegalStateException("half of a message may be sent over " + this);
        }
        int descriptor = owner.acquire();
        try {
            long result;
            do {
                result = MessageUnsafe.send(descriptor, packet, 0, NONE, false);
            } while (result == -ErrnoUnsafe.EINTR);
            if (result < 0 && result != -ErrnoUnsafe.EAGAIN) {
                throw new SystemCallException("cannot send", (int) -result);
            }
            return result >= 0;
        } finally {
            owner.release();
        }
    }

    /**
     * Waits for what the peer sends: with packets one message, else some bytes.
     *
     * @return empty when the peer is gone, or the connection was shut down here
     * @throws IOException when a packet is longer than {@code maximumBytes} or brings too many
     *     descriptors; they are closed
     */
    public Optional<Message> receive(int maximumBytes) throws IOException {
        MessageUnsafe.Received received;
        int descriptor = owner.acquire();
        try {
            do {
                received = MessageUnsafe.receive(descriptor, maximumBytes);
            } while (received.result() == -ErrnoUnsafe.EINTR);
        } finally {
            owner.release();
        }
        Message message = new Message(received.bytes(), received.descriptors());
        if (received.cut()) {
            message.closeDescriptors();
            throw new IOException(
                    "the peer sent a message of more than "
                            + maximumBytes
                            + " bytes or "
                            + MessageUnsafe.DESCRIPTOR_LIMIT
                            + " descriptors; it speaks another protocol");
        }
        if (received.result() < 0 && received.result() != -ErrnoUnsafe.ECONNRESET) {
            throw new SystemCallException("cannot receive", (int) -received.result());
        }
        if (received.result() <= 0) {
            message.closeDescriptors();
            return Optional.empty();
        }
        return Optional.of(message);
    }

    /**
     * Waits until {@link #receive} would not block: there is something, or the peer is gone.
     *
     * @return false when the time was over
     */
    public boolean awaitReadable(Duration timeout) throws IOException {
        int descriptor = owner.acquire();
        try {
            return Readiness.await(descriptor, timeout);
        } finally {
            owner.release();
        }
    }

    /** Ends the connection for both sides; blocked threads return. */
    public void shutdown() {
        try {
            int descriptor = owner.acquire();
            try {
                SocketUnsafe.shutdown(descriptor);
            } finally {
                owner.release();
            }
        } catch (ClosedChannelException closedAlready) {
            // Then it has ended.
        }
    }

    public boolean isClosed() {
        return owner.isClosed();
    }

    @Override
    public void close() {
        shutdown();
        owner.close();
    }

    @Override
    public String toString() {
        return "connection of " + kind + (isClosed() ? ", closed" : "");
    }
}
