package facet.os;

import java.time.Duration;

/** Waiting for a socket with a time limit. */
final class Readiness {
    private Readiness() {}

    static boolean await(int descriptor, Duration timeout) throws SystemCallException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = Math.max(0, end - System.nanoTime());
            // Rounded up, so that a rest below a millisecond does not spin.
            long milliseconds = Math.min(Integer.MAX_VALUE, (left + 999_999) / 1_000_000);
            int result = SocketUnsafe.poll(descriptor, (int) milliseconds);
            if (result > 0) {
                return true;
            }
            if (result < 0 && result != -ErrnoUnsafe.EINTR) {
                throw new SystemCallException("cannot wait for a socket", -result);
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
        }
    }
}
