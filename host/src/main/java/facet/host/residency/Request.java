package facet.host.residency;

import java.util.ArrayList;
import java.util.List;

/** Somebody who wants room. Its fields are the serving thread's, but for the book's own two. */
final class Request {
    final Claimant claimant;

    /** With the book's monitor. */
    boolean over;

    /** Who is told how it went. With the book's monitor. */
    private final List<Later> listeners = new ArrayList<>();

    /** Others have left for it, or were told to: those behind it do not take that room. */
    boolean collecting;

    boolean hopeless;
    long hopelessSince;

    Request(Claimant claimant) {
        this.claimant = claimant;
    }

    /** With the book's monitor; not when it is over. */
    void listen(Later listener) {
        listeners.add(listener);
    }

    /** It is over: these are to be told, without the monitor. With the book's monitor. */
    List<Later> end() {
        over = true;
        return List.copyOf(listeners);
    }
}
