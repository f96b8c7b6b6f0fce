package facet.doors.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Devices of two multiprocessors, and slices that do what a test says. */
final class FakeSource implements Source {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    final List<FakeSlice> slices = new ArrayList<>();
    final long[] ended;

    /** By the clock of the JVM. */
    long nanos;

    /** What the system's clock says at second 0. */
    long epoch = 1_700_000_000L;

    FakeSource(int devices) {
        ended = new long[devices];
    }

    final class FakeSlice implements Sampled {
        final String name;
        final long opened = nanos;
        final long[] deviceNanos;
        final long[] memory;
        final List<Integer> devices;
        OptionalLong waited = OptionalLong.of(0);
        int promised;

        /** Of when the figures are; 0: of now. */
        long measured;

        FakeSlice(String name, List<Integer> devices) {
            this.name = name;
            this.devices = devices;
            deviceNanos = new long[devices.size()];
            memory = new long[devices.size()];
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<Integer> devices() {
            return devices;
        }

        @Override
        public long openedNanos() {
            return opened;
        }

        @Override
        public long measuredNanos() {
            return measured == 0 ? nanos : measured;
        }

        @Override
        public long deviceNanos(int device) {
            return deviceNanos[device];
        }

        @Override
        public OptionalLong waitNanos() {
            return waited;
        }

        @Override
        public long memoryUsed(int device) {
            return memory[device];
        }

        @Override
        public int promised(Instant now) {
            return promised;
        }
    }

    FakeSlice open(String name, int devices) {
        return openOn(name, IntStream.range(0, devices).boxed().toList());
    }

    FakeSlice openOn(String name, List<Integer> devices) {
        FakeSlice slice = new FakeSlice(name, devices);
        slices.add(slice);
        return slice;
    }

    void end(FakeSlice slice) {
        slices.remove(slice);
        for (int i = 0; i < slice.devices.size(); i++) {
            ended[slice.devices.get(i)] += slice.deviceNanos[i];
        }
    }

    Instant wall() {
        return Instant.ofEpochSecond(epoch, nanos);
    }

    @Override
    public int devices() {
        return ended.length;
    }

    @Override
    public int multiprocessors() {
        return 2;
    }

    @Override
    public Now now() {
        return new Now(List.copyOf(slices), ended.clone());
    }
}
