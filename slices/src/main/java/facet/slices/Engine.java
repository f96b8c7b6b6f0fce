package facet.slices;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Where the work of a slice's programs is done. */
public enum Engine {
    /** As it suits the devices and the slice. */
    AUTO("auto"),
    /** By the vendor's driver in the program itself; ours stands before it. Cooperative. */
    DIRECT("direct"),
    /** By the daemon or a worker, to which all calls go. A boundary. */
    FORWARDED("forwarded");

    private final String text;

    Engine(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * @throws IllegalArgumentException with a text for people
     */
    public static Engine parse(String text) {
        String wanted = text.strip();
        for (Engine each : values()) {
            if (each.text.equals(wanted)) {
                return each;
            }
        }
        throw new IllegalArgumentException("engine is " + words() + ", not '" + text + "'");
    }

    private static String words() {
        return Arrays.stream(values()).map(Engine::text).collect(Collectors.joining(", "));
    }
}
