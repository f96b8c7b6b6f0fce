package facet.node.container;

import facet.doors.control.ControlException;
import facet.slices.DeviceSet;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.document.Nearest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads what a container wants. Every setting has a variable and an annotation:
 *
 * <pre>
 *   memory     FACET_MEMORY      dev.facet.memory
 *   timeZone   FACET_TIME_ZONE   dev.facet.time-zone     and so on
 *   (gpu)      FACET_GPU         dev.facet.gpu           all, or devices' numbers
 *              FACET_GPU_1=1                             one more: CDI has one for each device
 * </pre>
 *
 * An annotation may be written as Kubernetes likes them, too: {@code facet.dev/memory}.
 *
 * <p>Variables may come from the image, annotations come from the platform; so annotations win.
 * What they say about compute holds as a whole: an image must not turn a share that it was given
 * into priority over others. Of variables our own win over {@link ForeignNames foreign} ones. An
 * empty value says nothing.
 */
final class Wishes {
    private static final String VARIABLE = "FACET_";
    private static final String ANNOTATION = "dev.facet.";
    private static final String KUBERNETES = "facet.dev/";
    private static final String GPU = "gpu";
    private static final String ALL = "all";
    private static final Pattern GPUS = Pattern.compile("FACET_GPU(_\\d{1,4})?");

    private static final Map<String, Setting> VARIABLES = new LinkedHashMap<>();
    private static final Map<String, Setting> ANNOTATIONS = new LinkedHashMap<>();

    static {
        for (Setting each : Setting.values()) {
            VARIABLES.put(VARIABLE + each.name(), each);
            ANNOTATIONS.put(annotation(each), each);
        }
    }

    private static String annotation(Setting setting) {
        return ANNOTATION + setting.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private final int devices;
    private final List<String> from = new ArrayList<>();
    private final Map<Setting, WrittenSetting> said = new EnumMap<>(Setting.class);

    private Wishes(int devices) {
        this.devices = devices;
    }

    /**
     * Empty when nobody said anything.
     *
     * @param devices of the node
     */
    static Optional<Wish> read(
            Map<String, String> environment, Map<String, String> annotations, int devices)
            throws ControlException {
        Wishes wishes = new Wishes(devices);
        Map<String, String> ours = ours(annotations);
        wishes.foreign(environment, ours);
        wishes.environment(environment);
        wishes.annotations(ours);
        wishes.gpus(environment, ours);
        if (wishes.from.isEmpty()) {
            return Optional.empty();
        }
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        wishes.said.forEach((setting, each) -> values.put(setting, each.value()));
        return Optional.of(new Wish(new Settings(values), wishes.from));
    }

    private void foreign(Map<String, String> environment, Map<String, String> annotations)
            throws ControlException {
        Map<Setting, List<WrittenSetting>> all = new EnumMap<>(Setting.class);
        for (WrittenSetting each : ForeignNames.read(environment)) {
            all.computeIfAbsent(each.setting(), _ -> new ArrayList<>()).add(each);
            from.add(each.shown());
        }
        for (Map.Entry<Setting, List<WrittenSetting>> each : all.entrySet()) {
            String own = VARIABLE + each.getKey().name();
            boolean settled =
                    isSaid(environment, own) || isSaid(annotations, annotation(each.getKey()));
            WrittenSetting first = each.getValue().getFirst();
            for (WrittenSetting other : each.getValue()) {
                if (!settled && !other.value().equals(first.value())) {
                    throw new ControlException(
                            first.shown()
                                    + " and "
                                    + other.shown()
                                    + " differ; remove one of them, or say "
                                    + own);
                }
            }
            said.put(each.getKey(), first);
        }
    }

    private static boolean isSaid(Map<String, String> texts, String name) {
        return !texts.getOrDefault(name, "").isBlank();
    }

    private void environment(Map<String, String> environment) throws ControlException {
        for (Map.Entry<String, Setting> each : VARIABLES.entrySet()) {
            if (isSaid(environment, each.getKey())) {
                say(
                        WrittenSetting.read(
                                each.getKey(),
                                environment.getOrDefault(each.getKey(), ""),
                                each.getValue()));
            }
        }
    }

    /** Annotations that are about us, by the first of their two forms. */
    private static Map<String, String> ours(Map<String, String> annotations)
            throws ControlException {
        Map<String, String> ours = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : annotations.entrySet()) {
            String name = each.getKey();
            if (name.startsWith(KUBERNETES)) {
                name = ANNOTATION + name.substring(KUBERNETES.length());
            }
            if (name.startsWith(ANNOTATION) && !each.getValue().isBlank()) {
                String other = ours.put(name, each.getValue());
                if (other != null && !other.equals(each.getValue())) {
                    throw new ControlException(
                            name
                                    + " is given in two ways, as '"
                                    + other
                                    + "' and as '"
                                    + each.getValue()
                                    + "'; remove one of them");
                }
            }
        }
        return ours;
    }

