package facet.kube.names;

import facet.place.Cluster;
import facet.sched.Policy;
import facet.slices.Size;

/**
 * What a container asks for.
 *
 * @param devices how many different ones
 * @param memory of each device
 * @param thousandths of each device's compute that are promised
 * @param codec thousandths
 * @param render thousandths
 * @param burst thousandths beyond what devices have; whoever has them gives way first
 * @param priority in the daemon: who runs before others
 */
public record Wish(
        String container,
        Family family,
        int devices,
        Memory memory,
        int thousandths,
        int codec,
        int render,
        int burst,
        Policy policy,
        int priority) {
    /** Of each device. */
    public sealed interface Memory {
        /** All that a device has. */
        record All() implements Memory {}

        record Bytes(long bytes) implements Memory {}

        /** Thousandths of whatever device it is. */
        record Part(int thousandths) implements Memory {}

        /**
         * @param size bytes of the device
         */
        default long bytes(long size) {
            return switch (this) {
                case All() -> size;
                case Bytes(long bytes) -> bytes;
                case Part(int thousandths) ->
                        Math.multiplyExact(size / Cluster.WHOLE, (long) thousandths)
                                + size % Cluster.WHOLE * thousandths / Cluster.WHOLE;
            };
        }
    }

    /** Whether it takes devices that nobody else is on. */
    public boolean isWhole() {
        return thousandths == Cluster.WHOLE;
    }

    /** For people: 2 devices, 4 GiB and 30 % of each. */
    public String text() {
        String amount =
                switch (memory) {
                    case Memory.All() -> "all memory";
                    case Memory.Bytes(long bytes) -> Size.text(bytes);
                    case Memory.Part(int part) -> part / 10.0 + " % of the memory";
                };
        String time = thousandths > 0 ? " and " + thousandths / 10.0 + " % of the time" : "";
        return (devices == 1 ? "" : devices + " devices with ")
                + amount
                + time.replace(".0 %", " %");
    }
}
