package facet.host.stress;

import java.util.List;

/**
 * How much each thread of the client does; the order is that of its arguments.
 *
 * @param ringBytes of the rings of commands and of callbacks
 */
record Load(
        int ringBytes,
        long seed,
        int threads,
        int posts,
        int calls,
        int touches,
        int callbacks,
        int mixed) {
    /** Threads that call at the same time: more than there are slots. Its number is main's, too. */
    static final int CROWD = 72;

    static final int CONTEXTS = 2;
    static final int CELL_BYTES = 4096;
    static final int THREAD_BYTES = 16 * CELL_BYTES;

    enum Phase {
        FLOOD(0),
        CALLS(1),
        CROWD(2),
        ALONE(3),
        TOUCHES(4),
        CALLBACKS(5),
        MIXED(6),
        END(7);

        private final int number;

        /**
         * @param number that the C program gives it
         */
        Phase(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Phase of(int number) {
            for (Phase each : values()) {
                if (each.number == number) {
                    return each;
                }
            }
            throw new AssertionError("no phase " + number);
        }

        boolean moves() {
            return this == TOUCHES || this == MIXED;
        }
    }

    List<String> arguments() {
        return List.of(
                Long.toUnsignedString(seed),
                "" + threads,
                "" + posts,
                "" + calls,
                "" + touches,
                "" + callbacks,
                "" + mixed);
    }
}
