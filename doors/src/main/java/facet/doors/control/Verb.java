package facet.doors.control;

import java.util.Map;
import java.util.Set;

/**
 * Something that can be asked.
 *
 * @param keys those that it takes
 */
record Verb(Set<String> keys, Action action) {
    /** Does it. What is in the answer comes behind {@code ok}. */
    interface Action {
        Map<String, Object> perform(Request request, ControlConnection connection)
                throws ControlException;
    }
}
