package facet.pool.content;

import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a slice of this node has sent to one other node. Its name and its key are secrets of this
 * daemon, so nobody else can name what it has sent: neither another slice of this node nor another
 * member of the pool. It is a guess what the other node still has; who is wrong is told so.
 */
public final class ContentScope {
    /** Pieces that are remembered: as many as the other node keeps of one slice at most. */
    private static final int MOST = (int) (ContentStore.USUAL_BYTES / ContentStore.PIECE);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final long high = RANDOM.nextLong();
    private final long low = RANDOM.nextLong();
    private final Fingerprint fingerprint = new Fingerprint(RANDOM);
    private final LinkedHashMap<Tag, Boolean> sent =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Tag, Boolean> eldest) {
                    return size() > MOST;
                }
            };

    /** The name under which the other node keeps it: 128 random bits. */
    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public synchronized Tag tag(byte[] data, int offset, int length) {
        return fingerprint.of(data, offset, length);
    }

    /** Whether the other node should have it; from now on it should. */
    public synchronized boolean sent(Tag tag) {
        return sent.put(tag, true) != null;
    }
}
