package facet.kube.kubelet;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A Unix socket on which something is served. What was at its place before is removed. */
public final class PluginSocket implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 2;

    private final Path path;
    private final Server server;
    private final Optional<Object> file;

    private PluginSocket(Path path, Server server, Optional<Object> file) {
        this.path = path;
        this.server = server;
        this.file = file;
    }

    public static PluginSocket serve(Path path, BindableService... services) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        Files.deleteIfExists(path);
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                        .bossEventLoopGroup(EventLoops.group())
                        .workerEventLoopGroup(EventLoops.group())
                        .channelType(EpollServerDomainSocketChannel.class);
        for (BindableService each : services) {
            builder.addService(each);
        }
        Server server = builder.build().start();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return new PluginSocket(path, server, identity(path));
    }

    public Path path() {
        return path;
    }

    /** Whether who opens the path comes here: a kubelet that starts removes what it finds. */
    public boolean isInPlace() {
        return file.isPresent() && file.equals(identity(path));
    }

    /** Names the file that is at a path now; empty where there is none. */
    public static Optional<Object> identity(Path path) {
        try {
            return Optional.of(
                    Files.getAttribute(path, "unix:ino")
                            + "/"
                            + Files.getAttribute(path, "unix:ctime"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        boolean own = isInPlace();
        server.shutdownNow();
        try {
            server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (own) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // Whoever serves there next removes it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
