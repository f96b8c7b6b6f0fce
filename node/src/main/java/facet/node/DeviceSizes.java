package facet.node;

import facet.slices.Size;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which devices a daemon makes.
 *
 * @param sizes memory of each; empty where the machine decides
 */
record DeviceSizes(List<Optional<Long>> sizes) {
    private static final int MOST = 16;
    private static final long LEAST = 64L << 20;

    DeviceSizes {
        sizes = List.copyOf(sizes);
    }

    /**
     * @param devices 4, or sizes: 8G,4G
     * @param memory of each, where their number is said
     */
    static DeviceSizes parse(String devices, Optional<String> memory) {
        Optional<Long> each = memory.map(text -> size("--memory", text));
        // Neither a number nor sizes: what both look like is told.
        if (!devices.matches("\\d+.*")) {
            throw wrong(devices);
        }
        if (devices.matches("\\d{1,9}")) {
            int count = Integer.parseInt(devices);
            if (count > MOST) {
                throw wrong(devices);
            }
            return new DeviceSizes(Collections.nCopies(count, each));
        }
        List<Optional<Long>> sizes = new ArrayList<>();
        for (String text : devices.split(",", -1)) {
            sizes.add(Optional.of(size("--devices", text)));
        }
        if (sizes.size() > MOST) {
            throw wrong(devices);
        }
        if (each.isPresent()) {
            throw new IllegalArgumentException(
                    "--devices " + devices + " says how much memory each has; leave out --memory");
        }
        return new DeviceSizes(sizes);
    }

    private static IllegalArgumentException wrong(String devices) {
        return new IllegalArgumentException(
                "--devices is 0 to " + MOST + ", or as many sizes: 8G,4G; not '" + devices + "'");
    }

    private static long size(String option, String text) {
        long bytes;
        try {
            bytes = Size.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
        if (bytes < LEAST) {
            throw new IllegalArgumentException(option + ": a device needs 64M or more");
        }
        return bytes;
    }

    /**
     * Bytes of each device.
     *
     * @param usual where nobody said it
     */
    List<Long> memories(LongSupplier usual) {
        return sizes.stream().map(each -> each.orElseGet(usual::getAsLong)).toList();
    }
}
