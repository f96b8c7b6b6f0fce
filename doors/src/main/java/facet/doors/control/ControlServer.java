package facet.doors.control;

import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.Who;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** Accepts control connections. Its socket appears when the daemon is ready. */
public final class ControlServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 1024;
    private static final long GRACE_NANOS = 100_000_000;

    private final Operations operations;
    private final Events events;
    private final Log log;
    private final ServerSocketChannel channel;
    private final Path socket;
    private final Access access;
    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private ControlServer(
            Operations operations,
            Log log,
            ServerSocketChannel channel,
            Path socket,
            Access access) {
        this.operations = operations;
        this.events = operations.events().limited();
        this.log = log;
        this.channel = channel;
        this.socket = socket;
        this.access = access;
    }

    /** Listens at the path, for its owner alone. */
    public static ControlServer open(Path socket, Operations operations, Log log)
            throws IOException {
        return open(socket, Access.OWNER, operations, log);
    }

    public static ControlServer open(Path socket, Access access, Operations operations, Log log)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        // It gets its name when only those who may can use it: who sees the name finds it ready.
        Path unready = socket.resolveSibling(socket.getFileName() + ".new");
        try {
            Files.deleteIfExists(unready);
            channel.bind(UnixDomainSocketAddress.of(unready));
            access.giveSocket(unready);
            ControlServer server = new ControlServer(operations, log, channel, socket, access);
            Thread.ofPlatform().name("facet-control").daemon().start(server::acceptAll);
            Files.move(unready, socket);
            return server;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void acceptAll() {
        while (true) {
            try {
                room.acquire();
                SocketChannel connection = channel.accept();
                connections.add(connection);
                Thread.ofVirtual().name("facet-control-connection").start(() -> serve(connection));
            } catch (ClosedChannelException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException e) {
                log.error("control", "cannot accept: " + e.getMessage());
                room.release();
                if (!pause()) {
                    return;
                }
            }
        }
    }

    /** Out of descriptors, most likely: give the others time to close theirs. */
    private static boolean pause() {
        try {
            Thread.sleep(200);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            UnixDomainPrincipal peer = connection.getOption(ExtendedSocketOptions.SO_PEERCRED);
            String user = peer.user().getName();
            if (access.admits(peer, socket)) {
                new ControlConnection(connection, operations, events, log, user).serve();
            } else {
                events.add(
                        Kind.REFUSED,
                        Who.part("control"),
                        "user " + user + "; look at who may open " + socket);
            }
        } catch (IOException e) {
            log.debug("control", "a connection broke: " + e.getMessage());
        } finally {
            connections.remove(connection);
            room.release();
        }
    }

    /** Who waits for events is told of the end, when it is quick. */
    private void awaitLastAnswers() {
        long end = System.nanoTime() + GRACE_NANOS;
        try {
            while (!connections.isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            for (SocketChannel each : connections) {
                each.shutdownInput();
            }
            awaitLastAnswers();
            for (SocketChannel each : connections) {
                each.close();
            }
        } catch (IOException e) {
            log.error("control", "cannot close the control socket: " + e.getMessage());
        }
    }
}
