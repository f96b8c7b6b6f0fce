package facet.node.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.node.residency.Reach;

/** Launches. A kernel is compiled when it is first launched. */
final class LaunchCommands {
    private final Session session;

    LaunchCommands(Session session) {
        this.session = session;
    }

    void launch(Envelope envelope, facet.abi.Launch command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        SessionModule module = context.module(command.module());
        module.info(command.function());
        context.submit(
                stream,
                Reach.EVERYTHING,
                InFlight.unitsOf(command.arguments().length),
                () ->
                        stream.device()
                                .launch(
                                        new Launch(
                                                module.kernel(command.function()),
                                                new Dim(
                                                        command.gridX(),
                                                        command.gridY(),
                                                        command.gridZ()),
                                                new Dim(
                                                        command.blockX(),
                                                        command.blockY(),
                                                        command.blockZ()),
                                                command.shared(),
                                                (command.flags() & Constants.LAUNCH_COOPERATIVE)
                                                        != 0,
                                                command.arguments())));
        session.usage().launched();
    }
}
