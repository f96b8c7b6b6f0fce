package facet.doors.http;

import facet.log.Log;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** The web server, with bounds on what a client may cost. */
final class HttpListener implements AutoCloseable {
    static final int LONGEST_BODY = 1 << 20;

    private static final int LONGEST_HEADERS = 16 << 10;
    private static final int LONGEST_LINE = 4 << 10;
    private static final int MOST_CONNECTIONS = 256;
    private static final int MOST_REQUESTS = 64;

    /** From the begin of a request on: who sends it too slowly is let go. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final WebServer server;

    private HttpListener(WebServer server) {
        this.server = server;
    }

    static HttpListener open(
            HttpAddress address, Optional<SSLContext> tls, Gate gate, Pages pages, Api api, Log log)
            throws IOException {
        check(address);
        WebServerLog.to(new Failures(text -> log.warning("http", text), System::nanoTime));
        Visitors visitors = new Visitors(MOST_CONNECTIONS, log);
        HttpRouting.Builder routing =
                HttpRouting.builder()
                        .addFilter(HttpListener::closeWhenAsked)
                        .addFilter((chain, request, _) -> count(visitors, chain, request))
                        .addFilter(gate)
                        .error(Refusal.class, Answers::refuse)
                        .error(
                                Throwable.class,
                                (request, response, thrown) ->
                                        Answers.fail(request, response, thrown, log));
        pages.addTo(routing);
        api.addTo(routing);
        WebServerConfig.Builder config =
                WebServer.builder()
                        .address(address.address())
                        .port(address.port())
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(
                                new BoundedConnections(
                                        Http1ConnectionSelector.builder()
                                                .config(
                                                        Http1Config.builder()
                                                                .maxHeadersSize(LONGEST_HEADERS)
                                                                .maxPrologueLength(LONGEST_LINE)
                                                                .sendListeners(java.util.List.of())
                                                                .receiveListeners(
                                                                        java.util.List.of())
                                                                .build())
                                                .build()))
                        .maxPayloadSize(LONGEST_BODY)
                        .connectionOptions(visitors)
                        .maxTcpConnections(2 * MOST_CONNECTIONS)
                        .maxConcurrentRequests(MOST_REQUESTS)
                        .idleConnectionTimeout(PATIENCE)
                        .idleConnectionPeriod(PERIOD)
                        .shutdownGracePeriod(Duration.ofMillis(200))
                        .directHandlers(handlers())
                        .routing(routing);
        tls.ifPresent(context ->
                config.tls(
                        Tls.builder()
                                .sslContext(context)
                                .enabledProtocols(TlsContext.PROTOCOLS)
                                .addApplicationProtocol("http/1.1")
                                .build()));
        WebServer server = config.build().start();
        if (!server.isRunning() || server.port() <= 0) {
            server.stop();
            throw new IOException("cannot listen for HTTP at " + address + "; see the log");
        }
        return new HttpListener(server);
    }

    /** The web server says that it closes the connection, and waits for the next request. */
    private static void closeWhenAsked(
            FilterChain chain, RoutingRequest request, RoutingResponse response) {
        chain.proceed();
        if (request.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("as the client has asked");
        }
    }

    private static void count(Visitors visitors, FilterChain chain, RoutingRequest request) {
        SocketAddress address = request.remotePeer().address();
        visitors.begins(address);
        try {
            chain.proceed();
        } finally {
            visitors.ends(address);
        }
    }

    /** The web server only logs why it cannot listen. */
    private static void check(HttpAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address.address(), address.port()));
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen for HTTP at " + address + ": " + e.getMessage(), e);
        }
    }

    private static DirectHandlers handlers() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (DirectHandler.EventType each : DirectHandler.EventType.values()) {
            handlers.addHandler(each, new Answers.Unrouted());
        }
        return handlers.build();
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
