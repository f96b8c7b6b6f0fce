package facet.ring;

import facet.os.FutexUnsafe;
import java.lang.foreign.MemorySegment;

/** How a thread sleeps on a word of memory. */
interface Parking {
    /** Sleeps while the word is {@code expected}; may return early, does after the time. */
    void await(MemorySegment memory, long offset, int expected, long timeoutNanos);

    /** Wakes whoever sleeps on the word. */
    void wake(MemorySegment memory, long offset);

    Parking FUTEX =
            new Parking() {
                @Override
                public void await(
                        MemorySegment memory, long offset, int expected, long timeoutNanos) {
                    FutexUnsafe.await(memory, offset, expected, timeoutNanos);
                }

                @Override
                public void wake(MemorySegment memory, long offset) {
                    FutexUnsafe.wake(memory, offset, Integer.MAX_VALUE);
                }
            };
}
