package facet.host.session;

import facet.abi.CudaDispatcher;
import facet.abi.Dispatcher;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.device.DeviceException;

/** CUDA: abi/tables/commands.table, and errors that are CUresults. */
final class CudaVocabulary implements Vocabulary {
    private final Dispatcher dispatcher;

    CudaVocabulary(Session session) {
        dispatcher =
                new CudaDispatcher(
                        new ContextCommands(session),
                        new MemoryCommands(session),
                        new CopyCommands(session),
                        new ModuleCommands(session),
                        new LaunchCommands(session),
                        new StreamCommands(session),
                        new EventCommands(session),
                        new HostFunctionCommands(session),
                        new UnsupportedCommands(session),
                        new SegmentCommands(session),
                        new TextureCommands(session),
                        new GraphCommands(session),
                        new DirectCommands(session));
    }

    @Override
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    @Override
    public int contextIsGone() {
        return Result.ERROR_CONTEXT_IS_DESTROYED;
    }

    @Override
    public int handleIsGone() {
        return Result.ERROR_INVALID_HANDLE;
    }

    @Override
    public int errorOf(DeviceException refusal) {
        return refusal.error().code();
    }

    @Override
    public void failed(SessionContext context, Envelope envelope, int error) {
        context.streams().latch(error);
    }
}
