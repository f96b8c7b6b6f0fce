package facet.node.worker;

import facet.abi.worker.Begin;
import facet.abi.worker.Ready;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.residency.RemoteRoom;
import facet.host.residency.Residency;
import facet.log.Log;
import facet.log.Who;
import facet.node.sharing.Lease;
import facet.node.sharing.SliceShare;
import facet.sched.Eviction;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives a slice to a worker: the limit of its memory, the ledger, seats and room on devices. All of
 * it is of this slice; a worker that had another one before brings nothing along. One thread at a
 * time.
 */
final class Handover {
    private final List<Device> devices;
    private final List<Residency> residencies;
    private final @Nullable SliceShare share;
    private final LedgerMemory ledger;
    private final Tally tally;
    private final IntSupplier priority;
    private final IdleWorkers idle;
    private final Log log;

    /** Of the worker that has the slice, or is about to. */
    private @Nullable Lease lease;

    /**
     * @param residencies what is on each of the devices
     * @param share what the slice has of the devices' time; null: no sharing
     * @param priority of the slice; takes no lock
     */
    Handover(
            List<Device> devices,
            List<Residency> residencies,
            @Nullable SliceShare share,
            LedgerMemory ledger,
            Tally tally,
            IntSupplier priority,
            IdleWorkers idle,
            Log log) {
        this.devices = devices;
        this.residencies = residencies;
        this.share = share;
        this.ledger = ledger;
        this.tally = tally;
        this.priority = priority;
        this.idle = idle;
        this.log = log;
    }

    /**
     * @param started the worker's end is this one's affair from now on, also when it throws
     * @param patience until it is ready
     * @param died runs when it ends though nobody wanted it to
     */
    RunningWorker begin(StartedWorker started, Slice wanted, Duration patience, Runnable died)
            throws IOException {
        Tenure tenure = new Tenure(started, wanted.name(), log);
        List<RemoteRoom> rooms = new ArrayList<>();
        boolean begun = false;
        try {
            begin(tenure, wanted, patience);
            for (int i = 0; i < devices.size(); i++) {
                Borrower borrower = new Borrower(tenure, i, priority, log);
                RemoteRoom room = residencies.get(i).lend(borrower, 0);
                rooms.add(room);
                room.promised(Math.min(wanted.memory(), devices.get(i).profile().memory()));
            }
            begun = true;
            Lent lent = new Lent(memories(), List.copyOf(rooms), lease, !ids().isEmpty());
            return new RunningWorker(tenure, lent, tally, died, idle, log);
        } finally {
            if (!begun) {
                boolean _ = tenure.end();
                started.discard();
                rooms.forEach(RemoteRoom::close);
                close();
            }
        }
    }

    private void begin(Tenure tenure, Slice wanted, Duration patience) throws IOException {
        StartedWorker started = tenure.worker();
        started.limit(DeviceMemories.sum(wanted.memory(), memories()));
        DeviceProfile profile = devices.getFirst().profile();
        Eviction eviction = residencies.getFirst().eviction();
        started.link()
                .send(
                        new Begin(
                                wanted.name(),
                                wanted.memory(),
                                eviction.leastStay(),
                                eviction.stayPerMove(),
                                eviction.idleAfter(),
                                profile.name(),
                                profile.capability(),
                                memories().stream().mapToLong(each -> each).toArray(),
                                ids(),
                                ids().isEmpty() ? profile.multiprocessors() : 1,
                                wanted.terms().multiprocessors()),
                        lend(tenure));
        started.link().expect(Ready.class, patience);
    }

    /** Of devices that are there by themselves, with commas between; empty: they are made. */
    private String ids() {
        return devices.stream()
                .flatMap(each -> each.id().stream())
                .collect(Collectors.joining(","));
    }

    private List<Long> memories() {
        return devices.stream().map(each -> each.profile().memory()).toList();
    }

    /** What the worker needs to share memory and compute. */
    private int[] lend(Tenure tenure) throws IOException {
        if (share == null) {
            return new int[] {ledger.descriptor()};
        }
        close();
        Lease lent =
                share.lendTo(
                        tenure.worker().jvm(),
                        () ->
                                tenure.kill(
                                        Who.slice(tenure.slice()),
                                        "its worker keeps the device and is killed: a kernel of it"
                                                + " cannot be stopped"));
        lease = lent;
        int[] seats = lent.descriptors();
        return new int[] {ledger.descriptor(), seats[0], seats[1]};
    }

    /** The worker before has ended, or has no session any more. */
    void close() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
