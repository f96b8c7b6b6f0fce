package facet.doors.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;

/**
 * Connections whose requests take no longer than the web server lets one be idle. By itself it ends
 * only those that wait for a request: who sends half of one would stay for ever.
 */
record BoundedConnections(ServerConnectionSelector inner) implements ServerConnectionSelector {
    @Override
    public int bytesToIdentifyConnection() {
        return inner.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return inner.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return inner.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new Bounded(inner.connection(context));
    }

    private record Bounded(ServerConnection inner) implements ServerConnection {
        @Override
        public void handle(Limit limit) throws InterruptedException {
            inner.handle(limit);
        }

        @Override
        public Duration idleTime() {
            return inner.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            inner.close(true);
        }
    }
}
