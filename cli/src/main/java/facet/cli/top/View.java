package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What happened between two samples.
 *
 * @param seconds between them
 * @param utilisation of all devices together, in percent of their time
 */
public record View(
        double seconds,
        OptionalDouble utilisation,
        List<DeviceLine> devices,
        List<SliceLine> slices,
        List<SessionLine> sessions) {

    /**
     * @param row as the daemon sent it; what is missing there is not known
     * @param utilisation in percent
     */
    public record DeviceLine(JsonNode row, OptionalDouble utilisation) {}

    /**
     * @param got percent of its devices' time that it had
     * @param waiting percent of its devices' time in which it had work and not its turn
     */
    public record SliceLine(
            JsonNode row, OptionalDouble got, OptionalDouble waiting, OptionalDouble launches) {}

    /** The same of a program. */
    public record SessionLine(JsonNode row, OptionalDouble got, OptionalDouble launches) {}

    public static View between(Sample before, Sample after) {
        JsonNode devices = after.devices().rows();
        Capacity capacity = Capacity.of(devices);
        Rates slices = Rates.between(before.slices(), after.slices(), "name");
        Rates sessions = Rates.between(before.sessions(), after.sessions(), "session");
        List<SliceLine> sliceLines = new ArrayList<>();
        for (JsonNode row : after.slices().rows()) {
            sliceLines.add(
                    new SliceLine(
                            row,
                            capacity.share(
                                    slices.of(row, "deviceNanos"), row.path("devices").asInt(1)),
                            Rates.times(
                                    slices.of(row, "waitNanos"),
                                    100.0 / Math.max(1, row.path("devices").asInt(1))),
                            Rates.times(slices.of(row, "launches"), 1e9)));
        }
        List<SessionLine> sessionLines = new ArrayList<>();
        for (JsonNode row : after.sessions().rows()) {
            sessionLines.add(
                    new SessionLine(
                            row,
                            capacity.share(sessions.of(row, "deviceNanos"), 1),
                            Rates.times(sessions.of(row, "launches"), 1e9)));
        }
        Rates ofDevices = Rates.between(before.devices(), after.devices(), "device");
        List<DeviceLine> deviceLines = new ArrayList<>();
        for (JsonNode row : devices) {
            // Work that ended while the daemon was asked can make it a little more than all.
            OptionalDouble busy = atMost(100, capacity.share(ofDevices.of(row, "deviceNanos"), 1));
            deviceLines.add(new DeviceLine(row, busy));
        }
        OptionalDouble utilisation =
                atMost(100, capacity.share(ofDevices.sum(devices, "deviceNanos"), devices.size()));
        return new View(slices.nanos() / 1e9, utilisation, deviceLines, sliceLines, sessionLines);
    }

    private static OptionalDouble atMost(double most, OptionalDouble value) {
        return value.isPresent() ? OptionalDouble.of(Math.min(most, value.getAsDouble())) : value;
    }

    /**
     * @param multiprocessors of a device: so many seconds of device time it has in a second
     */
    private record Capacity(int multiprocessors) {
        static Capacity of(JsonNode devices) {
            return new Capacity(Math.max(1, devices.path(0).path("multiprocessors").asInt(1)));
        }

        /** Of a rate of device time, in percent of so many devices. */
        OptionalDouble share(OptionalDouble rate, int devices) {
            return Rates.times(rate, 100.0 / multiprocessors / Math.max(1, devices));
        }
    }
}
