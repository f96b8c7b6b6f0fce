package facet.slices;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which process executes the code of a slice's programs. */
public enum Isolation {
    /** One of the slice's own: what breaks out of its memory is still not in the daemon. */
    PROCESS("process"),
    /** The daemon, beside other slices: for slices whose programs all belong to one user. */
    SHARED("shared");

    private final String text;

    Isolation(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * @throws IllegalArgumentException with a text for people
     */
    public static Isolation parse(String text) {
        String wanted = text.strip();
        for (Isolation each : values()) {
            if (each.text.equals(wanted)) {
                return each;
            }
        }
        throw new IllegalArgumentException("isolation is " + words() + ", not '" + text + "'");
    }

    private static String words() {
        return Arrays.stream(values()).map(Isolation::text).collect(Collectors.joining(" or "));
    }
}
