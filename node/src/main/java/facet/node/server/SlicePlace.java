package facet.node.server;

import facet.host.ledger.UnsupportedCounts;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where the sessions of a slice are hosted at the moment. What the slice has used goes on from one
 * place to the next: those who watch it see no step back. Guarded by the lock of the sessions.
 */
final class SlicePlace {
    private final Sessions sessions;

    /** What was used in places before, less what the present one knows of that. By device. */
    private final long[] nanos;

    private HostPlace place;
    private long waited;
    private long faults;
    private String lastFault = "";

    SlicePlace(HostPlace place, Sessions sessions) {
        this.place = place;
        this.sessions = sessions;
        this.nanos = new long[sessions.devices()];
    }

    /** For a session that has its slot: as long as it has, the place stays. */
    HostPlace now() {
        synchronized (sessions) {
            return place;
        }
    }

    /**
     * Sessions that come later are hosted there.
     *
     * @return the place before, which nobody uses any more; empty when there are sessions
     */
    Optional<HostPlace> move(HostPlace next) {
        return sessions.whileThereAreNone(() -> replace(next));
    }

    private HostPlace replace(HostPlace next) {
        HostPlace before = place;
        waited += before.waitNanos().orElse(0);
        faults += before.tally().faults();
        lastFault = lastFault();
        next.tally().unsupported().addAll(before.tally().unsupported());
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] += known(before, i) - known(next, i);
        }
        place = next;
        return before;
    }

    private long known(HostPlace of, int device) {
        OptionalLong charged = of.deviceNanos(device);
        return charged.isPresent() ? charged.getAsLong() : sessions.deviceNanos(device);
    }

    /** Of sessions that have ended too. */
    long deviceNanos(int device) {
        synchronized (sessions) {
            return nanos[device] + known(place, device);
        }
    }

    OptionalLong waitNanos() {
        synchronized (sessions) {
            OptionalLong here = place.waitNanos();
            return here.isPresent() ? OptionalLong.of(waited + here.getAsLong()) : here;
        }
    }

    long faults() {
        synchronized (sessions) {
            return faults + place.tally().faults();
        }
    }

    /** What its programs asked for and did not get. */
    synchronized UnsupportedCounts unsupported() {
        return place.tally().unsupported();
    }

    /** Empty when there was none. */
    String lastFault() {
        synchronized (sessions) {
            String here = place.tally().lastFault();
            return here.isEmpty() ? lastFault : here;
        }
    }
}
