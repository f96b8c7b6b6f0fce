package facet.os;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes a descriptor when nobody uses it any more. A number that is closed while a thread is about
 * to read from it may belong to another file a moment later.
 */
final class DescriptorOwner {
    private static final int CLOSED = 1 << 30;

    private final int descriptor;

    /** Threads that use it, plus {@link #CLOSED}. */
    private final AtomicInteger users = new AtomicInteger();

    DescriptorOwner(int descriptor) {
        this.descriptor = descriptor;
    }

    /** The descriptor, open until {@link #release}. */
    int acquire() throws ClosedChannelException {
        int seen;
        do {
            seen = users.get();
            if ((seen & CLOSED) != 0) {
                throw new ClosedChannelException();
            }
        } while (!users.compareAndSet(seen, seen + 1));
        return descriptor;
    }

    void release() {
        if (users.decrementAndGet() == CLOSED) {
            DescriptorUnsafe.close(descriptor);
        }
    }

    /** Nobody can acquire it from now on. False when that was so already. */
    boolean close() {
        int seen;
        do {
            seen = users.get();
            if ((seen & CLOSED) != 0) {
                return false;
            }
        } while (!users.compareAndSet(seen, seen | CLOSED));
        if (seen == 0) {
            DescriptorUnsafe.close(descriptor);
        }
        return true;
    }

    boolean isClosed() {
        return (users.get() & CLOSED) != 0;
    }
}
