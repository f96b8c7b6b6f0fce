package facet.node.worker;

import facet.abi.worker.Begin;
import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.host.lease.LeasedSeats;
import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The devices that a worker makes for its slice, and the seats that it is lent on them. */
final class WorkerDevices {
    private final List<Device> all = new ArrayList<>();
    private final @Nullable SharedMemoryUnsafe pages;
    private final @Nullable Bell bell;

    private WorkerDevices(@Nullable SharedMemoryUnsafe pages, @Nullable Bell bell) {
        this.pages = pages;
        this.bell = bell;
    }

    /**
     * @param descriptors where compute is shared the pages of seats and the bell, behind the ledger
     */
    static WorkerDevices open(DeviceFactory kind, Begin begin, int[] descriptors)
            throws IOException {
        boolean shares = descriptors.length > 1;
        SharedMemoryUnsafe pages = shares ? SharedMemoryUnsafe.attach(descriptors[1]) : null;
        Bell bell = shares ? Bell.attach(descriptors[2]) : null;
        WorkerDevices made = new WorkerDevices(pages, bell);
        int seats = begin.seats();
        if (!begin.deviceIds().isEmpty()) {
            made.all.addAll(there(kind, begin, pages, bell));
            return made;
        }
        for (int i = 0; i < begin.deviceMemory().length; i++) {
            DeviceProfile profile =
                    kind.profile(
                                    begin.capability(),
                                    begin.deviceName(),
                                    begin.deviceMemory()[i],
                                    seats)
                            .confinedTo(begin.multiprocessors());
            if (pages == null || bell == null) {
                made.all.add(kind.create(profile, seats));
            } else {
                SeatPage page = SeatPage.of(pages.segment(), i, seats);
                made.all.add(kind.create(profile, seats, new LeasedSeats(page, bell)));
            }
        }
        return made;
    }

    private static List<Device> there(
            DeviceFactory kind,
            Begin begin,
            @Nullable SharedMemoryUnsafe pages,
            @Nullable Bell bell) {
        List<String> ids = List.of(begin.deviceIds().split(",", -1));
        List<Arbiter> arbiters = new ArrayList<>();
        if (pages != null && bell != null) {
            for (int i = 0; i < ids.size(); i++) {
                SeatPage page = SeatPage.of(pages.segment(), i, begin.seats());
                arbiters.add(new LeasedSeats(page, bell));
            }
        }
        return kind.open(ids, begin.multiprocessors(), arbiters);
    }

    List<Device> all() {
        return List.copyOf(all);
    }

    /** Its threads end soon. */
    void close() {
        all.forEach(Device::close);
    }

    /** Once its threads have ended: they sleep on the pages. */
    void unmap() {
        if (pages != null && bell != null) {
            pages.close();
            bell.close();
        }
    }
}
