package facet.log;

import org.jspecify.annotations.Nullable;

/**
 * Whom a line is about.
 *
 * @param part of the daemon: facetd, http, control; null when it is about a slice
 * @param session number over the daemon's life; 0: none
 * @param program of the session, as it calls itself
 */
public record Who(@Nullable String part, @Nullable String slice, int session, String program) {
    public static Who part(String name) {
        return new Who(name, null, 0, "");
    }

    public static Who slice(String name) {
        return new Who(null, name, 0, "");
    }

    public static Who session(int id, String program, String slice) {
        return new Who(null, slice, id, program);
    }

    /** For people. */
    public String text() {
        if (part != null) {
            return part;
        }
        return session == 0
                ? "slice " + slice
                : "session " + session + " " + program + ", slice " + slice;
    }
}
