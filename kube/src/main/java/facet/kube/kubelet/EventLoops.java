package facet.kube.kubelet;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

/** The threads of all Unix sockets; one is enough for what a kubelet says. */
final class EventLoops {
    private static final EventLoopGroup GROUP =
            new EpollEventLoopGroup(1, new DefaultThreadFactory("facet-kubelet", true));

    private EventLoops() {}

    static EventLoopGroup group() {
        return GROUP;
    }
}
