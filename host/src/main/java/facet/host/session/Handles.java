package facet.host.session;

import facet.host.ledger.Tally;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects of one kind that a client has made in a context, by the numbers that it chose. */
final class Handles<T> {
    /** Our own libraries use numbers below; only of those it is known which were used before. */
    private static final int REMEMBERED = 1 << 18;

    private final String kind;
    private final int most;
    private final Tally tally;
    private final Map<Integer, T> all = new ConcurrentHashMap<>();
    private final BitSet gone = new BitSet();

    /**
     * @param kind what an error calls one of them
     */
    Handles(String kind, int most, Tally tally) {
        this.kind = kind;
        this.most = most;
        this.tally = tally;
    }

    T get(int number) {
        T found = all.get(number);
        if (found == null) {
            String text = kind + " " + Integer.toUnsignedString(number);
            if (number >= 0 && gone.get(number)) {
                throw new HandleGone(text + " is destroyed");
            }
            throw new ProtocolViolation("there is no " + text);
        }
        return found;
    }

    /** Ends the session unless one more can be made with this number. */
    void checkFree(int number) {
        if (all.containsKey(number)) {
            throw new ProtocolViolation(
                    kind + " " + Integer.toUnsignedString(number) + " is made twice");
        }
        if (all.size() == most) {
            throw new ProtocolViolation("more than " + most + " of " + kind);
        }
        if (tally.objects() >= tally.mostObjects()) {
            throw new ProtocolViolation(
                    "its slice has more than "
                            + tally.mostObjects()
                            + " streams, events, modules and allocations");
        }
    }

    void put(int number, T made) {
        checkFree(number);
        all.put(number, made);
        tally.addObject();
    }

    /** Its number is free from now on; {@link #ended} follows when it is given up. */
    T remove(int number) {
        T found = get(number);
        all.remove(number);
        if (number >= 0 && number < REMEMBERED) {
            gone.set(number);
        }
        return found;
    }

    /** Nothing comes of one that was put: as if it had never been. Any thread. */
    void forget(int number, T made) {
        if (all.remove(number, made)) {
            ended();
        }
    }

    /** Any thread may look at them. */
    Collection<T> values() {
        return all.values();
    }

    /** One that was removed is given up. Any thread. */
    void ended() {
        tally.removeObjects(1);
    }

    /** The context ends, and with it those that are left. */
    void endAll() {
        tally.removeObjects(all.size());
        all.clear();
    }
}
