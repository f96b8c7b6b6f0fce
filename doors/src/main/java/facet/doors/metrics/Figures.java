package facet.doors.metrics;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What there is to tell, of one moment.
 *
 * @param events how many there were, by kind
 */
public record Figures(
        List<OfDevice> devices,
        List<OfSlice> slices,
        List<OfLink> links,
        Map<String, Long> events) {

    /** Nothing at all. */
    static final Figures NONE = new Figures(List.of(), List.of(), List.of(), Map.of());

    /**
     * @param memory bytes that it has
     * @param used bytes that programs have allocated
     * @param resident bytes of those that are on it
     */
    public record OfDevice(
            String device,
            int multiprocessors,
            long memory,
            long used,
            long deviceNanos,
            long resident,
            long movedOut,
            long moves,
            long movedBytes) {}

    /**
     * @param memory bytes that it may have of each device
     * @param promised percent of its devices' time
     * @param devices those that it sees: a number, or node/number where it is on another one
     * @param memoryUsed of each of them
     * @param deviceNanos of each of them
     */
    public record OfSlice(
            String name,
            long memory,
            int promised,
            int sessions,
            long launches,
            long faults,
            List<String> devices,
            long[] memoryUsed,
            long[] deviceNanos,
            OptionalLong memoryResident,
            OptionalLong waitNanos,
            List<Unsupported> unsupported) {}

    /**
     * What goes between this node and another one of its pool.
     *
     * @param roundTrips answers that programs have waited for
     */
    public record OfLink(
            String node,
            boolean connected,
            double roundTripSeconds,
            int sessions,
            long roundTrips,
            long sent,
            long received,
            long resumes,
            long sentAgain) {}

    /** A call or an instruction that programs asked for and did not get. */
    public record Unsupported(String kind, String name, long count) {}
}