    private void annotations(Map<String, String> annotations) throws ControlException {
        List<WrittenSetting> all = new ArrayList<>();
        for (Map.Entry<String, String> each : annotations.entrySet()) {
            String name = each.getKey();
            if (name.equals(ANNOTATION + GPU)) {
                continue;
            }
            Setting setting = ANNOTATIONS.get(name);
            if (setting == null) {
                throw new ControlException(
                        "there is no annotation '"
                                + name
                                + "'"
                                + Nearest.hint(
                                        name,
                                        ANNOTATIONS.keySet(),
                                        "there are " + String.join(", ", ANNOTATIONS.keySet())));
            }
            all.add(WrittenSetting.read(name, each.getValue(), setting));
        }
        if (all.stream().anyMatch(each -> isOfCompute(each.setting()))) {
            said.keySet().removeIf(Wishes::isOfCompute);
        }
        all.forEach(this::say);
    }

    private void say(WrittenSetting one) {
        said.put(one.setting(), one);
        from.add(one.shown());
    }

    /** Settings that only together say what a slice has of a device's time. */
    private static boolean isOfCompute(Setting setting) {
        return switch (setting) {
            case COMPUTE, POLICY, PRIORITY, TURN, CALENDAR, TIME_ZONE, MULTIPROCESSORS -> true;
            case MEMORY, DEVICES, DEVICE, NODE, MODEL, ISOLATION, ENGINE, STRICT -> false;
        };
    }

    /** Which devices, where nothing says it more exactly. */
    private void gpus(Map<String, String> environment, Map<String, String> annotations)
            throws ControlException {
        Map<String, String> all = new TreeMap<>();
        for (Map.Entry<String, String> each : environment.entrySet()) {
            if (GPUS.matcher(each.getKey()).matches() && !each.getValue().isBlank()) {
                all.put(each.getKey(), each.getValue().strip());
            }
        }
        all.forEach((name, text) -> from.add(name + "=" + text));
        if (isSaid(annotations, ANNOTATION + GPU)) {
            String text = annotations.getOrDefault(ANNOTATION + GPU, "").strip();
            from.add(ANNOTATION + GPU + "=" + text);
            all = Map.of(ANNOTATION + GPU, text);
        }
        if (all.isEmpty()
                || said.containsKey(Setting.DEVICES)
                || said.containsKey(Setting.DEVICE)) {
            return;
        }
        TreeSet<Integer> numbers = new TreeSet<>();
        for (Map.Entry<String, String> each : all.entrySet()) {
            if (each.getValue().equals(ALL)) {
                said.put(
                        Setting.DEVICES,
                        WrittenSetting.read(
                                each.getKey(),
                                ALL,
                                Setting.DEVICES,
                                Integer.toString(Math.max(1, devices))));
                return;
            }
            String read =
                    WrittenSetting.read(each.getKey(), each.getValue(), Setting.DEVICE).value();
            numbers.addAll(DeviceSet.parse(read).numbers());
        }
        DeviceSet named = DeviceSet.of(List.copyOf(numbers));
        if (devices > 1 || !named.equals(DeviceSet.first(1))) {
            String text = String.join(" ", all.values());
            said.put(
                    Setting.DEVICE,
                    WrittenSetting.read(
                            String.join(" ", all.keySet()), text, Setting.DEVICE, named.text()));
        }
    }
}
