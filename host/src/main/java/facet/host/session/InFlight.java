package facet.host.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How much a session has given to the device that has not ended. Beyond a bound its commands are
 * not read on until some have: a client that is quicker than the device waits for room in its ring,
 * and does not fill our memory. This is the one thing for which the session's thread waits: what it
 * would read instead has nowhere to go. Counted by the session's thread, retired by any.
 */
final class InFlight {
    static final int BYTES_PER_UNIT = 256;

    /** Units; one for each command. */
    private static final long ENOUGH = 32 << 10;

    private static final long TOO_MUCH = 1 << 20;
    private static final long PAUSE_NANOS = 50_000;

    private final AtomicLong units = new AtomicLong();

    /** What a command with so much data counts. */
    static int unitsOf(int dataBytes) {
        return 1 + dataBytes / BYTES_PER_UNIT;
    }

    void issue(int count) {
        units.addAndGet(count);
    }

    void retire(int count) {
        units.addAndGet(-count);
    }

    boolean isEnough() {
        return units.get() > ENOUGH;
    }

    /**
     * Waits until there is less.
     *
     * @param mustGoOn whether commands that are not read yet may be what the device waits for
     */
    void await(BooleanSupplier mustGoOn) {
        while (units.get() > ENOUGH / 2) {
            if (mustGoOn.getAsBoolean()) {
                if (units.get() > TOO_MUCH) {
                    throw new ProtocolViolation(
                            "more than " + TOO_MUCH + " commands wait for a host function");
                }
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }
}
