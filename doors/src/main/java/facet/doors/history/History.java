package facet.doors.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The samples of the last hour. */
public final class History {
    /** More slices than this are not remembered; those that are gone make room first. */
    static final int MOST = 512;

    private static final long SECOND = 1_000_000_000L;
    private static final long NEVER = -1;

    private final Source source;
    private final long origin;
    private final int most;
    private final Column[] busy;
    private final Column[] memory;
    private final Map<String, Track> tracks = new LinkedHashMap<>();

    /** Those that were there at the last sample. */
    private final Map<String, Track> present = new LinkedHashMap<>();

    private final long[] ended;
    private long sampledNanos;
    private long first = NEVER;
    private long last = NEVER;
    private volatile long samples;

    /** From the daemon's seconds to those since 1970; the system's clock may be set. */
    private long offset;

    /**
     * @param origin the daemon's second 0, by the clock of the JVM
     */
    public History(Source source, long origin) {
        this(source, origin, MOST);
    }

    History(Source source, long origin, int most) {
        this.source = source;
        this.origin = origin;
        this.most = most;
        busy = columns(source.devices());
        memory = columns(source.devices());
        ended = new long[source.devices()];
        sampledNanos = origin;
    }

    private static Column[] columns(int count) {
        Column[] all = new Column[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Column(0);
        }
        return all;
    }

    // ---- one thread

    /** When the next sample is due, by the clock of the JVM. */
    synchronized long nextNanos(long nanos) {
        return origin + ((nanos - origin) / SECOND + 1) * SECOND;
    }

    /**
     * Takes a sample. Whoever is late finds out nothing about the seconds in between, and the mean
     * of all of them for this one.
     */
    synchronized void sample(long nanos, Instant now) {
        long second = (nanos - origin) / SECOND;
        if (second <= last) {
            return;
        }
        long offsetNow = now.getEpochSecond() - second;
        // A second more or less is how the two clocks round, not that one of them was set.
        if (first == NEVER || Math.abs(offsetNow - offset) > 1) {
            offset = offsetNow;
        }
        first = first == NEVER ? second : first;
        last = second;
        Source.Now all = source.now();
        Map<String, Track> before = new HashMap<>(present);
        present.clear();
        long[] known = new long[busy.length];
        long[] bytes = new long[busy.length];
        int[] shares = new int[busy.length];
        for (Sampled each : all.slices()) {
            Optional<Track> found = track(each, second);
            if (found.isEmpty()) {
                continue;
            }
            Track track = found.get();
            if (before.containsKey(track.name()) && track.isOf(each)) {
                before.remove(track.name());
            } else if (!track.isOf(each)) {
                add(known, track, before.remove(track.name()) != null);
                track.follow(each);
            }
            track.sample(second, now);
            present.put(track.name(), track);
            for (int i = 0; i < track.devices().size(); i++) {
                int device = track.devices().get(i);
                // One of another node is none of those that are drawn here.
                if (device < shares.length) {
                    shares[device] += track.gotOn(i);
                    bytes[device] += track.bytesOn(i);
                }
            }
        }
        before.values().forEach(each -> add(known, each, true));
        long interval = nanos - sampledNanos;
        sampledNanos = nanos;
        for (int i = 0; i < busy.length; i++) {
            // What ended meanwhile has worked too: all that it had, but for what was counted.
            long gone = Math.max(0, all.endedNanos()[i] - ended[i] - known[i]);
            ended[i] = all.endedNanos()[i];
            double share = (double) gone / interval / source.multiprocessors();
            int sum = shares[i] + (int) Math.round(share * Track.HUNDREDTHS);
            busy[i].put(second, Math.min(Track.HUNDREDTHS, sum));
            memory[i].put(second, Track.kibibytes(bytes[i]));
        }
        tracks.values().removeIf(each -> each.last() <= second - Column.SECONDS);
        samples = second;
    }

    private static void add(long[] known, Track track, boolean counts) {
        for (int i = 0; counts && i < track.devices().size(); i++) {
            if (track.devices().get(i) < known.length) {
                known[track.devices().get(i)] += track.nanosOn(i);
            }
        }
    }

    private Optional<Track> track(Sampled slice, long second) {
        Track known = tracks.get(slice.name());
        if (known == null) {
            if (tracks.size() >= most && !makeRoom(second)) {
                return Optional.empty();
            }
            known = new Track(slice, source.multiprocessors(), source.devices() > 1, second);
            tracks.put(slice.name(), known);
        }
        return Optional.of(known);
    }

    /** Forgets the one that is gone for longest. */
    private boolean makeRoom(long second) {
        Track oldest = null;
        for (Track each : tracks.values()) {
            if (each.last() < second - 1 && (oldest == null || each.last() < oldest.last())) {
                oldest = each;
            }
        }
        return oldest != null && tracks.remove(oldest.name()) != null;
    }

    // ---- any thread

    /**
     * A slice in the last sample, in percent.
     *
     * @param gotOn of each of its devices
     */
    public record Latest(Optional<Double> got, Optional<Double> waiting, List<Double> gotOn) {}

    /** By the names of slices; those that came since are missing. */
    public synchronized Map<String, Latest> latest() {
        Map<String, Latest> all = new HashMap<>();
        for (Track each : present.values()) {
            List<Double> gotOn = new ArrayList<>();
            for (int i = 0; i < each.devices().size(); i++) {
                gotOn.add(each.gotOn(i) / 100.0);
            }
            all.put(each.name(), new Latest(percent(each.got()), percent(each.waiting()), gotOn));
        }
        return all;
    }

    /** Percent of a device's time in the last sample. */
    public synchronized Optional<Double> busy(int device) {
        return percent(busy[device]);
    }

    private Optional<Double> percent(Column column) {
        int value = column.at(last);
        return value == Column.NONE ? Optional.empty() : Optional.of(value / 100.0);
    }

    /** Other with each sample: until then every answer is as it was. */
    public long samples() {
        return samples;
    }

    /** As JSON. */
    public synchronized byte[] answer(Query query, Instant now) {
        Points points = Points.of(query, Math.max(0, first), last, offset);
        HistoryJson json = new HistoryJson(points, now);
        json.devices(busy, memory);
        long from = points.second(0);
        json.slices(tracks.values().stream().filter(each -> each.last() >= from).toList());
        return json.bytes();
    }
}
