package facet.node.sharing;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.Memory;
import facet.sched.Terms;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a slice has of the devices that it sees, by its terms. */
public final class SliceShare implements AutoCloseable {
    private final Sharing sharing;
    private final List<Part> parts = new ArrayList<>();
    private volatile Terms terms;

    /** Its share of one device. */
    private record Part(DeviceSharing sharing, DeviceSharing.Member member) {
        long used() {
            return sharing.used(member);
        }
    }

    /** What its programs have that have a driver in them; the same where that is one device. */
    private final List<Part> programs = new ArrayList<>();

    SliceShare(
            Sharing sharing,
            Terms terms,
            List<DeviceSharing> devices,
            List<DeviceSharing> times,
            boolean remote,
            Optional<String> codeName) {
        this.sharing = sharing;
        this.terms = terms;
        for (int i = 0; i < devices.size(); i++) {
            DeviceSharing device = devices.get(i);
            DeviceSharing time = times.get(i);
            Part part = new Part(device, device.join(terms.at(Instant.now()), remote, codeName));
            parts.add(part);
            programs.add(
                    time == device
                            ? part
                            : new Part(
                                    time,
                                    time.join(terms.at(Instant.now()), true, Optional.empty())));
        }
    }

    /**
     * Its work is in this process from now on, which is lent seats. The process before, if there
     * was one, has ended and its lease is closed.
     *
     * @param replace what to do when the process keeps seats that it was to give back; any thread
     */
    public Lease lendTo(int process, Runnable replace) throws IOException {
        return new Lease(
                sharing.broker(),
                parts.stream().map(Part::sharing).toList(),
                parts.stream().map(Part::member).toList(),
                process,
                replace);
    }

    /** One of its programs has the vendor's driver in it, and is lent the time of the devices. */
    public ProgramLease lendToProgram() throws IOException {
        return new ProgramLease(
                sharing.broker(),
                programs.stream().map(Part::sharing).toList(),
                programs.stream().map(Part::member).toList());
    }

    /** All that it has a share of, each once. */
    private List<Part> all() {
        return Stream.concat(parts.stream(), programs.stream()).distinct().toList();
    }

    public Terms terms() {
        return terms;
    }

    /** Holds at once, also for what runs. */
    public void change(Terms wanted) {
        terms = wanted;
        refresh(Instant.now());
        sharing.calendarsChanged();
    }

    /** The calendar may say something else now. */
    void refresh(Instant now) {
        for (Part each : all()) {
            each.sharing().change(each.member(), terms.at(now));
        }
    }

    /** The devices that it sees, whose contexts belong to this share. */
    public List<Device> on(List<Device> devices) {
        List<Device> shared = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            shared.add(new Shared(devices.get(i), parts.get(i)));
        }
        return shared;
    }

    /** Device time that it had, in nanoseconds. */
    public long deviceNanos() {
        long sum = 0;
        for (int i = 0; i < parts.size(); i++) {
            sum += deviceNanos(i);
        }
        return sum;
    }

    /**
     * @param device one of those that it sees
     */
    public long deviceNanos(int device) {
        Part part = parts.get(device);
        Part program = programs.get(device);
        return part.used() + (part.equals(program) ? 0 : program.used());
    }

    /** Seats that it has a right to now, on all its devices. */
    public double seats() {
        double sum = 0;
        for (Part each : parts) {
            sum += each.sharing().part(each.member());
        }
        return sum;
    }

    /** Time for which it had work and ran nothing. */
    public long waitNanos() {
        long sum = 0;
        for (Part each : all()) {
            sum += each.sharing().waited(each.member());
        }
        return sum;
    }

    /** Once nothing of it runs any more. */
    @Override
    public void close() {
        sharing.left(this);
        all().forEach(each -> each.sharing().leave(each.member()));
    }

    /** The device as the slice sees it. */
    private final class Shared implements Device {
        private final Device device;
        private final Part part;

        Shared(Device device, Part part) {
            this.device = device;
            this.part = part;
        }

        @Override
        public DeviceProfile profile() {
            return device.profile().confinedTo(terms.multiprocessors());
        }

        @Override
        public int[] attributes(DeviceProfile seen, int ordinal, int count) {
            return device.attributes(seen, ordinal, count);
        }

        @Override
        public boolean sharesMemory() {
            return device.sharesMemory();
        }

        @Override
        public Memory createMemory(String name, long bytes) {
            return device.createMemory(name, bytes);
        }

        @Override
        public Context createContext(ContextOptions options) {
            return device.createContext(options.withShare(part.member()));
        }

        @Override
        public void bill(long nanos) {
            part.sharing().bill(part.member(), nanos);
        }

        /** The device is not the slice's to close. */
        @Override
        public void close() {}
    }
}
