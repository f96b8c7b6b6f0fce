package facet.kube.kubelet;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A connection to somebody who serves on a Unix socket. */
public final class KubeletSocket implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 2;

    private final ManagedChannel channel;

    private KubeletSocket(ManagedChannel channel) {
        this.channel = channel;
    }

    /** It need not be there yet: calls fail as long as it is not. */
    public static KubeletSocket to(Path socket) {
        return new KubeletSocket(
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .eventLoopGroup(EventLoops.group())
                        .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                        // Servers written in Go refuse the socket's path, which is the default.
                        .overrideAuthority("localhost")
                        .usePlaintext()
                        .build());
    }

    public ManagedChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
