package facet.kube.kubelet;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The threads of all Unix sockets; one is enough for what a kubelet says. */
final class EventLoops {
    /** Kept, since loggers that nobody keeps lose their level. */
    private static final Logger LOUD = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

    static {
        // gRPC sets an option of TCP on every channel, and Netty warns of it.
        LOUD.setLevel(Level.SEVERE);
    }

    private static final EventLoopGroup GROUP =
            new MultiThreadIoEventLoopGroup(
                    1,
                    new DefaultThreadFactory("facet-kubelet", true),
                    EpollIoHandler.newFactory());

    private EventLoops() {}

    static EventLoopGroup group() {
        return GROUP;
    }
}
