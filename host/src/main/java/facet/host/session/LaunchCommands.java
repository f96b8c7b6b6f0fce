package facet.host.session;

import facet.abi.Envelope;
import facet.abi.LaunchClusters;
import facet.abi.LaunchHandler;
import facet.device.Launch.Dim;
import facet.host.residency.Reach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Launches. A kernel is compiled when it is first launched; its stream waits for that. */
final class LaunchCommands implements LaunchHandler {
    private final Session session;

    LaunchCommands(Session session) {
        this.session = session;
    }

    @Override
    public void launch(Envelope envelope, facet.abi.Launch command) {
        launch(envelope, command, null);
    }

    @Override
    public void launchClusters(Envelope envelope, LaunchClusters command) {
        launch(envelope, LaunchWork.plain(command), LaunchWork.clusterOf(command));
    }

    private void launch(Envelope envelope, facet.abi.Launch command, @Nullable Dim cluster) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        SessionModule module = context.modules().get(command.module());
        boolean othersAreThere = context.peers().prepare();
        LaunchWork work = new LaunchWork(module, command, cluster, null);
        boolean isMade = work.isMade();
        int units = InFlight.unitsOf(command.arguments().length) + context.peers().units();
        if (isMade && othersAreThere) {
            context.work().submit(stream, Reach.EVERYTHING, units, work);
        } else {
            context.work()
                    .hold(
                            stream,
                            Reach.EVERYTHING,
                            units,
                            work,
                            othersAreThere ? List.of() : context.peers().enabled(),
                            isMade ? null : told -> work.make(session, context, told));
        }
        session.usage().launched();
    }
}
