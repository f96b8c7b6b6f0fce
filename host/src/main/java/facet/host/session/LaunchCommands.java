package facet.host.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.LaunchHandler;
import facet.abi.Result;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.host.ledger.UnsupportedCounts;
import facet.host.residency.Reach;

/** Launches. A kernel is compiled when it is first launched. */
final class LaunchCommands implements LaunchHandler {
    private final Session session;

    LaunchCommands(Session session) {
        this.session = session;
    }

    @Override
    public void launch(Envelope envelope, facet.abi.Launch command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        SessionModule module = context.module(command.module());
        if (!context.peers().prepare()) {
            stream.latch(Result.ERROR_OUT_OF_MEMORY);
            context.submit(stream, () -> {});
            return;
        }
        context.submit(
                stream,
                Reach.EVERYTHING,
                InFlight.unitsOf(command.arguments().length),
                launch(stream, module, command));
        session.usage().launched();
    }

    /** Compiles here, not when the memory is held on the device: that may take its time. */
    private Runnable launch(SessionStream stream, SessionModule module, facet.abi.Launch command) {
        Kernel kernel;
        try {
            kernel = module.kernel(command.function());
        } catch (ProtocolViolation e) {
            throw e;
        } catch (DeviceException e) {
            // The client hears a number alone, and that later.
            e.lacking()
                    .filter(each -> session.lacks(UnsupportedCounts.Kind.INSTRUCTION, each))
                    .ifPresent(each ->
                            session.channel().printError("facet: code refused: " + e.getMessage()));
            return () -> {
                throw e;
            };
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
        return () ->
                stream.device()
                        .launch(
                                new Launch(
                                        kernel,
                                        new Dim(command.gridX(), command.gridY(), command.gridZ()),
                                        new Dim(
                                                command.blockX(),
                                                command.blockY(),
                                                command.blockZ()),
                                        command.shared(),
                                        (command.flags() & Constants.LAUNCH_COOPERATIVE) != 0,
                                        command.arguments()));
    }
}
