package facet.device.cpu;

import java.util.ArrayDeque;
import java.util.TreeSet;

/**
 * What the blocks of a launch have asked for while they ran, until all blocks that ran at that time
 * have ended or make room. On a GPU the lanes of a warp store together, and programs count on it
 * that what the others have stored is there when one of them launches a kernel that reads it; here
 * that one may be ahead of them. Nobody may count on it that a launch begins any sooner.
 *
 * <p>Its lock is taken before those of streams.
 */
final class HeldLaunches {
    private record Held(long since, Runnable action) {}

    private final ArrayDeque<Held> held = new ArrayDeque<>();

    /** When the blocks that run now have begun. */
    private final TreeSet<Long> running = new TreeSet<>();

    private long now;

    /** A block begins or goes on; {@link #pause} is told what it returns. */
    synchronized long run() {
        now++;
        running.add(now);
        return now;
    }

    /** It has ended, or makes room. What was held for it goes on, in the order in which it came. */
    synchronized void pause(long since) {
        running.remove(since);
        long first = running.isEmpty() ? Long.MAX_VALUE : running.first();
        for (Held each = held.peek(); each != null && each.since < first; each = held.peek()) {
            held.remove().action.run();
        }
    }

    synchronized void hold(Runnable action) {
        now++;
        held.add(new Held(now, action));
    }
}
