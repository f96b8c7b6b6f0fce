package facet.node.container;

import facet.doors.control.ControlException;
import facet.sched.Calendar;
import facet.sched.Terms;
import facet.slices.Engine;
import facet.slices.Isolation;
import facet.slices.Percent;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Size;
import facet.slices.Slice;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a container, or another node, may have at most, whatever it asks for. What it does not ask
 * for it gets within these bounds.
 */
public record Bounds(Settings most, Whose whose) {
    public static final Bounds NONE = new Bounds(Settings.NONE, Whose.CONTAINER);

    /** Who is bounded, in words. */
    public enum Whose {
        CONTAINER("a container", "--container-most", true),
        NODE("a slice of another node", "--pool-most", false);

        private final String words;
        private final String option;

        /** Whether its programs are on this machine, where the vendor's driver is. */
        private final boolean canHaveDriver;

        Whose(String words, String option, boolean canHaveDriver) {
            this.words = words;
            this.option = option;
            this.canHaveDriver = canHaveDriver;
        }
    }

    private static final Set<Setting> KINDS =
            EnumSet.of(
                    Setting.MEMORY,
                    Setting.COMPUTE,
                    Setting.PRIORITY,
                    Setting.DEVICES,
                    Setting.ENGINE);

    /**
     * Reads {@code memory=8GiB,compute=50,priority=10,devices=1,engine=direct}, each of them or
     * some.
     *
     * @throws IllegalArgumentException with a text for people
     */
    public static Bounds parse(String text) {
        return parse(text, Whose.CONTAINER);
    }

    public static Bounds parse(String text, Whose whose) {
        Map<Setting, String> most = new EnumMap<>(Setting.class);
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            Setting setting =
                    Setting.of(each.substring(0, Math.max(equals, 0)).strip())
                            .filter(KINDS::contains)
                            .filter(kind -> kind != Setting.ENGINE || whose.canHaveDriver)
                            .orElseThrow(() ->
                                    new IllegalArgumentException(
                                            "'"
                                                    + each
                                                    + "' is no bound; write memory=SIZE,"
                                                    + " compute=PERCENT, priority=N, devices=N"
                                                    + (whose.canHaveDriver
                                                            ? " or engine=direct"
                                                            : "")
                                                    + ", with commas between them"));
            if (most.put(setting, each.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(setting.key() + " is there twice");
            }
        }
        return new Bounds(new Settings(most), whose);
    }

    /**
     * Whether containers may have the vendor's driver in their programs, and its device files: the
     * direct engine, which is no boundary. Only where the administrator says so.
     */
    public boolean letsDirect() {
        return bound(Setting.ENGINE).filter(Engine.DIRECT.text()::equals).isPresent();
    }

    /**
     * What a container gets that asks for this; refused when it asks for more than it may.
     *
     * @param whole what it would have without bounds, where it does not say
     */
    public Settings grant(Settings wanted, Settings.Whole whole) throws ControlException {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        bound(Setting.MEMORY)
                .filter(text -> number(Setting.MEMORY, text) < whole.memory())
                .ifPresent(text -> values.put(Setting.MEMORY, text));
        bound(Setting.DEVICES)
                .filter(text -> number(Setting.DEVICES, text) < whole.devices())
                .filter(_ -> !wanted.values().containsKey(Setting.DEVICE))
                .ifPresent(text -> values.put(Setting.DEVICES, text));
        values.putAll(wanted.values());
        Settings granted = new Settings(values);
        Slice slice = granted.slice("bounds", whole);
        Terms terms = slice.terms();
        check(Setting.MEMORY, slice.memory(), Size.exact(slice.memory()));
        check(Setting.COMPUTE, promised(terms), Percent.text(promised(terms)));
        check(Setting.PRIORITY, terms.priority(), Integer.toString(terms.priority()));
        int devices = slice.devices().count();
        check(Setting.DEVICES, devices, Integer.toString(devices));
        if (whole.isolation() == Isolation.PROCESS && slice.isolation() == Isolation.SHARED) {
            throw new ControlException(
                    "it asks for isolation shared, and this node gives "
                            + whose.words
                            + " a process of its own; leave that out, or start facetd with"
                            + " --isolation shared");
        }
        if (slice.driving().engine() == Engine.DIRECT && !letsDirect()) {
            throw new ControlException(
                    "it asks for the direct engine, which needs the vendor's device files and so"
                            + " is no boundary; leave engine out, or write forwarded"
                            + (whose.canHaveDriver
                                    ? "; or start facetd with "
                                            + whose.option
                                            + " engine=direct where containers are trusted"
                                    : ""));
        }
        return granted;
    }

    /** The most memory, of a device that has so much. */
    public long memory(long ofDevice) {
        return bound(Setting.MEMORY)
                .map(text -> Math.min(ofDevice, Size.parse(text)))
                .orElse(ofDevice);
    }

    private Optional<String> bound(Setting setting) {
        return Optional.ofNullable(most.values().get(setting));
    }

    /** At the best hour. */
    private static int promised(Terms terms) {
        return terms.calendar().entries().stream()
                .mapToInt(Calendar.Entry::compute)
                .reduce(terms.compute(), Math::max);
    }

    private void check(Setting setting, long wanted, String shown) throws ControlException {
        Optional<String> bound = bound(setting);
        if (bound.isPresent() && wanted > number(setting, bound.get())) {
            throw new ControlException(
                    "it asks for "
                            + setting.key()
                            + " "
                            + shown
                            + ", and this node gives "
                            + whose.words
                            + " "
                            + bound.get()
                            + " at most; ask for less, or start facetd with another "
                            + whose.option);
        }
    }

    private static long number(Setting setting, String text) {
        return switch (setting) {
            case MEMORY -> Size.parse(text);
            case COMPUTE -> Percent.parse(text);
            default -> Long.parseLong(text);
        };
    }
}
