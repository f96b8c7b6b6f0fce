package facet.os;

import java.nio.channels.ClosedChannelException;

/**
 * Rings in another process, or in this one. Ringing never waits; a bell nobody hears is no error.
 */
public final class Bell implements AutoCloseable {
    private final DescriptorOwner owner;

    private Bell(int descriptor) {
        owner = new DescriptorOwner(descriptor);
    }

    /** A new one; {@link Bells} hear it. */
    static Bell create() throws SystemCallException {
        int descriptor = EventUnsafe.create(0);
        if (descriptor < 0) {
            throw new SystemCallException("cannot make a bell", -descriptor);
        }
        return new Bell(descriptor);
    }

    /** One that another process hears; the descriptor is taken over. */
    public static Bell attach(int descriptor) {
        return new Bell(descriptor);
    }

    public void ring() {
        try {
            EventUnsafe.write(owner.acquire());
        } catch (ClosedChannelException e) {
            return; // whoever would hear it has ended
        }
        owner.release();
    }

    /** To be sent to others; it stays ours. */
    public int descriptor() throws ClosedChannelException {
        int descriptor = owner.acquire();
        owner.release();
        return descriptor;
    }

    @Override
    public void close() {
        owner.close();
    }
}
