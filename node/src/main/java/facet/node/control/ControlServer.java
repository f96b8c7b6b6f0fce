package facet.node.control;

import facet.node.log.Log;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Accepts control connections. Its socket appears when the daemon is ready. */
public final class ControlServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 1024;

    private final Operations operations;
    private final Log log;
    private final ServerSocketChannel channel;
    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

    private ControlServer(Operations operations, Log log, ServerSocketChannel channel) {
        this.operations = operations;
        this.log = log;
        this.channel = channel;
    }

    /** Listens at the path, for its owner alone. */
    public static ControlServer open(Path socket, Operations operations, Log log)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        // It gets its name when only the owner can use it: who sees the name finds it ready.
        Path unready = socket.resolveSibling(socket.getFileName() + ".new");
        try {
            Files.deleteIfExists(unready);
            channel.bind(UnixDomainSocketAddress.of(unready));
            Files.setPosixFilePermissions(unready, PosixFilePermissions.fromString("rw-------"));
            ControlServer server = new ControlServer(operations, log, channel);
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
            new ControlConnection(connection, operations, log).serve();
        } catch (IOException e) {
            log.debug("control", "a connection broke: " + e.getMessage());
        } finally {
            connections.remove(connection);
            room.release();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            for (SocketChannel each : connections) {
                each.close();
            }
        } catch (IOException e) {
            log.error("control", "cannot close the control socket: " + e.getMessage());
        }
    }
}
