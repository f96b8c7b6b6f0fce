package facet.device.nvidia;

import facet.device.DeviceException;
import facet.device.nvidia.foreign.Driver;
import facet.device.nvidia.foreign.EnvironmentUnsafe;
import facet.device.nvidia.foreign.Management;
import facet.device.nvidia.foreign.Management.Listed;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks the vendor's libraries which devices there are, and ends. A process of its own: libraries
 * that crash or hang do so here.
 *
 * <pre>
 *   device   UUID  BUS  BYTES  NAME  attributes, with commas
 *   instance UUID  BUS  BYTES  NAME                              to be asked for by its UUID alone
 *   error    why
 * </pre>
 */
public final class DiscoveryMain {
    static final String DEVICE = "device";
    static final String INSTANCE = "instance";
    static final String ERROR = "error";
    static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    private DiscoveryMain() {}

    /**
     * @param arguments nothing; or the UUID of an instance, which is the one thing to look at
     */
    public static void main(String[] arguments) {
        VendorSettings settings = VendorSettings.ofThisProcess();
        int code = 0;
        try {
            settings.apply();
            if (arguments.length > 0) {
                EnvironmentUnsafe.set(VISIBLE, arguments[0]);
            }
            tell(settings, arguments);
        } catch (DeviceException e) {
            line(ERROR, String.valueOf(e.getMessage()));
            code = 1;
        }
        System.out.flush();
        // Whatever threads and handlers libraries have left.
        Runtime.getRuntime().halt(code);
    }

    private static void tell(VendorSettings settings, String[] arguments) {
        List<Listed> listed = Management.open(settings.libraries()).devices();
        if (arguments.length > 0) {
            listed = listed.stream().filter(each -> each.uuid().equals(arguments[0])).toList();
        }
        boolean asked = arguments.length > 0 || listed.stream().anyMatch(each -> !each.instance());
        Map<String, Integer> handles = new HashMap<>();
        Driver driver = null;
        if (asked) {
            driver = Driver.open(settings.libraries());
            for (int i = 0; i < driver.devices(); i++) {
                int device = driver.device(i);
                handles.put(driver.uuid(device), device);
            }
        }
        for (Listed each : listed) {
            if (each.instance() && arguments.length == 0) {
                if (isVisible(settings, each.uuid())) {
                    line(INSTANCE, words(each, each.memory()));
                }
                continue;
            }
            Integer device = handles.get(digits(each.uuid()));
            // One that CUDA does not show was taken away by CUDA_VISIBLE_DEVICES.
            if (device != null && driver != null) {
                line(
                        DEVICE,
                        words(each, driver.memory(device)) + "\t" + attributes(driver, device));
            }
        }
    }

    /** What the driver is told comes before what this process was begun with. */
    private static boolean isVisible(VendorSettings settings, String uuid) {
        String told = settings.environment().get(VISIBLE);
        String visible = told == null ? System.getenv(VISIBLE) : told;
        return visible == null || List.of(visible.split(",", -1)).contains(uuid);
    }

    private static String words(Listed device, long memory) {
        return String.join(
                "\t",
                device.uuid(),
                device.bus(),
                Long.toString(memory),
                device.name().replaceAll("\\p{Cntrl}", " "));
    }

    private static String attributes(Driver driver, int device) {
        return IntStream.range(0, Attribute.COUNT)
                .map(each -> each == 0 ? 0 : driver.attribute(device, each))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
    }

    /** As the driver tells it. */
    static String digits(String uuid) {
        return Objects.requireNonNull(uuid)
                .replaceFirst("^(GPU|MIG)-", "")
                .replace("-", "")
                .toLowerCase(Locale.ROOT);
    }

    private static void line(String kind, String rest) {
        System.out.println(kind + "\t" + rest.replace('\n', ' '));
    }
}
