package facet.node.container;

import facet.doors.control.ControlException;
import facet.slices.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables that other systems for sharing GPUs have taught people, and what they mean here. Each
 * system's names are one entry of {@link #ALL}.
 *
 * <table>
 * <caption>Where their meaning is from</caption>
 * <tr><td>CUDA_DEVICE_MEMORY_LIMIT, CUDA_DEVICE_MEMORY_LIMIT_i
 *     <td>HAMi-core, README.md and src/multiprocess/multiprocess_memory_limit.c: bytes, or with k, m,
 *     g as powers of 1024; of device i, else of all; 0 or nothing is no limit
 * <tr><td>CUDA_DEVICE_SM_LIMIT, CUDA_DEVICE_SM_LIMIT_i
 *     <td>there too: percent of each device that is never exceeded; 0 and 100 are no limit
 * <tr><td>ALIYUN_COM_GPU_MEM_CONTAINER, ALIYUN_COM_GPU_MEM_DEV
 *     <td>gpushare-device-plugin, pkg/gpu/nvidia/allocate.go and cmd/nvidia/main.go, and the manual of
 *     cGPU: memory of the container, and of a whole device; GiB, or MiB where the plugin was started
 *     with --memory-unit=MiB. The second one wishes for nothing
 * <tr><td>GPU_MEMORY_LIMIT
 *     <td>in scripts and charts of many, with no common unit; so it must have one, or be bytes
 * </table>
 */
final class ForeignNames {
    private static final String HAMI_MEMORY = "CUDA_DEVICE_MEMORY_LIMIT";
    private static final String HAMI_COMPUTE = "CUDA_DEVICE_SM_LIMIT";
    private static final String GPUSHARE = "ALIYUN_COM_GPU_MEM_CONTAINER";
    private static final String GPUSHARE_DEVICE = "ALIYUN_COM_GPU_MEM_DEV";
    private static final String PLAIN = "GPU_MEMORY_LIMIT";

    /** A device with so many GiB is not: the unit is MiB then. */
    private static final int NOT_GIBIBYTES = 1024;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final int MOST_DEVICES = 64;

    /** Reads the names of one system; nothing where it does not limit. */
    private interface Reader {
        List<WrittenSetting> read(Map<String, String> environment) throws ControlException;
    }

    private static final List<Reader> ALL =
            List.of(
                    ForeignNames::hamiMemory,
                    ForeignNames::hamiCompute,
                    ForeignNames::gpushare,
                    ForeignNames::plain);

    private ForeignNames() {}

    /** What they all say, in no order of importance. */
    static List<WrittenSetting> read(Map<String, String> environment) throws ControlException {
        List<WrittenSetting> all = new ArrayList<>();
        for (Reader each : ALL) {
            all.addAll(each.read(environment));
        }
        return all;
    }

    // ---- HAMi

    private static List<WrittenSetting> hamiMemory(Map<String, String> environment)
            throws ControlException {
        Map<Integer, WrittenSetting> devices = perDevice(environment, HAMI_MEMORY, Setting.MEMORY);
        Optional<WrittenSetting> whole = limit(environment, HAMI_MEMORY, Setting.MEMORY);
        if (devices.isEmpty()) {
            return whole.stream().toList();
        }
        WrittenSetting one = same(devices);
        int last = ((TreeMap<Integer, WrittenSetting>) devices).lastKey();
        WrittenSetting most = devices.getOrDefault(last, one);
        List<WrittenSetting> all = new ArrayList<>(List.of(one));
        if (last > 0) {
            all.add(
                    WrittenSetting.read(
                            most.name(), most.text(), Setting.DEVICES, Integer.toString(last + 1)));
        }
        return all;
    }

    private static List<WrittenSetting> hamiCompute(Map<String, String> environment)
            throws ControlException {
        Map<Integer, WrittenSetting> devices =
                perDevice(environment, HAMI_COMPUTE, Setting.COMPUTE);
        return devices.isEmpty()
                ? limit(environment, HAMI_COMPUTE, Setting.COMPUTE).stream().toList()
                : List.of(same(devices));
    }

    /** By device; of a slice all have the same. */
    private static Map<Integer, WrittenSetting> perDevice(
            Map<String, String> environment, String name, Setting setting) throws ControlException {
        Pattern form = Pattern.compile(Pattern.quote(name) + "_(\\d{1,2})");
        Map<Integer, WrittenSetting> devices = new TreeMap<>();
        for (String each : environment.keySet()) {
            Matcher matcher = form.matcher(each);
            if (matcher.matches() && Integer.parseInt(matcher.group(1)) < MOST_DEVICES) {
                Optional<WrittenSetting> said = limit(environment, each, setting);
                said.ifPresent(one -> devices.put(Integer.parseInt(matcher.group(1)), one));
            }
        }
        return devices;
    }

    private static WrittenSetting same(Map<Integer, WrittenSetting> devices)
            throws ControlException {
        WrittenSetting first = devices.values().iterator().next();
        for (WrittenSetting each : devices.values()) {
            if (!each.value().equals(first.value())) {
                throw new ControlException(
                        first.shown()
                                + " and "
                                + each.shown()
                                + " differ; a slice has the same on each of its devices");
            }
        }
        return first;
    }

    /** Empty where there is no limit. */
    private static Optional<WrittenSetting> limit(
            Map<String, String> environment, String name, Setting setting) throws ControlException {
        String text = environment.getOrDefault(name, "");
        boolean none =
                text.isBlank()
                        || text.strip().matches("0+[kKmMgG]?")
                        || setting == Setting.COMPUTE && text.strip().equals("100");
        return none ? Optional.empty() : Optional.of(WrittenSetting.read(name, text, setting));
    }

    // ---- gpushare and cGPU

    private static List<WrittenSetting> gpushare(Map<String, String> environment)
            throws ControlException {
        String text = environment.getOrDefault(GPUSHARE, "").strip();
        if (text.isEmpty()) {
            return List.of();
        }
        int container = number(GPUSHARE, text);
        String deviceText = environment.getOrDefault(GPUSHARE_DEVICE, "").strip();
        int device = deviceText.isEmpty() ? 0 : number(GPUSHARE_DEVICE, deviceText);
        if (device > 0 && container > device) {
            throw WrittenSetting.refused(
                    GPUSHARE,
                    text,
                    "more than the device has, " + GPUSHARE_DEVICE + "=" + deviceText);
        }
        if (container == 0) {
            return List.of();
        }
        String unit = device >= NOT_GIBIBYTES ? "MiB" : "GiB";
        return List.of(WrittenSetting.read(GPUSHARE, text, Setting.MEMORY, container + unit));
    }

    private static int number(String name, String text) throws ControlException {
        if (!NUMBER.matcher(text).matches()) {
            throw WrittenSetting.refused(name, text, "it is a whole number of GiB, such as 4");
        }
        return Integer.parseInt(text);
    }

    // ---- GPU_MEMORY_LIMIT

    private static List<WrittenSetting> plain(Map<String, String> environment)
            throws ControlException {
        return limit(environment, PLAIN, Setting.MEMORY).stream().toList();
    }
}
