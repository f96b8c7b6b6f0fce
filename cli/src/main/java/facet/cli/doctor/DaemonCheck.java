package facet.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The daemon. */
final class DaemonCheck {
    private static final String ABOUT = "daemon";

    private DaemonCheck() {}

    static List<Finding> of(DaemonState daemon) {
        if (!daemon.answers()) {
            return List.of(Finding.problem(ABOUT, daemon.failure(), ""));
        }
        List<Finding> found = new ArrayList<>();
        for (JsonNode each : daemon.status().path("stalledDrivers")) {
            found.add(
                    Finding.problem(
                            ABOUT,
                            each.asText(),
                            "it is given up by itself; where that comes again, 'dmesg | grep -i"
                                    + " nvrm' has what the driver says, and only a restart of the"
                                    + " machine may help"));
        }
        found.add(
                Finding.good(
                        ABOUT,
                        "process "
                                + daemon.status().path("pid").asLong()
                                + " in "
                                + daemon.directory()
                                + ", "
                                + count(daemon.status().path("devices").asInt(), "device")
                                + ", "
                                + count(daemon.status().path("slices").asInt(), "slice")));
        return found;
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
