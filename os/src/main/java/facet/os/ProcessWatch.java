package facet.os;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells when processes end, also those that are nobody's children here. One thread waits for all of
 * them; it runs what was to be done at their end, so that should be short.
 */
public final class ProcessWatch implements AutoCloseable {
    private final int poll;
    private final Map<Integer, Watched> watched = new HashMap<>();
    private int last = -1;
    private boolean closed;

    /** A process that is waited for, until it has ended or is closed. */
    public final class Watched implements AutoCloseable {
        private final int descriptor;
        private final Runnable atEnd;

        private Watched(int descriptor, Runnable atEnd) {
            this.descriptor = descriptor;
            this.atEnd = atEnd;
        }

        /** Whether the process has ended, zombies included. */
        public boolean hasEnded() {
            synchronized (ProcessWatch.this) {
                return watched.get(descriptor) != this || SocketUnsafe.poll(descriptor, 0) > 0;
            }
        }

        /** It is not waited for any more. What is to be done at its end may be under way. */
        @Override
        public void close() {
            forget(this);
        }
    }

    private ProcessWatch(int poll) {
        this.poll = poll;
    }

    public static ProcessWatch open() throws IOException {
        int poll = EpollUnsafe.create();
        if (poll < 0) {
            throw new SystemCallException("cannot wait for processes", -poll);
        }
        ProcessWatch watch = new ProcessWatch(poll);
        Thread.ofPlatform().name("facet-processes").daemon().start(watch::waitForAll);
        return watch;
    }

    /**
     * @param atEnd done once, when the process has ended; at once when it is a zombie already
     * @throws IOException there is no such process
     */
    public synchronized Watched watch(int process, Runnable atEnd) throws IOException {
        if (closed) {
            throw new IOException("processes are not watched any more");
        }
        int descriptor = PidfdUnsafe.open(process);
        if (descriptor < 0) {
            throw new SystemCallException("cannot watch process " + process, -descriptor);
        }
        Watched one = new Watched(descriptor, atEnd);
        watched.put(descriptor, one);
        int result = EpollUnsafe.add(poll, descriptor);
        if (result < 0) {
            watched.remove(descriptor);
            DescriptorUnsafe.close(descriptor);
            throw new SystemCallException("cannot watch process " + process, -result);
        }
        return one;
    }

    private void waitForAll() {
        while (true) {
            int descriptor = EpollUnsafe.await(poll);
            Watched ended;
            synchronized (this) {
                if (closed) {
                    DescriptorUnsafe.close(last);
                    DescriptorUnsafe.close(poll);
                    return;
                }
                ended = watched.get(descriptor);
            }
            // One that was closed meanwhile may have left its number to another that lives.
            if (ended != null && ended.hasEnded() && forget(ended)) {
                ended.atEnd.run();
            }
        }
    }

    private synchronized boolean forget(@Nullable Watched one) {
        if (one == null || !watched.remove(one.descriptor, one)) {
            return false;
        }
        EpollUnsafe.remove(poll, one.descriptor);
        DescriptorUnsafe.close(one.descriptor);
        return true;
    }

    /** Nothing is told any more. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        java.util.List.copyOf(watched.values()).forEach(this::forget);
        last = EventUnsafe.create(1);
        if (last >= 0) {
            EpollUnsafe.add(poll, last);
        }
        closed = true;
    }
}
