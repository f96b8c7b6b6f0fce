package facet.bench.escape;

import java.util.List;

/**
 * One way past the limits, as the program {@code escape} lists it.
 *
 * @param calls supported calls that it tries
 */
public record Way(String name, Kind kind, List<String> calls) {
    /** What a way is after; see escape.h. */
    public enum Kind {
        MEMORY,
        HOST,
        REFUSED,
        UNSUPPORTED,
        HOSTILE,
        TRESPASS,
        DAEMON,
        INHERITED,
        COMPUTE,
        ENDLESS,
        COMPILE,
        ACROSS
    }

    /** Whether what it gets is memory, and measured as such. */
    public boolean takesMemory() {
        return switch (kind) {
            case MEMORY, HOST, REFUSED, UNSUPPORTED, HOSTILE, TRESPASS, DAEMON, INHERITED -> true;
            case COMPUTE, ENDLESS, COMPILE, ACROSS -> false;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
