package facet.kube.plugin;

import facet.kube.node.NodeDevice;
import facet.slices.Size;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resource that a node announces, and how many of it each device has.
 *
 * @param name such as facet.dev/gpu
 * @param count so many for each device; 0: one for each unit of its memory
 * @param unit bytes
 */
public record Resource(String name, int count, long unit) {
    /** A kubelet keeps a name for each, and writes all of them down again and again. */
    private static final int MOST_OF_A_DEVICE = 4096;

    private static final Pattern FORM =
            Pattern.compile("([a-z0-9.-]+/[A-Za-z0-9._-]{1,63})=(?:(\\d{1,4})|memory:(\\w+))");

    /** Reads {@code facet.dev/gpu=100} or {@code aliyun.com/gpu-mem=memory:1GiB}. */
    public static Resource parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is no resource; write NAME=COUNT, how many each device has, or"
                            + " NAME=memory:UNIT, such as aliyun.com/gpu-mem=memory:1GiB");
        }
        return matcher.group(2) != null
                ? new Resource(matcher.group(1), Integer.parseInt(matcher.group(2)), 0)
                : new Resource(matcher.group(1), 0, Size.parse(matcher.group(3)));
    }

    public Resource {
        if (count < 1 && unit < 1 || count > MOST_OF_A_DEVICE) {
            throw new IllegalArgumentException(
                    "of " + name + " a device has 1 to " + MOST_OF_A_DEVICE + ", not " + count);
        }
    }

    int of(NodeDevice device) {
        return count > 0 ? count : (int) Math.min(MOST_OF_A_DEVICE, device.memory() / unit);
    }
}
