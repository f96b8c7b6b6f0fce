package facet.node;

import java.util.Optional;

/**
 * Who finds the compiled code of others. Who does can tell by the time of a load what they have
 * loaded. With a process of its own a slice has its code there; then whoever finds it gets the
 * process when the slice has gone, and must trust whoever had it. It is the administrator's to say
 * who does.
 */
enum CodeSharing {
    /** Nobody: the code of a slice goes with it. */
    SLICE,
    /** Programs that one user started by {@code facet run}, each with a slice of its own. */
    USER,
    /** Every slice of this daemon. */
    ALL;

    static final String WORDS = "slice, user or all";

    static Optional<CodeSharing> of(String word) {
        for (CodeSharing each : values()) {
            if (each.name().toLowerCase(java.util.Locale.ROOT).equals(word)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /**
     * Under which name the code of a slice is kept; empty: it is its own.
     *
     * @param user who has asked for a slice that goes with its program, as the kernel says
     */
    Optional<String> name(Optional<String> user) {
        return switch (this) {
            case SLICE -> Optional.empty();
            case USER -> user.map(each -> "user " + each);
            case ALL -> Optional.of("all");
        };
    }
}
