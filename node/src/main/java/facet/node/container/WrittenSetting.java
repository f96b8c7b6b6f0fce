package facet.node.container;

import facet.doors.control.ControlException;
import facet.sched.Terms;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Size;
import facet.slices.Span;
import java.util.Map;

/**
 * A setting that somebody has written down.
 *
 * @param name of the variable or annotation
 * @param text as it is there
 * @param value as {@link Settings} writes it
 */
record WrittenSetting(String name, String text, Setting setting, String value) {
    /** Less is a number without its unit. */
    private static final long LEAST_MEMORY = 1L << 20;

    /** Reads the text as the setting's values are written everywhere. */
    static WrittenSetting read(String name, String text, Setting setting) throws ControlException {
        return read(name, text, setting, text);
    }

    /**
     * @param meaning the text in our words, where another system's has other units
     */
    static WrittenSetting read(String name, String text, Setting setting, String meaning)
            throws ControlException {
        try {
            String value =
                    new Settings(Map.of(setting, meaning)).values().getOrDefault(setting, "");
            check(setting, value);
            return new WrittenSetting(name, text, setting, value);
        } catch (IllegalArgumentException e) {
            throw refused(name, text, String.valueOf(e.getMessage()));
        }
    }

    /** What can be wrong with a value by itself, found here so that its name can be told. */
    private static void check(Setting setting, String value) {
        switch (setting) {
            case MEMORY -> {
                if (Size.parse(value) < LEAST_MEMORY) {
                    throw new IllegalArgumentException(
                            "that is "
                                    + Size.text(Size.parse(value))
                                    + "; write it with a unit, as 512MiB or 4GiB");
                }
            }
            case PRIORITY -> Terms.priority(Integer.parseInt(value));
            case TURN -> Terms.turns(Span.parse(value));
            case DEVICES -> {
                if (Integer.parseInt(value) < 1) {
                    throw new IllegalArgumentException("a slice has at least 1 device");
                }
            }
            case DEVICE,
                    COMPUTE,
                    POLICY,
                    CALENDAR,
                    TIME_ZONE,
                    MULTIPROCESSORS,
                    ISOLATION,
                    ENGINE,
                    STRICT,
                    NODE,
                    MODEL -> {}
        }
    }

    static ControlException refused(String name, String text, String why) {
        return new ControlException(name + "=" + text + ": " + why);
    }

    String shown() {
        return name + "=" + text;
    }
}
