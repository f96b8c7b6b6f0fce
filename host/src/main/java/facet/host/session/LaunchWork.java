package facet.host.session;

import facet.abi.Constants;
import facet.device.Access;
import facet.device.Context;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A launch. Its kernel is there when it is given to the device.
 *
 * @param cluster that it names; null: as the kernel says
 * @param access what it may access, where that is settled
 */
record LaunchWork(
        SessionModule module,
        facet.abi.Launch command,
        @Nullable Dim cluster,
        @Nullable Access access)
        implements Work {

    /** What a command says of its cluster; the device looks whether that can be. */
    static Dim clusterOf(facet.abi.LaunchClusters command) {
        return new Dim(command.clusterX(), command.clusterY(), command.clusterZ());
    }

    /** The launch without its cluster. */
    static facet.abi.Launch plain(facet.abi.LaunchClusters command) {
        return new facet.abi.Launch(
                command.stream(),
                command.module(),
                command.function(),
                command.gridX(),
                command.gridY(),
                command.gridZ(),
                command.blockX(),
                command.blockY(),
                command.blockZ(),
                command.shared(),
                command.flags(),
                command.arguments());
    }

    /** Whether its kernel is there. */
    boolean isMade() {
        return module.kernel(command.function()) != null;
    }

    /**
     * Has its kernel compiled, elsewhere.
     *
     * @param told hears why it could not be, or null; any thread
     */
    void make(Session session, SessionContext context, Consumer<@Nullable Throwable> told) {
        module.whenMade(command.function(), make -> session.making().run(context, make), told);
    }

    @Override
    public Work settled(Context context) {
        return new LaunchWork(module, command, cluster, context.access());
    }

    @Override
    public void on(Stream device) {
        Launch launch =
                new Launch(
                        Objects.requireNonNull(module.kernel(command.function())),
                        new Dim(command.gridX(), command.gridY(), command.gridZ()),
                        new Dim(command.blockX(), command.blockY(), command.blockZ()),
                        command.shared(),
                        (command.flags() & Constants.LAUNCH_COOPERATIVE) != 0,
                        cluster,
                        command.arguments());
        if (access == null) {
            device.launch(launch);
        } else {
            device.launch(launch, access);
        }
    }
}
