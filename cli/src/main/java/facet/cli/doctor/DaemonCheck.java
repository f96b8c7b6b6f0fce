package facet.cli.doctor;

import java.util.List;

/** The daemon. */
final class DaemonCheck {
    private static final String ABOUT = "daemon";

    private DaemonCheck() {}

    static List<Finding> of(DaemonState daemon) {
        if (!daemon.answers()) {
            return List.of(Finding.problem(ABOUT, daemon.failure(), ""));
        }
        return List.of(
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
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
