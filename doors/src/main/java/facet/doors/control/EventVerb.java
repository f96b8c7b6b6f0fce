package facet.doors.control;

import facet.doors.events.Events;
import java.util.Map;
import java.util.Set;

/** {@code events since=N limit=N wait=MILLIS}: what happened after event N. */
final class EventVerb {
    private static final Set<String> KEYS = Set.of("since", "limit", "wait");
    private static final long LONGEST_WAIT = 60_000;

    private EventVerb() {}

    static Verb verb() {
        return new Verb(KEYS, EventVerb::perform);
    }

    private static Map<String, Object> perform(Request request, ControlConnection connection)
            throws ControlException {
        Events events = connection.operations().events();
        long since = number(request, "since", 0, Long.MAX_VALUE);
        int limit = (int) number(request, "limit", Events.USUAL_LIMIT, Events.MOST);
        long wait = number(request, "wait", 0, LONGEST_WAIT);
        try {
            events.await(since, wait);
            return events.answer(since, limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlException("the daemon is shutting down", e);
        }
    }

    private static long number(Request request, String key, long usual, long most)
            throws ControlException {
        if (request.value(key).isEmpty()) {
            return usual;
        }
        long number = request.number(key);
        if (number < 0 || number > most) {
            throw new ControlException(key + " is 0 to " + most + ", not " + number);
        }
        return number;
    }
}
