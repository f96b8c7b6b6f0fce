package facet.host.session;

import facet.device.Launch.Dim;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A step of a graph that launches a kernel, which is compiled when a launch of the graph needs it.
 */
final class GraphKernel implements Supplier<Work> {
    private final SessionContext context;
    private final facet.abi.Launch command;
    private final @Nullable Dim cluster;

    GraphKernel(SessionContext context, facet.abi.Launch command, @Nullable Dim cluster) {
        this.context = context;
        this.command = command;
        this.cluster = cluster;
    }

    /** Of the module that has this number now: it may be another one than at the last launch. */
    @Override
    public LaunchWork get() {
        return new LaunchWork(context.modules().get(command.module()), command, cluster, null);
    }
}
