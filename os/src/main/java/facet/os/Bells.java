package facet.os;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Hears bells that others ring. One thread waits; any may add and remove. */
public final class Bells implements AutoCloseable {
    private final int poll;
    private final Map<Integer, Bell> bells = new HashMap<>();
    private final Bell own;
    private boolean waiting;
    private boolean closed;

    private Bells(int poll) throws IOException {
        this.poll = poll;
        own = add();
    }

    public static Bells open() throws IOException {
        int poll = EpollUnsafe.create();
        if (poll < 0) {
            throw new SystemCallException("cannot wait for bells", -poll);
        }
        try {
            return new Bells(poll);
        } catch (IOException e) {
            DescriptorUnsafe.close(poll);
            throw e;
        }
    }

    /** A new bell, until it is removed. */
    public synchronized Bell add() throws IOException {
        if (closed) {
            throw new IOException("nobody hears bells any more");
        }
        Bell bell = Bell.create();
        try {
            listen(bell);
        } catch (IOException e) {
            bell.close();
            throw e;
        }
        return bell;
    }

    /** Hears a bell that was muted again. */
    public synchronized void listen(Bell bell) throws IOException {
        int descriptor = bell.descriptor();
        int result = closed ? 0 : EpollUnsafe.addChanging(poll, descriptor);
        if (result < 0) {
            throw new SystemCallException("cannot wait for a bell", -result);
        }
        bells.put(descriptor, bell);
    }

    /** Does not hear it for a while; it can be rung all the same. */
    public synchronized void mute(Bell bell) throws IOException {
        int descriptor = bell.descriptor();
        if (bells.remove(descriptor, bell) && !closed) {
            EpollUnsafe.remove(poll, descriptor);
        }
    }

    public synchronized void remove(Bell bell) {
        try {
            mute(bell);
            bell.close();
        } catch (IOException e) {
            // It was removed before: nothing is left to do.
            return;
        }
    }

    /**
     * Waits for the next bell, but no longer than this. Nothing: time is over, or somebody called
     * {@link #wake}.
     */
    public Optional<Bell> await(long nanos) {
        synchronized (this) {
            if (closed) {
                return Optional.empty();
            }
            waiting = true;
        }
        int descriptor = EpollUnsafe.await(poll, Math.max(0, nanos));
        synchronized (this) {
            waiting = false;
            if (closed) {
                DescriptorUnsafe.close(poll);
                return Optional.empty();
            }
            return Optional.ofNullable(bells.get(descriptor)).filter(bell -> bell != own);
        }
    }

    /** Ends the wait. */
    public void wake() {
        own.ring();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        own.ring();
        if (!waiting) {
            DescriptorUnsafe.close(poll);
        }
        bells.values().forEach(Bell::close);
        bells.clear();
    }
}
