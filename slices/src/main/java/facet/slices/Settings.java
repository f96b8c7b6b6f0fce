package facet.slices;

import facet.sched.Calendar;
import facet.sched.Policy;
import facet.sched.Terms;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What somebody has said about a slice. What was not said is left to the node. */
public record Settings(Map<Setting, String> values) {
    public static final Settings NONE = new Settings(Map.of());

    /** What a slice gets of which nothing was said. */
    public record Whole(long memory, int devices, Isolation isolation) {
        /** In the daemon's process. */
        public Whole(long memory, int devices) {
            this(memory, devices, Isolation.SHARED);
        }
    }

    public Settings {
        Map<Setting, String> normal = new EnumMap<>(Setting.class);
        values.forEach((setting, text) -> normal.put(setting, setting.normal(text)));
        values = Collections.unmodifiableMap(normal);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    private Optional<String> value(Setting setting) {
        return Optional.ofNullable(values.get(setting));
    }

    private int number(Setting setting) {
        return value(setting).map(Integer::parseInt).orElse(0);
    }

    /** These, and what the others say instead. */
    public Settings changed(Settings others) {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        all.putAll(values);
        // What was said so far has decided about the policy: it stays, unless another is named.
        impliedPolicy().ifPresent(policy -> all.putIfAbsent(Setting.POLICY, policy.text()));
        all.putAll(others.values);
        Optional<String> policy = others.value(Setting.POLICY);
        if (policy.isPresent()) {
            if (!policy.get().equals(Policy.TIDAL.text())) {
                drop(Setting.CALENDAR, all, others);
                drop(Setting.TIME_ZONE, all, others);
            }
            if (!policy.get().equals(Policy.TIME_SLICE.text())) {
                drop(Setting.TURN, all, others);
            }
        }
        // Other devices than those that were named before, or another number of them.
        if (others.values.containsKey(Setting.DEVICE)) {
            drop(Setting.DEVICES, all, others);
        }
        if (others.values.containsKey(Setting.DEVICES)) {
            drop(Setting.DEVICE, all, others);
        }
        // A number says something on its node alone.
        if (others.values.containsKey(Setting.NODE) || others.values.containsKey(Setting.MODEL)) {
            drop(Setting.DEVICE, all, others);
        }
        return new Settings(all);
    }

    private static void drop(Setting setting, Map<Setting, String> all, Settings said) {
        if (!said.values.containsKey(setting)) {
            all.remove(setting);
        }
    }

    private Optional<Policy> impliedPolicy() {
        if (values.containsKey(Setting.CALENDAR)) {
            return Optional.of(Policy.TIDAL);
        }
        if (values.containsKey(Setting.TURN)) {
            return Optional.of(Policy.TIME_SLICE);
        }
        if (values.containsKey(Setting.COMPUTE)) {
            return Optional.of(Policy.FIXED);
        }
        return values.containsKey(Setting.PRIORITY)
                ? Optional.of(Policy.PRIORITY)
                : Optional.empty();
    }

    private Terms terms() {
        Optional<String> said = value(Setting.POLICY);
        Policy policy = said.map(Policy::parse).or(this::impliedPolicy).orElse(Policy.BURST);
        int compute = value(Setting.COMPUTE).map(Percent::parse).orElse(0);
        if (policy == Policy.FIXED && compute == 0) {
            throw new IllegalArgumentException(
                    "a fixed slice needs compute, 1 to 100 percent of a device; without a promise"
                            + " take the policy burst");
        }
        if (policy != Policy.TIME_SLICE && values.containsKey(Setting.TURN)) {
            throw new IllegalArgumentException(
                    "a turn is for the policy time-slice, not for " + policy.text());
        }
        if (policy != Policy.TIDAL && values.containsKey(Setting.TIME_ZONE)) {
            throw new IllegalArgumentException(
                    "a time zone is for the calendar of the policy tidal, not for "
                            + policy.text());
        }
        Duration turn = value(Setting.TURN).map(Span::parse).orElse(Terms.DEFAULT_TURN);
        ZoneId zone =
                value(Setting.TIME_ZONE).map(ZoneId::of).orElseGet(() -> ZoneId.systemDefault());
        Calendar calendar =
                value(Setting.CALENDAR)
                        .map(text -> Calendar.parse(text, zone))
                        .orElse(Calendar.EMPTY);
        return new Terms(
                policy,
                compute,
                number(Setting.PRIORITY),
                turn,
                calendar,
                number(Setting.MULTIPROCESSORS));
    }

    private DeviceSet devices(Whole whole) {
        Optional<DeviceSet> named = value(Setting.DEVICE).map(DeviceSet::parse);
        Optional<Integer> count = value(Setting.DEVICES).map(Integer::parseInt);
        if (named.isPresent() && count.isPresent() && named.get().count() != count.get()) {
            throw new IllegalArgumentException(
                    "devices says "
                            + count.get()
                            + " and device names "
                            + named.get().count()
                            + " ("
                            + named.get().text()
                            + "); leave one of them out");
        }
        return named.orElseGet(() -> DeviceSet.any(count.orElse(whole.devices())))
                .at(new Site(value(Setting.NODE).orElse(""), value(Setting.MODEL).orElse("")));
    }

    /** The slice that follows from them; refuses what does not fit together. */
    public Slice slice(String name, Whole whole) {
        return new Slice(
                name,
                value(Setting.MEMORY).map(Size::parse).orElse(whole.memory()),
                devices(whole),
                terms(),
                value(Setting.ISOLATION).map(Isolation::parse).orElse(whole.isolation()),
                new Driving(
                        value(Setting.ENGINE).map(Engine::parse).orElse(Engine.AUTO),
                        value(Setting.STRICT).equals(Optional.of("yes"))));
    }

    /**
     * All that a slice is, whoever said it, with what means nothing for its policy left out.
     *
     * @param devices of the node: where there is one nobody asks which
     */
    public static Map<Setting, String> describe(Slice slice, int devices) {
        Map<Setting, String> all = new LinkedHashMap<>();
        Terms terms = slice.terms();
        all.put(Setting.MEMORY, Size.exact(slice.memory()));
        all.put(Setting.POLICY, terms.policy().text());
        all.put(Setting.COMPUTE, Percent.text(terms.compute()));
        if (terms.priority() > 0 || terms.policy() == Policy.PRIORITY) {
            all.put(Setting.PRIORITY, Integer.toString(terms.priority()));
        }
        if (terms.policy() == Policy.TIME_SLICE) {
            all.put(Setting.TURN, Span.text(terms.turn()));
        }
        if (terms.policy() == Policy.TIDAL) {
            all.put(Setting.CALENDAR, terms.calendar().text());
            all.put(Setting.TIME_ZONE, terms.calendar().zone().getId());
        }
        if (terms.multiprocessors() > 0) {
            all.put(Setting.MULTIPROCESSORS, Integer.toString(terms.multiprocessors()));
        }
        if (slice.devices().count() > 1) {
            all.put(Setting.DEVICES, Integer.toString(slice.devices().count()));
        }
        boolean elsewhere = slice.devices().isElsewhere();
        if (slice.devices().isChosen() && (devices > 1 || elsewhere)) {
            all.put(Setting.DEVICE, slice.devices().text());
        }
        if (elsewhere) {
            all.put(Setting.NODE, slice.devices().site().node());
        }
        all.put(Setting.ISOLATION, slice.isolation().text());
        if (slice.driving().engine() != Engine.AUTO) {
            all.put(Setting.ENGINE, slice.driving().engine().text());
        }
        if (slice.driving().strict()) {
            all.put(Setting.STRICT, "yes");
        }
        return all;
    }
}
