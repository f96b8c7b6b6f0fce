package facet.host.residency;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One move of a context's memory: keeps the client away, copies, says what went wrong. */
final class Mover {
    private static final long PAUSE_NANOS = 50_000;
    private static final long PIECE = 32L << 20;

    private record Piece(long offset, long bytes) {}

    private final Occupant occupant;
    private final HostStore store;
    private final BooleanSupplier stop;
    private boolean torn;

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

    /**
     * Piece by piece, so that there are never two copies of much. When the machine has no memory
     * for it, what has gone comes back.
     */
    boolean out(Place place) {
        for (Piece each : pieces(place)) {
            try {
                store.save(each.offset, each.bytes, stop);
            } catch (IOException e) {
                occupant.log("its memory stays on the device: " + e.getMessage());
                store.drop(each.offset, each.bytes);
                torn = !in(place);
                return false;
            }
            if (stop.getAsBoolean()) {
                return false;
            }
            store.vacate(each.offset, each.bytes);
        }
        return true;
    }

    /** Whether what went out last is neither all here nor all there: it is to come back. */
    boolean isTorn() {
        return torn;
    }

    /** What came before it failed is there, and does not come again. */
    boolean in(Place place) {
        for (Piece each : pieces(place)) {
            try {
                store.restore(each.offset, each.bytes, stop);
            } catch (IOException e) {
                occupant.log("its memory cannot come back: " + e.getMessage());
                return false;
            }
            if (stop.getAsBoolean()) {
                return false;
            }
            store.drop(each.offset, each.bytes);
        }
        return true;
    }

    /** Whole huge pages, but for the first and the last one. */
    private static List<Piece> pieces(Place place) {
        List<Piece> pieces = new ArrayList<>();
        long end = place.offset + place.bytes;
        for (long at = place.offset; at < end; ) {
            long next = Math.min(end, (at / PIECE + 1) * PIECE);
            pieces.add(new Piece(at, next - at));
            at = next;
        }
        return pieces;
    }
}
