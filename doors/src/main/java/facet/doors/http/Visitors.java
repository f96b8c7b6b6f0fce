package facet.doors.http;

import facet.log.Log;
import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connections that there are. When there are many, one that waits is closed for each that
 * comes: first those that have never asked for anything, so that nobody can keep others out by
 * asking for nothing.
 */
final class Visitors implements SocketOptions {
    private final SocketOptions inner = SocketOptions.create();
    private final int most;
    private final Log log;

    /** The oldest first. */
    private final Map<SocketAddress, Visitor> all = new LinkedHashMap<>();

    private static final class Visitor {
        private final SocketChannel socket;
        private boolean working;
        private boolean known;

        private Visitor(SocketChannel socket) {
            this.socket = socket;
        }
    }

    Visitors(int most, Log log) {
        this.most = most;
        this.log = log;
    }

    /** Called for each that comes. */
    @Override
    public void configureSocket(SocketChannel socket) {
        inner.configureSocket(socket);
        try {
            add(socket.getRemoteAddress(), new Visitor(socket));
        } catch (IOException e) {
            // It has gone already; whoever reads from it notices.
            log.debug("http", "a client has gone: " + e.getMessage());
        }
    }

    private synchronized void add(SocketAddress address, Visitor visitor) {
        if (all.size() >= most) {
            all.values().removeIf(each -> !each.socket.isOpen());
        }
        if (all.size() >= most && !evict(false)) {
            evict(true);
        }
        all.put(address, visitor);
    }

    /** Closes the oldest one that waits. */
    private boolean evict(boolean known) {
        for (Iterator<Visitor> each = all.values().iterator(); each.hasNext(); ) {
            Visitor visitor = each.next();
            if (!visitor.working && visitor.known == known) {
                each.remove();
                try {
                    visitor.socket.close();
                } catch (IOException e) {
                    log.debug("http", "a client cannot be disconnected: " + e.getMessage());
                }
                return true;
            }
        }
        return false;
    }

    /** A whole request has come. */
    synchronized void begins(SocketAddress address) {
        Visitor visitor = all.get(address);
        if (visitor != null) {
            visitor.working = true;
            visitor.known = true;
        }
    }

    /** It is answered, and the connection waits for the next one. */
    synchronized void ends(SocketAddress address) {
        Visitor visitor = all.remove(address);
        if (visitor != null) {
            visitor.working = false;
            // It has waited from now on.
            all.put(address, visitor);
        }
    }

    // ---- as usual

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return inner.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return inner.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return inner.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return inner.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return inner.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return inner.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return inner.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return inner.tcpNoDelay();
    }
}
