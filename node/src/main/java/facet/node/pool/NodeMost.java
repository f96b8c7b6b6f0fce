package facet.node.pool;

import facet.doors.control.ControlException;
import facet.slices.Percent;
import facet.slices.Size;
import facet.slices.Slice;
import java.util.Collection;
import java.util.Locale;

/**
 * What all slices of one other node may have here together, whatever each of them asks for.
 *
 * @param memory bytes of all devices
 * @param compute of all devices together, as {@link Percent} counts
 */
public record NodeMost(long memory, long compute, long slices) {
    public static final String OPTION = "--pool-node-most";
    public static final NodeMost NONE = new NodeMost(Long.MAX_VALUE, Long.MAX_VALUE, 1024);

    /**
     * Reads {@code memory=16GiB,compute=80,slices=8}, each of them or some.
     *
     * @throws IllegalArgumentException with a text for people
     */
    public static NodeMost parse(String text) {
        NodeMost most = NONE;
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String value = each.substring(equals + 1);
            most =
                    switch (each.substring(0, Math.max(equals, 0)).toLowerCase(Locale.ROOT)) {
                        case "memory" -> new NodeMost(Size.parse(value), most.compute, most.slices);
                        case "compute" ->
                                new NodeMost(most.memory, Percent.parse(value), most.slices);
                        case "slices" ->
                                new NodeMost(most.memory, most.compute, Integer.parseInt(value));
                        default ->
                                throw new IllegalArgumentException(
                                        "'"
                                                + each
                                                + "' is no bound; write memory=SIZE,"
                                                + " compute=PERCENT or slices=N, with commas"
                                                + " between them");
                    };
        }
        return most;
    }

    /**
     * @param others that the node has already
     * @throws ControlException when there would be more than it may have
     */
    public void check(Collection<Slice> others, Slice wanted) throws ControlException {
        long memory = memory(wanted);
        long compute = compute(wanted);
        for (Slice each : others) {
            memory = saturated(memory, memory(each));
            compute = saturated(compute, compute(each));
        }
        if (others.size() >= slices) {
            throw refused(slices + (slices == 1 ? " slice" : " slices"));
        }
        if (memory > this.memory) {
            throw refused("memory " + Size.text(this.memory));
        }
        if (compute > this.compute) {
            throw refused("compute " + Percent.text((int) this.compute));
        }
    }

    private static long memory(Slice slice) {
        long devices = Math.max(1, slice.devices().count());
        return slice.memory() > Long.MAX_VALUE / devices
                ? Long.MAX_VALUE
                : slice.memory() * devices;
    }

    private static long compute(Slice slice) {
        return (long) slice.terms().compute() * Math.max(1, slice.devices().count());
    }

    private static long saturated(long one, long two) {
        return one > Long.MAX_VALUE - two ? Long.MAX_VALUE : one + two;
    }

    private static ControlException refused(String most) {
        return new ControlException(
                "its node would have more than "
                        + most
                        + " here, and that is the most that all slices of one node get together;"
                        + " delete one, ask for less, or start facetd there with another "
                        + OPTION);
    }
}
