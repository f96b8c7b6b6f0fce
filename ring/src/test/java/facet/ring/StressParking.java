package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A futex as the kernel promises it: comparing and falling asleep are one step, and a wake that
 * comes before it wakes nobody. Who falls asleep leaves its thread instead, and is looked at when
 * all is over.
 */
final class StressParking implements Parking {
    static final String AWAKE = "did not sleep";
    static final String WOKEN = "slept and was woken";
    static final String LOST = "sleeps for ever";

    private static final VarHandle WORD = JAVA_INT.varHandle();

    /** Leaves the thread of who falls asleep. */
    @SuppressWarnings("serial")
    static final class Asleep extends RuntimeException {
        private Asleep() {
            super("asleep", null, false, false);
        }
    }

    private boolean asleep;
    private boolean woken;

    @Override
    public synchronized void await(
            MemorySegment memory, long offset, int expected, long timeoutNanos) {
        if ((int) WORD.getVolatile(memory, offset) == expected) {
            asleep = true;
            throw new Asleep();
        }
    }

    @Override
    public synchronized void wake(MemorySegment memory, long offset) {
        woken |= asleep;
    }

    synchronized String outcome() {
        return asleep ? (woken ? WOKEN : LOST) : AWAKE;
    }
}
