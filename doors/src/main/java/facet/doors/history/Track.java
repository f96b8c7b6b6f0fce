package facet.doors.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What is remembered of a slice. Percent are kept in hundredths, bytes in KiB. */
final class Track {
    static final int HUNDREDTHS = 10_000;

    private final String name;
    private final int multiprocessors;
    private final Column got;
    private final Column wanted;
    private final Column waiting;
    private final Column memory;

    /** What it got of each device on which it was, where the node has several. */
    private final Map<Integer, Column> gotByDevice = new TreeMap<>();

    private final boolean severalDevices;
    private Sampled slice;
    private long measured;
    private long[] nanos;
    private long waited;
    private int[] gotOn;
    private long[] bytesOn;

    /**
     * @param severalDevices whether the node has more than one
     * @param second the first of which there is a sample
     */
    Track(Sampled slice, int multiprocessors, boolean severalDevices, long second) {
        this.name = slice.name();
        this.severalDevices = severalDevices;
        this.multiprocessors = multiprocessors;
        this.slice = slice;
        got = new Column(second);
        wanted = new Column(second);
        waiting = new Column(second);
        memory = new Column(second);
        measured = slice.openedNanos();
        nanos = new long[slice.devices().size()];
        gotOn = new int[slice.devices().size()];
        bytesOn = new long[slice.devices().size()];
    }

    String name() {
        return name;
    }

    @SuppressWarnings("ReferenceEquality") // another one may have the same name
    boolean isOf(Sampled other) {
        return slice == other;
    }

    /** The slice has ended and another one has its name now, whose counters begin at 0. */
    void follow(Sampled other) {
        slice = other;
        measured = other.openedNanos();
        nanos = new long[other.devices().size()];
        gotOn = new int[other.devices().size()];
        bytesOn = new long[other.devices().size()];
        waited = 0;
    }

    void sample(long second, Instant now) {
        long then = slice.measuredNanos();
        long interval = then - measured;
        // Nobody has asked its worker since: nothing is known of this second.
        if (interval > 0) {
            long all = 0;
            for (int i = 0; i < nanos.length; i++) {
                long used = Math.max(nanos[i], slice.deviceNanos(i));
                all += used - nanos[i];
                gotOn[i] = share(used - nanos[i], interval * multiprocessors);
                nanos[i] = used;
            }
            keepByDevice(second);
            got.put(second, share(all, interval * multiprocessors * nanos.length));
            OptionalLong told = slice.waitNanos();
            if (told.isPresent()) {
                long waits = Math.max(waited, told.getAsLong());
                waiting.put(second, share(waits - waited, interval * nanos.length));
                waited = waits;
            }
            measured = then;
        }
        wanted.put(second, slice.promised(now) * 100);
        long bytes = 0;
        for (int i = 0; i < nanos.length; i++) {
            bytesOn[i] = slice.memoryUsed(i);
            bytes += bytesOn[i];
        }
        memory.put(second, kibibytes(bytes));
    }

    private void keepByDevice(long second) {
        for (int i = 0; severalDevices && i < gotOn.length; i++) {
            gotByDevice
                    .computeIfAbsent(slice.devices().get(i), _ -> new Column(second))
                    .put(second, gotOn[i]);
        }
        gotByDevice.values().removeIf(each -> each.last() <= second - Column.SECONDS);
    }

    private static int share(long part, long whole) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round((double) part / whole * HUNDREDTHS));
    }

    static int kibibytes(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes >> 10);
    }

    /** Device time that is counted in the samples. */
    long nanosOn(int index) {
        return nanos[index];
    }

    /** Percent of one of its devices in the last sample, in hundredths. */
    int gotOn(int index) {
        return gotOn[index];
    }

    /** Numbers of its devices. */
    List<Integer> devices() {
        return slice.devices();
    }

    /** Bytes of one of its devices in the last sample. */
    long bytesOn(int index) {
        return bytesOn[index];
    }

    /** The last second of which there is something. */
    long last() {
        return wanted.last();
    }

    Column got() {
        return got;
    }

    /** By the numbers of devices; empty where the node has one. */
    Map<Integer, Column> gotByDevice() {
        return gotByDevice;
    }

    Column wanted() {
        return wanted;
    }

    Column waiting() {
        return waiting;
    }

    Column memory() {
        return memory;
    }
}
