package facet.node.residency;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One move of a context's memory: keeps the client away, copies, says what went wrong. */
final class Mover {
    private static final long PAUSE_NANOS = 50_000;

    private final Occupant occupant;
    private final HostStore store;
    private final BooleanSupplier stop;

    Mover(Occupant occupant, HostStore store, BooleanSupplier stop) {
        this.occupant = occupant;
        this.store = store;
        this.stop = stop;
    }

    /** Tells the client to stay away, and waits until it says that it does. */
    boolean keepClientAway(long patienceNanos) {
        occupant.moved(true);
        long end = System.nanoTime() + patienceNanos;
        while (occupant.isTouched()) {
            if (System.nanoTime() - end > 0 || stop.getAsBoolean()) {
                return false;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        return true;
    }

    boolean out(Place place) {
        try {
            store.save(place.offset, place.bytes, stop);
        } catch (IOException e) {
            occupant.log("its memory stays on the device: " + e.getMessage());
            store.drop(place.offset, place.bytes);
            return false;
        }
        if (stop.getAsBoolean()) {
            return false;
        }
        store.vacate(place.offset, place.bytes);
        return true;
    }

    boolean in(Place place) {
        try {
            store.restore(place.offset, place.bytes, stop);
        } catch (IOException e) {
            occupant.log("its memory cannot come back: " + e.getMessage());
            return false;
        }
        if (stop.getAsBoolean()) {
            return false;
        }
        store.drop(place.offset, place.bytes);
        return true;
    }
}
