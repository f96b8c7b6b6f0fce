package facet.host.session;

import facet.abi.Constants;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A step of a graph that launches a kernel, which is compiled at the first launch of the graph. */
final class GraphKernel implements Supplier<Consumer<Stream>> {
    private final SessionContext context;
    private final facet.abi.Launch command;
    private @Nullable Kernel kernel;
    private Consumer<Stream> action = GraphStep.NOTHING;

    GraphKernel(SessionContext context, facet.abi.Launch command) {
        this.context = context;
        this.command = command;
    }

    /** The module that has this number now: it may be another one than at the last launch. */
    @Override
    public Consumer<Stream> get() {
        Kernel now = context.module(command.module()).kernel(command.function());
        if (!now.equals(kernel)) {
            kernel = now;
            Launch launch = launch(now);
            action = stream -> stream.launch(launch);
        }
        return action;
    }

    private Launch launch(Kernel of) {
        return new Launch(
                of,
                new Dim(command.gridX(), command.gridY(), command.gridZ()),
                new Dim(command.blockX(), command.blockY(), command.blockZ()),
                command.shared(),
                (command.flags() & Constants.LAUNCH_COOPERATIVE) != 0,
                command.arguments());
    }
}
