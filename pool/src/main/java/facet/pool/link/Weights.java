package facet.pool.link;

import java.util.ArrayDeque;

/**
 * What messages under way stand for, where that is more than their bytes: a few bytes may be
 * thousands of commands, and whoever sends them must wait for the other side as if they were long.
 * Not thread-safe.
 */
final class Weights {
    private final long most;
    private final ArrayDeque<Heavy> heavy = new ArrayDeque<>();
    private long sum;

    private record Heavy(long end, long weight) {}

    Weights(long most) {
        this.most = most;
    }

    /** One message may always go, however heavy. */
    boolean hasRoom(long weight) {
        return sum == 0 || weight <= most - sum;
    }

    /**
     * @param end where the message ends in the stream
     */
    void add(long end, long weight) {
        if (weight > 0) {
            heavy.add(new Heavy(end, weight));
            sum += weight;
        }
    }

    /** The other side has all before a position. */
    void release(long position) {
        for (Heavy first = heavy.peek();
                first != null && first.end <= position;
                first = heavy.peek()) {
            heavy.remove();
            sum -= first.weight;
        }
    }
}
