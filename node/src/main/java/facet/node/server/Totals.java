package facet.node.server;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a slice has used in all: on the devices that it left, and on those where it is. So those who
 * watch it see no step back when it moves.
 *
 * @param nanos device time on devices that it left, by their numbers
 */
record Totals(long launches, long faults, String lastFault, long waited, Map<Integer, Long> nanos) {
    static final Totals NONE = new Totals(0, 0, "", 0, Map.of());

    Totals {
        nanos = Map.copyOf(nanos);
    }

    /** With what it has used there, where it is no more. */
    Totals plus(SliceOnDevices left) {
        Map<Integer, Long> all = new HashMap<>(nanos);
        for (int i = 0; i < left.devices().size(); i++) {
            all.merge(left.devices().get(i), left.deviceNanos(i), Long::sum);
        }
        return new Totals(
                launches(left),
                faults(left),
                lastFault(left),
                waited + left.waitNanos().orElse(0),
                all);
    }

    long launches(SliceOnDevices now) {
        return launches + now.sessions().launches();
    }

    long faults(SliceOnDevices now) {
        return faults + now.place().faults();
    }

    /** Empty when there was none. */
    String lastFault(SliceOnDevices now) {
        String here = now.place().lastFault();
        return here.isEmpty() ? lastFault : here;
    }

    OptionalLong waitNanos(SliceOnDevices now) {
        OptionalLong here = now.waitNanos();
        return here.isPresent() ? OptionalLong.of(waited + here.getAsLong()) : here;
    }

    long deviceNanos(SliceOnDevices now) {
        return nanos.values().stream().mapToLong(Long::longValue).sum() + now.deviceNanos();
    }

    /**
     * @param device one of those where it is
     */
    long deviceNanos(SliceOnDevices now, int device) {
        return nanos.getOrDefault(now.devices().get(device), 0L) + now.deviceNanos(device);
    }
}
