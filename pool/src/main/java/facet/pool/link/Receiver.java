package facet.pool.link;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Who is told what comes over a link. */
public interface Receiver {
    /**
     * A message. One at a time for each lane, in the order in which they were sent; what is not
     * taken yet holds up its lane, and at last the sender. Must not wait for room to {@link
     * Link#send}: two sides that do so wait for each other.
     *
     * @param message little-endian; valid during the call
     * @throws LinkViolation when it makes no sense: the link ends
     */
    void receive(LaneKind lane, ByteBuffer message) throws IOException;

    /** A lane was cut, or is back. Any thread. */
    default void changed(boolean connected) {}

    /** Nothing comes any more. Once, on any thread. */
    void ended(LinkEnd why, String text);
}
