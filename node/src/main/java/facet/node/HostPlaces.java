package facet.node;

import facet.device.Device;
import facet.host.ledger.LedgerMemory;
import facet.host.residency.Residency;
import facet.log.Log;
import facet.node.confine.Confinement;
import facet.node.pool.Pool;
import facet.node.server.HostPlace;
import facet.node.server.InDaemon;
import facet.node.server.SliceServer;
import facet.node.sharing.Sharing;
import facet.node.worker.WorkerCommand;
import facet.node.worker.WorkerPool;
import facet.node.worker.WorkerProcess;
import facet.slices.Isolation;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the programs of slices are executed: in this process, in workers, or on other nodes. */
final class HostPlaces implements SliceServer.Places, AutoCloseable {
    private final Options options;
    private final Mains mains;
    private final Path folder;
    private final NodeDevices devices;
    private final Pool pool;
    private final Function<String, Optional<String>> user;
    private final Log log;
    private final WorkerPool workers;
    private @Nullable WorkerCommand worker;

    /**
     * @param folder of the workers
     * @param pool of whose devices slices may have some
     * @param user who has started the program that a slice goes with
     */
    HostPlaces(
            Options options,
            Mains mains,
            Path folder,
            NodeDevices devices,
            Pool pool,
            Function<String, Optional<String>> user,
            Log log) {
        this.options = options;
        this.pool = pool;
        this.mains = mains;
        this.folder = folder;
        this.devices = devices;
        this.user = user;
        this.log = log;
        workers =
                new WorkerPool(
                        this::command, folder, options.warmWorkers(), options.workerIdle(), log);
    }

    @Override
    public HostPlace open(Slice slice, List<Device> visible, LedgerMemory ledger)
            throws IOException {
        if (slice.devices().isElsewhere()) {
            return pool.hosts(slice, ledger);
        }
        List<Integer> numbers = slice.devices().numbers();
        List<Residency> books = devices.residencies(numbers);
        Sharing sharing = devices.sharing();
        boolean software = mains.devices().isSoftware();
        // A vendor's driver has seen the devices of one slice, and does not look again.
        Optional<String> codeName =
                software ? options.shareCode().name(user.apply(slice.name())) : Optional.empty();
        return switch (software ? slice.isolation() : Isolation.PROCESS) {
            case PROCESS ->
                    new WorkerProcess(
                            slice,
                            visible,
                            books,
                            options.sharing() ? sharing.joinRemote(slice.terms(), numbers) : null,
                            ledger,
                            workers,
                            codeName,
                            log);
            case SHARED ->
                    new InDaemon(
                            visible,
                            books,
                            ledger,
                            options.sharing()
                                    ? sharing.join(slice.terms(), numbers, codeName)
                                    : null,
                            slice.terms().priority(),
                            log);
        };
    }

    private synchronized WorkerCommand command() throws IOException {
        WorkerCommand command = worker;
        if (command == null) {
            command =
                    WorkerCommand.likeThis(
                            mains.daemon(),
                            mains.worker(),
                            mains.workerOptions(),
                            options.log(),
                            options.debug(),
                            options.logFormat(),
                            Confinement.find(folder, mains.workerFiles(), false));
            worker = command;
        }
        return command;
    }

    /** From now on workers are started before they are needed. */
    void keepWarm() {
        workers.keepWarm();
    }

    /** How workers are confined; empty before the first one. */
    synchronized Optional<String> isolation() {
        return Optional.ofNullable(worker).map(WorkerCommand::isolation);
    }

    /** Ends the workers that have no slice. */
    @Override
    public void close() {
        workers.close();
    }

    /** When no worker runs any more. */
    synchronized void endConfinement() {
        if (worker != null) {
            worker.confinement().ifPresent(Confinement::close);
        }
    }
}
